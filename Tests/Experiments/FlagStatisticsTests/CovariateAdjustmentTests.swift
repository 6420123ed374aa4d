import FlagStatistics
import TestSupport
import Testing

@Suite("Covariate adjustment", .computing)
struct CovariateAdjustmentTests {
  private struct User {
    let value: Double
    let before: Double
  }

  private static func users(_ count: Int, effect: Double, _ generator: inout SeededGenerator) -> [User] {
    (0..<count).map { _ in
      let before = generator.normal(mean: 20, deviation: 3)
      return User(value: 0.8 * before + generator.normal(mean: effect, deviation: 1.8), before: before)
    }
  }

  private static func statistics(_ users: [User]) -> PairedStatistics {
    users.reduce(into: PairedStatistics()) { $0.add(outcome: $1.value, covariate: $1.before) }
  }

  @Test("The adjusted group is that of each user's value less theta times the covariate")
  func adjustsUsers() {
    var generator = SeededGenerator(seed: 1)
    let (a, b) = (Self.users(500, effect: 0, &generator), Self.users(400, effect: 1, &generator))
    let adjustment = CovariateAdjustment(control: Self.statistics(a), treatment: Self.statistics(b))
    for (users, group) in [(a, adjustment.control), (b, adjustment.treatment)] {
      let adjusted = SampleStatistics(users.map { $0.value - adjustment.theta * $0.before })
      let whole = SampleStatistics(users.map(\.value))
      #expect(group.count == users.count)
      #expect(group.mean.isClose(to: adjusted.mean) && group.variance.isClose(to: adjusted.variance))
      #expect(group.unadjustedMean == whole.mean && group.unadjustedVariance == whole.variance)
      let both = SampleStatistics(users.map { 2 * $0.value - adjustment.theta * $0.before })
      let covariance = (both.variance - whole.variance - adjusted.variance) / 2
      #expect(group.covarianceWithUnadjusted.isClose(to: covariance, within: 1e-11))
    }
    // Values correlate with the covariate by 0.8: of their variance, 64 % is known beforehand.
    #expect(adjustment.varianceReduction.isClose(to: 0.64, within: 0.05))
    #expect(adjustment.theta.isClose(to: 0.8, within: 0.05))
  }

  @Test("Relative effects of adjusted groups hold the truth in about 95 % of experiments")
  func covers() throws {
    var generator = SeededGenerator(seed: 2)
    let held = try Share(of: Effort.rounds(250, thorough: 1_000)) {
      let (a, b) = (Self.users(60, effect: 0, &generator), Self.users(60, effect: 1.6, &generator))
      let adjustment = CovariateAdjustment(control: Self.statistics(a), treatment: Self.statistics(b))
      let difference = try MeanDifference(of: adjustment.treatment, over: adjustment.control)
      return try #require(difference.confidenceInterval(on: .relative)).contains(0.1)
    }
    #expect(held.agrees(with: 0.95), "\(held)")
  }

  @Test("The error of a relative effect is that of its contrast, though the covariates of both groups differ")
  func usesAdjustedEffect() throws {
    var generator = SeededGenerator(seed: 4)
    let (a, b) = (
      Self.users(30, effect: 0, &generator),
      Self.users(30, effect: 1, &generator).map {
        User(value: $0.value + 8, before: $0.before + 10)
      }
    )
    let adjustment = CovariateAdjustment(control: Self.statistics(a), treatment: Self.statistics(b))
    let difference = try MeanDifference(of: adjustment.treatment, over: adjustment.control)
    let (baseline, lift) = (adjustment.control.unadjustedMean, difference.effect(on: .relative))
    #expect(adjustment.treatment.unadjustedMean / baseline - 1 > 0.4 && lift < 0.2)
    for effect in [-0.5, lift + 0.1] {
      let control = SampleStatistics(a.map { (1 + effect) * $0.value - adjustment.theta * $0.before })
      let error = (control.variance / 30 + adjustment.treatment.variance / 30).squareRoot()
      let distance = (lift - effect) * baseline / error
      #expect(difference.statistic(against: effect, on: .relative).isClose(to: distance, within: 1e-11))
    }
  }

  @Test("A covariate that is the same for everyone changes nothing")
  func ignoresConstants() throws {
    let (a, b) = (
      [User(value: 1, before: 0.1), User(value: 2, before: 0.1)],
      [User(value: 4, before: 0.1), User(value: 2, before: 0.1)]
    )
    let adjustment = CovariateAdjustment(control: Self.statistics(a), treatment: Self.statistics(b))
    #expect(adjustment.theta == 0 && adjustment.varianceReduction == 0)
    #expect(
      try MeanDifference(of: adjustment.treatment, over: adjustment.control)
        == MeanDifference(of: SampleStatistics([4, 2]), over: SampleStatistics([1, 2])))
  }

  @Test("A metric that the covariate gives exactly has no variance left, and so no answer")
  func seesExactCovariates() throws {
    let users = (0..<50).map { User(value: 0.1 * Double($0), before: Double($0)) }
    let adjustment = CovariateAdjustment(control: Self.statistics(users), treatment: Self.statistics(users))
    #expect(adjustment.varianceReduction == 1)
    do throws(StatisticsError) {
      _ = try MeanDifference(of: adjustment.treatment, over: adjustment.control)
      Issue.record("answered")
    } catch {
      #expect(error.code == .noVariance && error.subject == "both groups")
    }
  }
}
