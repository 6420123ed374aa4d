internal import FlagDomain

/// Reads flags for one user, whoever is signed in, and keeps nothing: a server makes one for each request.
final class UserFlags: Sendable {
  private let live: LiveFlags
  private let context: EvaluationContext

  init(live: LiveFlags, user: User?) {
    self.live = live
    context = live.current.context(of: user)
  }
}

extension UserFlags: FeatureFlagManager, FlagInspecting {
  func variation<F: FeatureFlag>(for flag: F) -> F.Value {
    var trace = Trace()
    let value = live.current.value(of: flag, in: context, &trace)
    live.report(trace.errors)
    return value
  }

  func resolution<F: FeatureFlag>(of flag: F) -> FlagResolution<F.Value> {
    live.current.resolution(of: flag, in: context)
  }

  func answers<F: FeatureFlag>(for flag: F) -> [ProviderAnswer<F.Value>] {
    live.current.answers(for: flag, in: context)
  }
}
