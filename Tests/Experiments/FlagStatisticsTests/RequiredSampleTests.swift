import FlagStatistics
import TestSupport
import Testing

@Suite("Required sample", .computing)
struct RequiredSampleTests {
  @Test("An experiment of the required size has the power that it was planned for")
  func hasPower() throws {
    var generator = SeededGenerator(seed: 1)
    let plan = try RequiredSample(standardDeviation: 2, difference: -1, power: 0.9, tuning: nil)
    #expect(plan.perGroup == 85)
    let found = try Share(of: Effort.rounds(250, thorough: 1_000)) {
      let (a, b) = (
        generator.sample(plan.perGroup, mean: 7, deviation: 2), generator.sample(plan.perGroup, mean: 6, deviation: 2)
      )
      return try MeanDifference(of: b, over: a).pValue < 0.05
    }
    #expect(found.agrees(with: 0.9), "\(found)")
  }

  @Test("Proportions take the variance of each share")
  func plansProportions() throws {
    let plan = try RequiredSample(baseline: 0.1, difference: 0.02, tuning: nil)
    let deviation = ((0.09 + 0.12 * 0.88) / 2).squareRoot()
    #expect(
      plan.exact.isClose(to: try RequiredSample(standardDeviation: deviation, difference: 0.02, tuning: nil).exact))
    #expect(plan.perGroup == 3_839)
  }

  @Test("A plan for any number of looks is for the critical value that the sequential test has at its end")
  func plansSequentialTests() throws {
    for (alpha, tuning) in [(0.05, 5_000.0), (0.025, 200), (0.001, 1e6)] {
      let plan = try RequiredSample(baseline: 0.1, difference: 0.02, alpha: alpha, tuning: tuning)
      let test = SequentialTest(alpha: alpha, tuning: tuning)
      let critical = try #require(test.criticalValue(count: 2 * plan.perGroup))
      let error = ((0.09 + 0.12 * 0.88) / Double(plan.perGroup)).squareRoot()
      #expect((0.02 / error - critical - 0.841_621).magnitude < 0.001)
      #expect(plan.exact > (try RequiredSample(baseline: 0.1, difference: 0.02, alpha: alpha, tuning: nil).exact))
    }
    #expect(throws: StatisticsError.self) { try RequiredSample(baseline: 0.1, difference: 0.1, tuning: 0) }
    #expect(throws: StatisticsError.self) { try RequiredSample(baseline: 0.1, difference: 0.1, comparisons: 0) }
  }

  @Test(
    "Days are counted until the smallest group is complete",
    arguments: [(1_000, 0.5, 8), (7_678, 0.5, 1), (7_677, 0.5, 2), (1_000, 0.1, 39), (0.5, 1, 7_678)])
  func countsDays(usersPerDay: Double, share: Double, days: Int) throws {
    #expect(
      try RequiredSample(baseline: 0.1, difference: 0.02, tuning: nil).days(usersPerDay: usersPerDay, share: share)
        == days)
  }

  @Test("A large difference still needs two users of each group")
  func needsTwo() throws {
    #expect(try RequiredSample(standardDeviation: 1, difference: 1_000).perGroup == 2)
  }

  @Test("Plans that cannot be are rejected, by name")
  func rejects() {
    let plans: [(String, StatisticsError.Code, () throws(StatisticsError) -> RequiredSample)] = [
      (
        "difference", .invalidArgument,
        { () throws(StatisticsError) in try RequiredSample(baseline: 0.1, difference: 0) }
      ),
      (
        "difference", .invalidArgument,
        { () throws(StatisticsError) in try RequiredSample(standardDeviation: 1, difference: .nan) }
      ),
      (
        "baseline", .invalidArgument,
        { () throws(StatisticsError) in try RequiredSample(baseline: -0.1, difference: 0.2) }
      ),
      (
        "baseline + difference", .invalidArgument,
        { () throws(StatisticsError) in try RequiredSample(baseline: 0.9, difference: 0.2) }
      ),
      (
        "alpha", .invalidArgument,
        { () throws(StatisticsError) in try RequiredSample(baseline: 0.1, difference: 0.1, alpha: 0) }
      ),
      (
        "power", .invalidArgument,
        { () throws(StatisticsError) in try RequiredSample(baseline: 0.1, difference: 0.1, power: 0.05) }
      ),
      (
        "power", .invalidArgument,
        { () throws(StatisticsError) in try RequiredSample(baseline: 0.1, difference: 0.1, power: 1) }
      ),
      (
        "variance of control", .invalidArgument,
        { () throws(StatisticsError) in try RequiredSample(standardDeviation: .infinity, difference: 1) }
      ),
      ("both groups", .noVariance, { () throws(StatisticsError) in try RequiredSample(baseline: 0, difference: 1) }),
      (
        "users", .notFinite,
        { () throws(StatisticsError) in try RequiredSample(standardDeviation: 1, difference: 1e-200) }
      ),
      (
        "users", .notFinite,
        { () throws(StatisticsError) in try RequiredSample(standardDeviation: 1e10, difference: 1) }
      ),
    ]
    for (subject, code, plan) in plans {
      do throws(StatisticsError) {
        _ = try plan()
        Issue.record("accepted an impossible \(subject)")
      } catch {
        #expect((error.subject, error.code) == (subject, code), "\(error)")
      }
    }
  }

  @Test(
    "Days that cannot be counted are rejected",
    arguments: [(0, 0.5), (-1, 0.5), (.nan, 0.5), (1, 0), (1, 2), (1e-300, 0.5)])
  func rejectsDays(usersPerDay: Double, share: Double) throws {
    let plan = try RequiredSample(baseline: 0.1, difference: 0.02, tuning: nil)
    #expect(throws: StatisticsError.self) { try plan.days(usersPerDay: usersPerDay, share: share) }
  }
}
