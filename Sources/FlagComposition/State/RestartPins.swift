import FlagDomain

/// The providers' snapshots in which flags that need a restart are resolved: those of the start, for all of them.
///
/// Snapshots are stored instead of values, since values depend on the user; there is one set of them, however many
/// documents follow.
final class RestartPins: Sendable {
  private struct State {
    var sources: [FlagState.Source]?
    var flags: [FlagKey: any FeatureFlag] = [:]
  }

  private let state = Locked(State())

  /// Pins the snapshots of the start, unless there are some.
  @discardableResult
  func pin(_ sources: [FlagState.Source]) -> [FlagState.Source] {
    let pinned = sources.map(\.pinned)
    return state.withLock { state in
      if let first = state.sources { return first }
      state.sources = pinned
      return pinned
    }
  }

  /// Replaces the snapshots of providers that have answers for one user alone, since another one has signed in.
  ///
  /// - Returns: The keys of the flags that were resolved in the replaced snapshots.
  func repin(_ sources: [FlagState.Source]) -> [FlagKey] {
    let personal = sources.filter { $0.provider.isPersonal }.map(\.pinned)
    guard !personal.isEmpty else { return [] }
    let (last, keys) = state.withLock { state -> ([FlagState.Source]?, [FlagKey]) in
      guard let last = state.sources else { return (nil, []) }
      state.sources = last.map { source in personal.first { $0.number == source.number } ?? source }
      return (last, Array(state.flags.keys))
    }
    _ = consume last  // released outside the lock, since that may release a provider's snapshot
    return keys
  }

  /// Returns the snapshots to resolve a flag in: those of the start, or else the current ones from now on.
  func sources(for flag: some FeatureFlag, now: [FlagState.Source]) -> [FlagState.Source] {
    let key = flag.key
    let pinned = state.withLock { state in
      state.flags[key] = flag
      return state.sources
    }
    return pinned ?? pin(now)
  }

  /// The snapshots of the start; nil if no flag needed them yet.
  var sources: [FlagState.Source]? { state.withLock { $0.sources } }

  /// Records a flag whose overrides may take effect at the next start.
  func note(_ flag: some FeatureFlag) {
    guard !flag.traits.isDisjoint(with: .restart) else { return }
    let key = flag.key
    state.withLock { $0.flags[key] = flag }
  }

  /// Every flag that was resolved or recorded.
  var flags: [any FeatureFlag] { state.withLock { Array($0.flags.values) } }
}
