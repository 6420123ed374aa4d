internal import FlagDomain

/// One consistent cut: flags as they were in one state.
final class FrozenFlags: Sendable {
  private let live: LiveFlags
  private let state: FlagState
  /// Resolutions already given, since some flags are asked anew at each read.
  private let given = Locked<[FlagKey: any Sendable]>([:])

  init(live: LiveFlags, state: FlagState) {
    self.live = live
    self.state = state
  }
}

extension FrozenFlags: FeatureFlagManager, FlagInspecting, FlagSnapshotting {
  func variation<F: FeatureFlag>(for flag: F) -> F.Value {
    live.kept(flag, revision: state.revision) { resolution(of: flag).value }
  }

  func resolution<F: FeatureFlag>(of flag: F) -> FlagResolution<F.Value> {
    if let resolution = given.withLock({ $0[flag.key] }) as? FlagResolution<F.Value> { return resolution }
    let resolution = state.resolution(of: flag, in: state.content.context)
    // Of two threads that ask at once, the first one's stays.
    let first = given.withLock { given in
      if given[flag.key] == nil { given[flag.key] = resolution }
      return given[flag.key]
    }
    return first as? FlagResolution<F.Value> ?? resolution
  }

  func answers<F: FeatureFlag>(for flag: F) -> [ProviderAnswer<F.Value>] {
    state.answers(for: flag, in: state.content.context)
  }

  func snapshot() -> any FeatureFlagManager { self }
}

extension LiveFlags: FlagSnapshotting {
  func snapshot() -> any FeatureFlagManager { FrozenFlags(live: self, state: current) }
}

extension LiveFlags: FlagInspecting {
  func resolution<F: FeatureFlag>(of flag: F) -> FlagResolution<F.Value> {
    let state = current
    return state.resolution(of: flag, in: state.content.context)
  }

  func answers<F: FeatureFlag>(for flag: F) -> [ProviderAnswer<F.Value>] {
    let state = current
    return state.answers(for: flag, in: state.content.context)
  }
}
