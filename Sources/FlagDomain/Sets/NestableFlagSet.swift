/// A set of flags that can be used on its own or as a group of other sets, with different keys in each.
///
/// The `@FlagSet` macro writes the conformance. Reading a property costs no more than reading the flag itself: the
/// flags are made once for each path, and a set is two references.
public protocol NestableFlagSet: FlagSet {
  /// The flags of the set, without a manager.
  associatedtype Flags: PlacedFlags

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

/// The flags of a set at one path, made once.
public protocol PlacedFlags: AnyObject, Sendable {
  /// The flags, in groups, in the order of declaration.
  var flagCatalog: FlagCatalog { get }
}

extension PlacedFlags {
  /// Named by code that uses these flags at a second path; unavailable where their keys would clash.
  public typealias SecondPlace = Void
}

/// A type that is a set of flags: generated code names groups by it, so that any other type is one clear error.
public typealias FlagGroupType<Group: NestableFlagSet> = Group
