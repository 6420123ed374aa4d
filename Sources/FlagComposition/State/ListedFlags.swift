import FlagDomain

/// The keys of a client's catalogs, and the flags that were read although no catalog has them.
final class ListedFlags: Sendable {
  private struct State {
    var keys: Set<FlagKey>
    /// The first components of keys that were reported: the flags of a set are one cause.
    var reported: Set<Substring> = []
  }

  private let state: Locked<State>

  init(_ flags: [any FeatureFlag]) { state = Locked(State(keys: Set(flags.map(\.key)))) }

  /// Adds keys that are new, and removes those that are not.
  func toggle(_ keys: Set<FlagKey>) { state.withLock { $0.keys.formSymmetricDifference(keys) } }

  /// Returns the error of a flag that no catalog has, unless that of its set was returned before.
  func error(for key: FlagKey) -> FlagError? {
    let isNew = state.withLock { state in
      guard !state.keys.contains(key), state.reported.count < ReportLog.maximumCount else { return false }
      return state.reported.insert(key.name.prefix { $0 != "." }).inserted
    }
    guard isNew else { return nil }
    return FlagError(
      .flagNotFound, "expected a flag of the client's catalogs: the set that declares it was not handed over", key: key)
  }
}
