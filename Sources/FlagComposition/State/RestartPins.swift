import FlagDomain

/// The flags that need a restart, with the content that they were first resolved in, which decides until the next
/// start.
///
/// The content is kept instead of the value, since the value depends on the user.
final class RestartPins: Sendable {
  private struct State {
    var contents: [FlagKey: FlagState.Content] = [:]
    var flags: [FlagKey: any FeatureFlag] = [:]
  }

  private let state = Locked(State())
}

extension RestartPins {
  /// Returns the content that a flag is resolved in: the current one, if it was never resolved before.
  func content(for flag: some FeatureFlag, now: FlagState.Content) -> FlagState.Content {
    state.withLock { state in
      if let content = state.contents[flag.key] { return content }
      state.contents[flag.key] = now
      state.flags[flag.key] = flag
      return now
    }
  }

  /// The content that a flag was first resolved in, or nil if it never was.
  func content(ofKey key: FlagKey) -> FlagState.Content? { state.withLock { $0.contents[key] } }

  /// Records a flag whose overrides may take effect at the next start.
  func note(_ flag: some FeatureFlag) {
    guard !flag.traits.isDisjoint(with: .restart) else { return }
    state.withLock { $0.flags[flag.key] = flag }
  }

  /// Every flag that was resolved or recorded.
  var flags: [any FeatureFlag] { state.withLock { Array($0.flags.values) } }
}
