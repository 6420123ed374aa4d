import FlagComposition
import FlagDomain
import FlagEvents
import Synchronization
import TestSupport
import Testing

@testable import FlagTracking

@Suite("Tracking while users change", .computing, .timeLimit(.minutes(30)))
struct ChangingUserTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("Between a read and a flush another user signs in, over and over: every exposure is of its own user")
  func keepsUsersApart() async throws {
    let sink = RecordingSink()
    var options = TrackingOptions()
    options.attributes = ["targetingKey"]
    let tracker = try makeTracker(in: folder, to: sink, options)
    let flags = try FeatureFlagClient(catalogs: [], exposures: tracker) { OwnValues() }
    let (done, rounds) = (Done(), Effort.rounds(20_000, long: 1_000_000))
    async let threads: Void = onThreads(3) { number in
      switch number {
      case 0:
        // Two users in turn, and after a while two others: users who were told of once are not told of again.
        for round in 0..<rounds { flags.authenticator.setUser(FlagUser(id: "\(round / 200)-\(round % 2)")) }
        done.isSet.store(true, ordering: .releasing)
      case 1: while !done.isSet.load(ordering: .acquiring) { _ = flags.manager.variation(for: experiment) }
      default:
        while !done.isSet.load(ordering: .acquiring) { _ = flags.snapshots.snapshot().variation(for: experiment) }
      }
    }
    while !done.isSet.load(ordering: .acquiring) { await tracker.flush() }
    try await threads
    flags.authenticator.setUser(FlagUser(id: "last"))
    _ = flags.manager.variation(for: experiment)
    flags.authenticator.setUser(FlagUser(id: "next"))
    await tracker.flush()
    let exposures = sink.events.compactMap { event in
      if case .exposure(let exposure) = event.content { exposure } else { nil }
    }
    #expect(exposures.last?.unit == "last")
    let mistaken = exposures.filter { exposure in
      exposure.variant != "of \(exposure.unit)" || exposure.attributes["targetingKey"] != .string(exposure.unit)
    }
    #expect(mistaken.isEmpty)
  }
}

private let experiment = Flag("who", default: "", FlagMetadata(isExperiment: true))

/// Gives each user a value, and a variant, of their own.
private struct OwnValues: FlagProvider, ProviderSnapshot {
  let name = "own values"

  func snapshot() -> any ProviderSnapshot { self }

  func answer(for key: FlagKey, in context: EvaluationContext) -> FlagAnswer? {
    context.user.map { FlagAnswer(.string($0.id), variant: "of \($0.id)", reason: .targetingMatch) }
  }
}

private final class Done: Sendable {
  let isSet = Atomic(false)
}
