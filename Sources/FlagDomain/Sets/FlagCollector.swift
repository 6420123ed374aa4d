/// Makes the flags of one path, and collects them for its catalog in the order in which they are made.
///
/// What `@FlagSet` expands to uses it, and so can a set by hand:
///
/// ```swift
/// var collector = FlagCollector(at: path)
/// autoPlay = collector.flag("autoPlay", default: false, "Plays at once.")
/// flagCatalog = collector.catalog("Posts with videos.")
/// ```
public struct FlagCollector: Sendable {
  /// Where the flags are.
  public let path: FlagPath
  private var items: [FlagCatalog.Item] = []

  /// Creates a collector without flags.
  public init(at path: FlagPath) { self.path = path }
}

extension FlagCollector {
  /// Makes a flag that says no more of itself than what it is for, see ``FlagPath/flag(_:key:default:_:computed:)``.
  ///
  /// Code with hundreds of such flags compiles faster than with metadata for each.
  public mutating func flag<Value>(
    _ name: String, default defaultValue: Value, _ description: String
  ) -> Flag<Value> {
    flag(name, default: defaultValue, metadata: FlagMetadata(description))
  }

  /// Makes a flag, see ``FlagPath/flag(_:key:default:_:computed:)``.
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

  /// Takes the flags of a group, which were made at a path in this one, and returns them.
  public mutating func group<Flags: PlacedFlags>(_ flags: Flags) -> Flags {
    items.append(.group(flags.flagCatalog))
    return flags
  }

  /// Returns the catalog of what was collected.
  public func catalog(_ metadata: FlagMetadata) -> FlagCatalog { path.catalog(metadata, items) }
}
