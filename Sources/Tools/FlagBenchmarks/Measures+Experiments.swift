import FlagComposition
import FlagDomain

extension Measures {
  /// The measures of exposure tracking: flags without an experiment, and flags whose reads it has counted.
  static var experiments: [Measure] {
    [
      experiment("none", against: "read.bool") { flags in
        let (manager, flag) = (flags.manager, Flag("feed.flag-number-001", default: false, ""))
        return { count in for _ in 0..<count { blackHole(manager.variation(for: flag)) } }
      },
      experiment("counted") { flags in
        let manager = flags.manager
        return { count in for _ in 0..<count { blackHole(manager.variation(for: counted)) } }
      },
      experiment("request-none", against: "experiment.request-without") { flags in
        let (request, flag) = (flags.manager(for: user), Flag("feed.flag-number-001", default: false, ""))
        return { count in for _ in 0..<count { blackHole(request.variation(for: flag)) } }
      },
      Measure("experiment.request-without") {
        let (request, flag) = (
          try ReadFixture.flags().manager(for: user), Flag("feed.flag-number-001", default: false, "")
        )
        return Workload { count in for _ in 0..<count { blackHole(request.variation(for: flag)) } }
      },
      experiment("request-counted", against: "experiment.request-without") { flags in
        let request = flags.manager(for: user)
        return { count in for _ in 0..<count { blackHole(request.variation(for: counted)) } }
      },
    ]
  }

  private static let user = FlagUser(id: "a7f3c2d9-user")
  private static let counted = Flag("feed.flag-number-001", default: false, FlagMetadata(isExperiment: true))

  private static func experiment(
    _ name: String, against rival: String? = nil,
    _ setUp: @escaping @Sendable (FeatureFlagClient) throws -> @Sendable (Int) -> Void
  ) -> Measure {
    Measure("experiment.\(name)", against: rival) {
      let flags = try ReadFixture.flags(exposures: DiscardingTracker())
      flags.authenticator.setUser(user)
      return Workload(run: try setUp(flags))
    }
  }

  /// A tracker that stores nothing.
  private struct DiscardingTracker: ExposureTracker {
    var now: Int64 { 0 }
    func track(_ exposures: [Exposure]) {}
    func subscribe(_ onExpiry: @escaping @Sendable () -> Void) -> FlagSubscription { FlagSubscription {} }
  }
}
