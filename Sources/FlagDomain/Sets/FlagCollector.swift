/// A collector that creates the flags of one path for its catalog, in the order in which they are created.
///
/// The expansion of `@FlagSet` uses it, and so can a set written by hand:
///
/// ```swift
/// var collector = _FlagCollector(at: path)
/// autoPlay = collector.flag("autoPlay", default: false, "Plays at once.")
/// flagCatalog = collector.catalog("Posts with videos.")
/// ```
public struct _FlagCollector: Sendable {
  /// The path of the flags.
  public let path: _FlagPath
  private var items: [FlagCatalog.Item] = []

  /// Creates a collector without flags.
  public init(at path: _FlagPath) { self.path = path }

  /// Creates a flag with a description as its only metadata, see ``_FlagPath/flag(_:key:default:_:computed:)``.
  ///
  /// Code with hundreds of such flags compiles faster than with metadata for each.
  public mutating func flag<Value>(
    _ name: String, default defaultValue: Value, _ description: String
  ) -> Flag<Value> {
    flag(name, default: defaultValue, metadata: FlagMetadata(description))
  }

  /// Creates a flag, see ``_FlagPath/flag(_:key:default:_:computed:)``.
  public mutating func flag<Value>(
    _ name: String,
    key: FlagKey? = nil,
    default defaultValue: Value,
    metadata: FlagMetadata,
    computed: (@Sendable (EvaluationContext) -> Value?)? = nil
  ) -> Flag<Value> {
    let flag = path.flag(name, key: key, default: defaultValue, metadata, computed: computed)
    items.append(.flag(flag))
    return flag
  }

  /// Adds the flags of a group, which were created at a path in this one, and returns them.
  public mutating func group<Flags: _PlacedFlags>(_ flags: Flags) -> Flags {
    items.append(.group(flags.flagCatalog))
    return flags
  }

  /// Returns the catalog of the collected flags and groups.
  ///
  /// - Parameters:
  ///   - metadata: The description of the set.
  ///   - group: The description of a group of another set that this set is; nil if the group has none of its own. A set
  ///     that is internal or locked stays so, and its owner and presentation stay where the group has none.
  /// - Returns: The catalog.
  public func catalog(_ metadata: FlagMetadata, as group: FlagMetadata? = nil) -> FlagCatalog {
    path.catalog(group?.ofGroup(of: metadata) ?? metadata, items)
  }
}
