/// The catalogs of a client or a console, which can change at run time.
package final class RegisteredCatalogs: Sendable {
  private struct State {
    var catalogs: [FlagCatalog]
    var flags: [FlagKey: any FeatureFlag]
    var revision = 0
  }

  private let state: Locked<State>
  private let subscribers = FlagSubscribers<Void>()
  /// The style of providers' keys; nil for the flags' own keys.
  private let style: KeyStyle?
  private let onChange: @Sendable (Set<FlagKey>, [any FeatureFlag], _ revision: Int) -> Void

  /// Creates a registry of catalogs whose keys must be unique.
  ///
  /// - Parameters:
  ///   - catalogs: The first catalogs.
  ///   - style: The style of providers' keys; nil for the flags' own keys.
  ///   - onChange: Receives the keys of flags that were added or removed, all flags, and the number of the change;
  ///     called with no lock held.
  package init(
    _ catalogs: [FlagCatalog], style: KeyStyle? = nil,
    onChange: @escaping @Sendable (Set<FlagKey>, [any FeatureFlag], _ revision: Int) -> Void = { _, _, _ in }
  ) {
    state = Locked(State(catalogs: catalogs, flags: Self.flags(of: catalogs)))
    self.style = style
    self.onChange = onChange
  }

  private static func flags(of catalogs: [FlagCatalog]) -> [FlagKey: any FeatureFlag] {
    Dictionary(catalogs.flatMap(\.flags).map { ($0.key, $0) }) { first, _ in first }
  }

  /// The flags of all catalogs, in order.
  package var flags: [any FeatureFlag] { catalogs.flatMap(\.flags) }

  package var flagsByKey: [FlagKey: any FeatureFlag] { state.withLock { $0.flags } }
}

extension RegisteredCatalogs: FlagCatalogRegistry {
  package var catalogs: [FlagCatalog] { state.withLock { $0.catalogs } }

  package func add(_ catalog: FlagCatalog) throws(DuplicateFlagKeys) { try change { $0.append(catalog) } }

  package func replace(_ catalog: FlagCatalog) throws(DuplicateFlagKeys) {
    try change { catalogs in
      let index = catalogs.firstIndex { $0.name == catalog.name } ?? catalogs.endIndex
      catalogs.removeAll { $0.name == catalog.name }
      catalogs.insert(catalog, at: min(index, catalogs.endIndex))
    }
  }

  package func replaceAll(with catalogs: [FlagCatalog]) throws(DuplicateFlagKeys) { try change { $0 = catalogs } }

  package func removeCatalog(named name: String) {
    // Removing flags cannot create a duplicate key.
    do throws(DuplicateFlagKeys) { try change { $0.removeAll { $0.name == name } } } catch {}
  }

  package func subscribe(_ onChange: @escaping @Sendable () -> Void) -> FlagSubscription {
    subscribers.subscribe(onChange)
  }

  /// Returns a provider's key for a flag; nil if the style produces an invalid one, which reading the flag reports.
  private func providerKey(of flag: any FeatureFlag) -> FlagKey? {
    do throws(FlagError) { return try style.map { style throws(FlagError) in try style.providerKey(of: flag) } } catch {
      return nil
    }
  }

  private func change(_ edit: (inout [FlagCatalog]) -> Void) throws(DuplicateFlagKeys) {
    var old: State
    var new: State
    // Outside the lock, since flags and styles are the app's code; if others have changed the catalogs by then, again.
    repeat {
      old = state.withLock { $0 }
      new = old
      edit(&new.catalogs)
      try DuplicateFlagKeys.check(new.catalogs)
      try DuplicateFlagKeys.check(new.catalogs, by: providerKey)
      new.flags = Self.flags(of: new.catalogs)
      new.revision += 1
    } while !replace(old, by: new)
    onChange(Set(old.flags.keys).symmetricDifference(new.flags.keys), new.catalogs.flatMap(\.flags), new.revision)
    subscribers.notify(())
  }

  private func replace(_ old: State, by new: State) -> Bool {
    state.withLock { state in
      guard state.revision == old.revision else { return false }
      state = new
      return true
    }
  }
}
