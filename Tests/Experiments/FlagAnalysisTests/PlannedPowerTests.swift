import FlagAnalysis
import FlagStatistics
import TestSupport
import Testing

@Suite("Power of planned experiments", .computing)
struct PlannedPowerTests {
  @Test(
    "An experiment of the planned size finds its effect in 78 to 86 % of cases, by the verdict it was planned for",
    arguments: AnalysisSettings.Looks.allCases,
    [(0.1, 0.06, 1), (0.02, 0.004, 1), (0.5, -0.05, 5), (0.1, -0.03, 2), (0.005, 0.0025, 1)])
  func hasPower(looks: AnalysisSettings.Looks, plan: (baseline: Double, difference: Double, comparisons: Int)) throws {
    let tuning = looks == .any ? 5_000.0 : nil
    let users = try RequiredSample(
      baseline: plan.baseline, difference: plan.difference, tuning: tuning, comparisons: plan.comparisons
    ).perGroup
    let (control, treatment) = (
      BinomialSampler(users, plan.baseline), BinomialSampler(users, plan.baseline + plan.difference)
    )
    var generator = SeededGenerator(seed: 7)
    let count = Effort.rounds(1_000, thorough: 3_000, long: 10_000)
    let found = try (0..<count).count { _ in
      let difference = try MeanDifference(
        of: ProportionStatistics(count: users, successes: treatment.draw(&generator)),
        over: ProportionStatistics(count: users, successes: control.draw(&generator)))
      let p = looks == .any ? SequentialTest().pValue(of: difference) : difference.pValue
      return p < 0.05 / Double(plan.comparisons) && (difference.value > 0) == (plan.difference > 0)
    }
    #expect((0.78...0.86).contains(Double(found) / Double(count)), "\(found)")
  }

  @Test("Means have the planned power, too", arguments: AnalysisSettings.Looks.allCases)
  func hasPowerForMeans(looks: AnalysisSettings.Looks) throws {
    let tuning = looks == .any ? 5_000.0 : nil
    let users = try RequiredSample(standardDeviation: 2, difference: 0.5, tuning: tuning).perGroup
    let normal = (0..<4_096).map { NormalDistribution().quantile(lowerTail: (Double($0) + 0.5) / 4_096) }
    var generator = SeededGenerator(seed: 8)
    func sample(_ mean: Double) throws -> SampleStatistics {
      var (sum, squares) = (0.0, 0.0)
      for _ in 0..<users {
        let value = mean + 2 * normal[Int(generator.next() >> 52)]
        sum += value
        squares += value * value
      }
      return try SampleStatistics(count: users, sum: sum, sumOfSquares: squares)
    }
    let count = Effort.rounds(1_000, thorough: 3_000, long: 10_000)
    let found = try (0..<count).count { _ in
      let difference = try MeanDifference(of: sample(3.5), over: sample(3))
      return (looks == .any ? SequentialTest().pValue(of: difference) : difference.pValue) < 0.05
    }
    #expect((0.78...0.86).contains(Double(found) / Double(count)), "\(found)")
  }
}
