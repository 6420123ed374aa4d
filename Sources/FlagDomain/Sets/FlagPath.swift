/// The path of a group of flags, which derives keys from the names of properties.
///
/// ```swift
/// let feed = _FlagPath("feed")
/// let video = feed.group("videoPosts")
/// video.flag("autoPlay", default: false, "Plays videos at once.").key  // feed.video-posts.auto-play
/// ```
public struct _FlagPath: Sendable {
  /// The name of the innermost group.
  package let name: String
  /// The components of keys, outermost group first.
  package private(set) var components: [Component]
  private let style: KeyStyle
  private let depth: Int
  /// The metadata of the set around, which restricts overrides and providers.
  private(set) var set = FlagMetadata()

  /// Creates the path of an outermost group.
  ///
  /// - Parameters:
  ///   - name: The group's name.
  ///   - key: The component of keys to use instead of the name, untransformed; an empty string for no component.
  ///   - style: The style of keys, in this group and those inside it.
  public init(_ name: String, key: String? = nil, style: KeyStyle = KeyStyle()) {
    self.init(name, components: [], style: style, depth: 1)
    add(key)
  }

  private init(_ name: String, components: [Component], style: KeyStyle, depth: Int) {
    precondition(
      depth <= Self.maximumDepth, "the group \(components.map(\.text).joined(separator: ".")) holds itself")
    self.name = name
    self.components = components
    self.style = style
    self.depth = depth
  }

  /// A part of a key.
  public enum Component: Hashable, Sendable {
    /// The name of a property or group, to which the style's transform applies.
    case name(String)
    /// A component that is used as it is.
    case verbatim(String)

    /// The name or text.
    package var text: String {
      switch self {
      case .name(let text), .verbatim(let text): text
      }
    }
  }

  /// The maximum depth of nested groups, which stops a group that contains itself through another.
  package static let maximumDepth = 64

  /// Returns the path of a group in this one.
  ///
  /// - Parameters:
  ///   - name: The name of the property that holds the group.
  ///   - key: The component of keys to use instead of the name, untransformed; an empty string for no component.
  /// - Returns: A path that is one group longer.
  public func group(_ name: String, key: String? = nil) -> _FlagPath {
    var group = _FlagPath(name, components: components, style: style, depth: depth + 1)
    group.add(key)
    group.set = set
    return group
  }

  /// Returns the path in a set, which restricts its flags and groups.
  func inSet(_ metadata: FlagMetadata) -> _FlagPath {
    var path = self
    path.set = metadata.inSet(set)
    return path
  }

  private mutating func add(_ key: String?) {
    guard key?.isEmpty != true else { return }
    components.append(key.map(Component.verbatim) ?? .name(name))
  }

  /// Returns a flag of this group.
  ///
  /// - Parameters:
  ///   - name: The name of the flag's property; the display name is derived from it, unless the metadata has one.
  ///   - key: The flag's whole key; nil derives it from the path and the name.
  ///   - defaultValue: The value that is used if there is no other.
  ///   - metadata: The description of the flag.
  ///   - computed: A closure that is evaluated after an override and before the providers.
  ///   - fallback: A closure that is evaluated if no provider has a value.
  /// - Returns: A flag whose metadata holds its path, unless the key is given.
  public func flag<Value>(
    _ name: String,
    key: FlagKey? = nil,
    default defaultValue: Value,
    _ metadata: FlagMetadata,
    computed: (@Sendable (EvaluationContext) -> Value?)? = nil,
    fallback: (@Sendable (EvaluationContext) -> Value?)? = nil
  ) -> Flag<Value> {
    let path = key == nil ? components + [.name(name)] : []
    let keyPath = style.components(of: key == nil ? path : components) + (key.map { [$0.name] } ?? [])
    return Flag(
      key ?? FlagKey(stringLiteral: keyPath.joined(separator: style.separator)), default: defaultValue,
      metadata.at(path: path, keyPath: keyPath, titled: name.title),
      computed: computed, fallback: fallback)
  }

  /// Returns the catalog of this group.
  ///
  /// - Parameters:
  ///   - metadata: The description of the group.
  ///   - items: The flags and groups in the group.
  /// - Returns: A catalog under the group's name.
  public func catalog(_ metadata: FlagMetadata, _ items: [FlagCatalog.Item]) -> FlagCatalog {
    let keyPath = style.components(of: components)
    return FlagCatalog(name, metadata.at(path: components, keyPath: keyPath, titled: name.title), items: items)
  }
}

extension _FlagPath.Component: ExpressibleByStringLiteral {
  /// Creates the name of a property or group.
  public init(stringLiteral name: String) { self = .name(name) }
}
