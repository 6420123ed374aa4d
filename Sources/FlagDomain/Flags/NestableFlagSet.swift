/// A set of flags that can stand alone or as a group of other sets, under different keys in each.
///
/// The `@FlagSet` macro writes the conformance. Reading a property costs no more than a read of the flag itself: the
/// flags are made once for each place, and a set is two references.
public protocol NestableFlagSet: FlagSet {
  /// The flags of the set, without a manager.
  associatedtype Flags: PlacedFlags

  /// The flags of the set where it stands alone, for overrides and tests.
  static var flags: Flags { get }

  /// Creates a set that reads the flags of one place from a manager.
  init(_ manager: any FeatureFlagManager, flags: Flags)
}

extension NestableFlagSet {
  /// Every flag of the set where it stands alone, in groups, in the order of declaration.
  public static var catalog: FlagCatalog { flags.flagCatalog }

  /// Creates a set that stands alone and reads its flags from a manager.
  public init(_ manager: any FeatureFlagManager) { self.init(manager, flags: Self.flags) }
}

/// The flags of a set in one place, made once.
public protocol PlacedFlags: AnyObject, Sendable {
  /// The flags, in groups, in the order of declaration.
  var flagCatalog: FlagCatalog { get }
}
