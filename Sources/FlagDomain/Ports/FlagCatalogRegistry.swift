/// A registry of a program's flags, to which plug-ins and code that is loaded late can add theirs.
///
/// Every requirement may be called from any thread. Reading a flag needs no registry: it is for lists, consoles, resets
/// and reports, which show the registered flags.
public protocol FlagCatalogRegistry: Sendable {
  /// The registered flags, in the order of registration.
  var catalogs: [FlagCatalog] { get }

  /// Registers the flags of one more catalog.
  ///
  /// - Throws: An error that names both flags if a key is taken; then nothing is changed. To replace a catalog, use
  ///   ``replace(_:)``.
  func add(_ catalog: FlagCatalog) throws(DuplicateFlagKeys)

  /// Registers a catalog in place of the one with its name, or in addition to the others if there is no such catalog.
  ///
  /// - Throws: An error that names both flags if a key is taken by another catalog; then nothing is changed.
  func replace(_ catalog: FlagCatalog) throws(DuplicateFlagKeys)

  /// Registers these catalogs in place of all others.
  ///
  /// - Throws: An error that names both flags if two flags share a key; then nothing is changed.
  func replaceAll(with catalogs: [FlagCatalog]) throws(DuplicateFlagKeys)

  /// Removes the catalogs with a name, if there are any; their flags can still be read, and keep their overrides.
  func removeCatalog(named name: String)

  /// Calls a closure after each change of the catalogs, until the subscription ends.
  ///
  /// It is called on the thread of the change, with no lock held.
  func subscribe(_ onChange: @escaping @Sendable () -> Void) -> FlagSubscription
}
