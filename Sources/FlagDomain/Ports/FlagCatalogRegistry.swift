/// Knows the flags of a program, to which others can be added while it runs: those of a plug-in, or of what is loaded
/// late.
///
/// Everything may be called from any thread. Reading a flag needs no registry: it is for lists, browsers, resets and
/// reports, which show what is registered.
public protocol FlagCatalogRegistry: Sendable {
  /// The flags that are registered, in the order in which they were.
  var catalogs: [FlagCatalog] { get }

  /// Registers the flags of one more catalog.
  ///
  /// - Throws: An error that names both flags where a key is taken; then nothing is changed. ``replace(_:)`` is for
  ///   meaning it.
  func add(_ catalog: FlagCatalog) throws(DuplicateFlagKeys)

  /// Registers a catalog in place of the one of its name, or beside the others where there is none.
  ///
  /// - Throws: An error that names both flags where a key is taken by another catalog, and nothing is changed.
  func replace(_ catalog: FlagCatalog) throws(DuplicateFlagKeys)

  /// Registers these catalogs in place of all others.
  ///
  /// - Throws: An error that names both flags where a key is there twice, and nothing is changed.
  func replaceAll(with catalogs: [FlagCatalog]) throws(DuplicateFlagKeys)

  /// Takes the catalogs of a name out, if there are any; their flags can still be read, and keep their overrides.
  func removeCatalog(named name: String)

  /// Calls a closure after each change of the catalogs, until the subscription ends.
  ///
  /// It is called on the thread of the change, with no lock held.
  func subscribe(_ onChange: @escaping @Sendable () -> Void) -> FlagSubscription
}
