/// The flags of a feature module, in groups to any depth, in the order of their declaration.
///
/// ```swift
/// static let catalog = FlagCatalog("settings", "The settings screen.") {
///   newProfile
///   FlagCatalog("privacy", "What others see.") { lastSeen }
/// }
/// ```
public struct FlagCatalog: Sendable {
  /// The group's name.
  public let name: String
  /// The description of the group.
  public let metadata: FlagMetadata
  /// The flags and groups in the group.
  public let items: [Item]

  /// A flag or a group of flags.
  public enum Item: Sendable {
    /// A flag.
    case flag(any FeatureFlag)
    /// A group inside the group.
    case group(FlagCatalog)
  }

  /// Creates a catalog of flags and groups.
  public init(_ name: String, _ metadata: FlagMetadata = FlagMetadata(), items: [Item]) {
    self.name = name
    self.metadata = metadata
    self.items = items
  }

  /// Creates a catalog from flags and groups, one per line.
  public init(_ name: String, _ metadata: FlagMetadata = FlagMetadata(), @Builder _ items: () -> [Item]) {
    self.init(name, metadata, items: items())
  }
}

extension FlagCatalog: Identifiable {
  /// The group's name.
  public var id: String { name }
}

extension FlagCatalog {
  /// Every flag of the group and of the groups inside it.
  public var flags: [any FeatureFlag] {
    items.flatMap { item in
      switch item {
      case .flag(let flag): [flag]
      case .group(let group): group.flags
      }
    }
  }

  /// Every flag with the names of the groups that lead to it, outermost first.
  public var entries: [Entry] { entries(under: []) }

  private func entries(under groups: [String]) -> [Entry] {
    items.flatMap { item in
      switch item {
      case .flag(let flag): [Entry(flag: flag, groups: groups + [name])]
      case .group(let group): group.entries(under: groups + [name])
      }
    }
  }

  /// A flag, and the groups that it is in.
  public struct Entry: Sendable {
    /// The flag.
    public let flag: any FeatureFlag
    /// The names of the groups that lead to it, outermost first.
    public let groups: [String]
  }

  /// A result builder of flags and groups, one per line.
  @resultBuilder
  public enum Builder: Sendable {
    /// Adds a flag.
    public static func buildExpression(_ flag: some FeatureFlag) -> [Item] { [.flag(flag)] }
    /// Adds a group.
    public static func buildExpression(_ group: FlagCatalog) -> [Item] { [.group(group)] }
    /// Joins the lines.
    public static func buildBlock(_ items: [Item]...) -> [Item] { Array(items.joined()) }
    /// Joins the iterations of a loop.
    public static func buildArray(_ items: [[Item]]) -> [Item] { Array(items.joined()) }
    /// Returns the lines of a condition, if it holds.
    public static func buildOptional(_ items: [Item]?) -> [Item] { items ?? [] }
    /// Returns the lines of the first branch.
    public static func buildEither(first items: [Item]) -> [Item] { items }
    /// Returns the lines of the other branch.
    public static func buildEither(second items: [Item]) -> [Item] { items }
  }

  /// Returns the flags whose expiry date is before a day, and which should be removed from the code.
  ///
  /// Expect an empty result in a test of the app, so that no flag is forgotten.
  public func expired(on today: CalendarDay) -> [Entry] {
    entries.filter { entry in entry.flag.metadata.expires.map { $0 < today } ?? false }
  }
}
