import FlagStatistics
import Testing

@Suite("Guardrails")
struct GuardrailTests {
  // Estimates a difference of `mean` with a standard error of 1, and so many users that t is normal: 1.645 at 5 %.
  private func difference(_ mean: Double) throws -> MeanDifference {
    try MeanDifference(
      of: SampleStatistics(count: 2_000_000, mean: 10 + mean, variance: 1_000_000),
      over: SampleStatistics(count: 2_000_000, mean: 10, variance: 1_000_000))
  }

  @Test(
    "A guardrail holds, is violated, or is undecided",
    arguments: [
      (0, 2, .held), (0, 1, .undecided), (-5, 2, .violated), (-3, 2, .undecided), (5, 0, .held), (0, 0, .undecided),
      (0, .infinity, .held), (0, .nan, .undecided), (0, -3, .violated),
    ] as [(Double, Double, Guardrail.Verdict)])
  func judges(mean: Double, margin: Double, verdict: Guardrail.Verdict) throws {
    #expect(try Guardrail(margin: margin).verdict(difference(mean)) == verdict)
    #expect(try Guardrail(margin: margin, improvement: .decrease).verdict(difference(-mean)) == verdict)
  }

  @Test("The bound is one-sided")
  func bounds() throws {
    #expect(try Guardrail(margin: 0).bound(difference(0)).isClose(to: -1.644_854_322, within: 1e-6))
    #expect(try Guardrail(margin: 0, improvement: .decrease).bound(difference(3)).isClose(to: 4.644_854, within: 1e-6))
    #expect(try Guardrail(margin: 0, alpha: 0.5).bound(difference(0)) == -.infinity)
  }

  @Test("A guardrail that is looked at more than once takes more")
  func isSequential() throws {
    let once = try Guardrail(margin: 2).bound(difference(0))
    let often = try Guardrail(margin: 2, tuning: 4_000_000).bound(difference(0))
    #expect(often < once && often > 3 * once)
    #expect(try Guardrail(margin: 2, tuning: 4_000_000).verdict(difference(0)) == .undecided)
    let test = SequentialTest(alpha: 0.1, tuning: 4_000_000)
    #expect(try often == test.confidenceInterval(of: difference(0), on: .absolute)?.lower)
  }
}

extension Guardrail {
  fileprivate func bound(_ difference: MeanDifference) -> Double { bound(of: difference, on: .absolute) }
  fileprivate func verdict(_ difference: MeanDifference) -> Verdict { verdict(of: difference, on: .absolute) }
}
