/// A collector that creates the flags of one path for its catalog, in the order in which they are created.
///
/// The expansion of `@FlagSet` uses it, and so can a set written by hand:
///
/// ```swift
/// var collector = _FlagCollector(at: path, "Posts with videos.")
/// autoPlay = collector.flag("autoPlay", default: false, "Plays at once.")
/// flagCatalog = collector.catalog
/// ```
public struct _FlagCollector: Sendable {
  /// The path of the flags.
  public let path: _FlagPath
  private let metadata: FlagMetadata
  private let group: FlagMetadata?
  private var items: [FlagCatalog.Item] = []

  /// Creates a collector without flags.
  ///
  /// - Parameters:
  ///   - path: The path of the flags.
  ///   - metadata: The description of the set. What it restricts is restricted for its flags and groups.
  ///   - group: The description of a group of another set that this set is; nil if the group has none of its own. A set
  ///     that is internal or locked stays so, and its owner and presentation stay where the group has none.
  public init(at path: _FlagPath, _ metadata: FlagMetadata, as group: FlagMetadata? = nil) {
    self.metadata = group?.ofGroup(of: metadata) ?? metadata
    self.path = path.inSet(self.metadata)
    self.group = group
  }

  /// Creates a flag with a description as its only metadata.
  ///
  /// Code with hundreds of such flags compiles faster than with metadata for each.
  public mutating func flag<Value>(
    _ name: String, default defaultValue: Value, _ description: String
  ) -> Flag<Value> {
    flag(name, default: defaultValue, metadata: FlagMetadata(description))
  }

  /// Creates a flag, see ``_FlagPath/flag(_:key:default:_:computed:fallback:)``.
  public mutating func flag<Value>(
    _ name: String,
    key: FlagKey? = nil,
    default defaultValue: Value,
    metadata: FlagMetadata,
    computed: (@Sendable (EvaluationContext) -> Value?)? = nil,
    fallback: (@Sendable (EvaluationContext) -> Value?)? = nil
  ) -> Flag<Value> {
    let flag = path.flag(
      name, key: key, default: defaultValue, metadata.inSet(path.set), computed: computed,
      fallback: fallback)
    items.append(.flag(flag))
    return flag
  }

  /// Creates a flag whose value follows from others of its set, which are made by a closure at this path.
  public mutating func derived<Value, Flags: _PlacedFlags>(
    _ name: String,
    key: FlagKey? = nil,
    default defaultValue: Value,
    metadata: FlagMetadata,
    in make: @escaping @Sendable (_FlagPath, FlagMetadata?) -> Flags,
    value: @escaping @Sendable (Flags) -> Value
  ) -> Flag<Value> {
    let others = LazyFlags { [path, group] in make(path, group) }
    var metadata = metadata
    metadata.isDerived = true
    return flag(name, key: key, default: defaultValue, metadata: metadata, computed: { _ in value(others.flags) })
  }

  /// Adds the flags of a group, which were created at a path in this one, and returns them.
  public mutating func group<Flags: _PlacedFlags>(_ flags: Flags) -> Flags {
    items.append(.group(flags.flagCatalog))
    return flags
  }

  /// The catalog of the collected flags and groups.
  public var catalog: FlagCatalog { path.catalog(metadata, items) }
}
