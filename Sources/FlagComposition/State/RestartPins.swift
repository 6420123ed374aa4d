import FlagDomain

/// The flags that need a restart, with the content of their first resolution, which is used until the next start.
///
/// The content is stored instead of the value, since the value depends on the user.
final class RestartPins: Sendable {
  private struct State {
    var contents: [FlagKey: FlagState.Content] = [:]
    var flags: [FlagKey: any FeatureFlag] = [:]
  }

  private let state = Locked(State())
}

extension RestartPins {
  /// Returns the content to resolve a flag in: that of its first resolution, or else the current one.
  func content(for flag: some FeatureFlag, now: FlagState.Content) -> FlagState.Content {
    state.withLock { state in
      if let content = state.contents[flag.key] { return content }
      state.contents[flag.key] = now
      state.flags[flag.key] = flag
      return now
    }
  }

  /// Returns the content of a flag's first resolution, or nil if it was never resolved.
  func content(ofKey key: FlagKey) -> FlagState.Content? { state.withLock { $0.contents[key] } }

  /// Records a flag whose overrides may take effect at the next start.
  func note(_ flag: some FeatureFlag) {
    guard !flag.traits.isDisjoint(with: .restart) else { return }
    state.withLock { $0.flags[flag.key] = flag }
  }

  /// Every flag that was resolved or recorded.
  var flags: [any FeatureFlag] { state.withLock { Array($0.flags.values) } }
}
