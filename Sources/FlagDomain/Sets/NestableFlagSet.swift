/// A set of flags that can be used on its own or as a group of other sets, with different keys in each.
///
/// The `@FlagSet` macro generates the conformance. Reading a property costs no more than reading the flag itself: the
/// flags are created once for each path, and a set is two references.
public protocol NestableFlagSet: FlagSet {
  /// The flags of the set, without a manager.
  associatedtype Flags: _PlacedFlags

  /// The flags of the set used on its own, for overrides and tests.
  static var flags: Flags { get }

  /// Creates a set that reads the flags of one path from a manager.
  init(_ manager: any FeatureFlagManager, flags: Flags)
}

extension NestableFlagSet {
  /// Every flag of the set used on its own, in groups, in the order of declaration.
  public static var catalog: FlagCatalog { flags.flagCatalog }

  /// Creates a set that is used on its own and reads its flags from a manager.
  public init(_ manager: any FeatureFlagManager) { self.init(manager, flags: Self.flags) }
}

/// The flags of a set at one path, created once.
public protocol _PlacedFlags: AnyObject, Sendable {
  /// The flags, in groups, in the order of declaration.
  var flagCatalog: FlagCatalog { get }
}

extension _PlacedFlags {
  /// A type that generated code names to use these flags at a second path; unavailable if their keys would clash.
  public typealias SecondPlace = Void
}

/// A constraint that generated code applies to the types of groups, so that any other type is one clear error.
public typealias _FlagGroupType<Group: NestableFlagSet> = Group
