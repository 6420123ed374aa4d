internal import FlagDomain

/// Reads flags for one user, whoever is signed in, and keeps nothing: a server makes one for each request.
final class UserFlags: Sendable {
  private let live: LiveFlags
  private let user: User?

  init(live: LiveFlags, user: User?) {
    self.live = live
    self.user = user
  }

  private func context(in state: FlagState) -> EvaluationContext {
    EvaluationContext(user: user, attributes: state.content.context.attributes)
  }
}

extension UserFlags: FeatureFlagManager, FlagInspecting {
  func variation<F: FeatureFlag>(for flag: F) -> F.Value {
    let resolution = resolution(of: flag)
    live.report(resolution.errors)
    return resolution.value
  }

  func resolution<F: FeatureFlag>(of flag: F) -> FlagResolution<F.Value> {
    let state = live.current
    return state.resolve(flag, in: context(in: state)).resolution
  }

  func answers<F: FeatureFlag>(for flag: F) -> [ProviderAnswer<F.Value>] {
    let state = live.current
    return state.answers(for: flag, in: context(in: state))
  }
}
