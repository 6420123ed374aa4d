/// Where flags stand among the groups: what makes keys out of the names of properties.
///
/// ```swift
/// let feed = FlagPath("feed")
/// let video = feed.group("videoPosts")
/// video.flag("autoPlay", default: false, "Plays videos at once.").key  // feed.video-posts.auto-play
/// ```
public struct FlagPath: Sendable {
  /// The name of the innermost group.
  public let name: String
  /// The names that make keys, outermost group first.
  public private(set) var names: [String]
  /// The names as they stand in keys.
  private var components: [String]
  private let style: KeyStyle
  private let depth: Int

  /// Creates the path of an outermost group.
  ///
  /// - Parameters:
  ///   - name: The group's name.
  ///   - key: What stands in keys instead of the name, untransformed; an empty string adds nothing to the keys.
  ///   - style: How names become keys, in this group and those inside it.
  public init(_ name: String, key: String? = nil, style: KeyStyle = KeyStyle()) {
    self.init(name, names: [], components: [], style: style, depth: 1)
    add(key)
  }

  private init(_ name: String, names: [String], components: [String], style: KeyStyle, depth: Int) {
    precondition(depth <= Self.maximumDepth, "the group \(names.joined(separator: ".")) holds itself")
    self.name = name
    self.names = names
    self.components = components
    self.style = style
    self.depth = depth
  }
}

extension FlagPath {
  /// The deepest that groups may stand; a group that holds itself by way of another would have no end.
  public static let maximumDepth = 64

  /// Returns the path of a group inside.
  ///
  /// - Parameters:
  ///   - name: The name of the property that holds the group.
  ///   - key: What stands in keys instead of the name, untransformed; an empty string adds nothing to the keys.
  /// - Returns: A path that is one group longer.
  public func group(_ name: String, key: String? = nil) -> FlagPath {
    var group = FlagPath(name, names: names, components: components, style: style, depth: depth + 1)
    group.add(key)
    return group
  }

  private mutating func add(_ key: String?) {
    guard key?.isEmpty != true else { return }
    names.append(key ?? name)
    components.append(key ?? style.component(for: name))
  }
}

extension FlagPath {
  /// Returns a flag of this group.
  ///
  /// - Parameters:
  ///   - name: The name of the flag's property; it also makes the name for people, where the metadata gives none.
  ///   - key: The flag's whole key; nil makes it from the path and the name.
  ///   - defaultValue: The value that stands when nothing else gives one.
  ///   - metadata: What the flag says of itself.
  ///   - computed: A closure that is asked after an override and before the providers.
  /// - Returns: A flag whose metadata holds its path, unless the key is given.
  public func flag<Value>(
    _ name: String,
    key: FlagKey? = nil,
    default defaultValue: Value,
    _ metadata: FlagMetadata,
    computed: (@Sendable (EvaluationContext) -> Value?)? = nil
  ) -> Flag<Value> {
    let path = key == nil ? names + [name] : []
    return Flag(
      key ?? self.key(of: name), default: defaultValue, metadata.placed(at: path, titled: name.title),
      computed: computed)
  }

  /// Returns the catalog of this group.
  ///
  /// - Parameters:
  ///   - metadata: What the group says of itself.
  ///   - items: What the group holds.
  /// - Returns: A catalog under the group's name.
  public func catalog(_ metadata: FlagMetadata, _ items: [FlagCatalog.Item]) -> FlagCatalog {
    FlagCatalog(name, metadata.placed(at: names, titled: name.title), items: items)
  }

  private func key(of name: String) -> FlagKey {
    FlagKey(stringLiteral: style.name(of: components + [style.component(for: name)]))
  }
}
