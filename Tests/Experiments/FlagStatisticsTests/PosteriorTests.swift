import FlagStatistics
import Testing

@Suite("Posterior effects")
struct PosteriorTests {
  /// A difference of 1 with a standard error of 2.
  private let difference: MeanDifference

  init() throws {
    // The squared error is 300 / 100 + 64 / 64.
    difference = try MeanDifference(
      of: SampleStatistics(count: 100, mean: 5, variance: 300), over: SampleStatistics(count: 64, mean: 4, variance: 64)
    )
  }

  @Test("A flat prior leaves the estimate as it is")
  func keepsEstimate() throws {
    let posterior = try PosteriorEffect(of: difference)
    #expect(posterior.distribution == NormalDistribution(mean: 1, standardDeviation: 2))
    #expect(posterior.chanceToWin().isClose(to: 0.691_462_461_274_013_1))
  }

  @Test("A prior as sure as the estimate meets it halfway; it is about the relative effect")
  func meetsHalfway() throws {
    // Relative 0.5 with a variance of 0.25 is absolute 2 with a variance of 4, control's mean being 4.
    let posterior = try PosteriorEffect(of: difference, prior: EffectPrior(mean: 0.5, variance: 0.25))
    #expect(posterior.distribution.mean.isClose(to: 1.5))
    #expect(posterior.distribution.standardDeviation.isClose(to: 2.squareRoot()))
  }

  @Test("What is lost if less is better is what is gained if more is")
  func balances() throws {
    let posterior = try PosteriorEffect(of: difference)
    #expect((posterior.expectedLoss(.decrease) - posterior.expectedLoss()).isClose(to: posterior.distribution.mean))
    #expect((posterior.chanceToWin(.decrease) + posterior.chanceToWin()).isClose(to: 1))
  }

  @Test("A loss that is next to impossible is small, and not below 0")
  func keepsSmallLosses() throws {
    let sure = try MeanDifference(
      of: SampleStatistics(count: 2, mean: 20, variance: 1), over: SampleStatistics(count: 2, mean: 0, variance: 1))
    // mpmath: density(20) - 20 tail(20)
    #expect(
      try PosteriorEffect(of: sure).expectedLoss().isClose(
        to: 1.370_012_494_729_479_9e-90, within: 1e-9))
  }

  @Test("A proper prior over a baseline of 0, and an improper one, have no answer")
  func saysWhy() throws {
    let overZero = try MeanDifference(of: SampleStatistics([1, 2]), over: SampleStatistics([-1, 1]))
    let prior = try EffectPrior(mean: 0, variance: 1)
    #expect(throws: StatisticsError.self) { try PosteriorEffect(of: overZero, prior: prior) }
    #expect(try PosteriorEffect(of: overZero).distribution.mean == 1.5)
    for (mean, variance) in [(Double.nan, 1), (0, 0), (0, -1), (0, .infinity), (.infinity, 1)] {
      #expect(throws: StatisticsError.self) { try EffectPrior(mean: mean, variance: variance) }
    }
  }
}
