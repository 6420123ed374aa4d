/// The number of users that an experiment needs to find a difference, and the time until they have entered.
///
/// The normal approximation with unpooled variances: n = (c + z(power))^2 (vA + vB) / difference^2 users in each group,
/// c being the critical value of the test that decides. For one look that is z(1 - alpha/2) (J. L. Fleiss, B. Levin, M.
/// C. Paik, Statistical Methods for Rates and Proportions, 3rd edition, chapter 4). For ``SequentialTest`` it is its
/// critical value for 2n users, and the equation is solved for n.
///
/// The power is that of the look at which the last of these users has entered. A sequential test that is looked at
/// before has more: it may have found the difference already. So a test that has found nothing after the planned users
/// says that the difference is probably smaller.
package struct RequiredSample: Hashable, Sendable {
  /// The number of users in one group, before rounding up.
  package let exact: Double
  /// The number of users in one group, at least 2.
  package let perGroup: Int

  /// Plans an experiment on the means of two groups with equal variances.
  ///
  /// - Parameters:
  ///   - standardDeviation: The standard deviation between users, in the metric's unit.
  ///   - difference: The difference to find, up or down, in the metric's unit.
  ///   - alpha: The two-sided probability of finding a difference that does not exist.
  ///   - power: The probability of finding a difference that exists, above alpha.
  ///   - tuning: The tuning of the sequential test that decides, in users; nil for one look.
  ///   - comparisons: The number of comparisons that p-values are corrected for; the smallest of them must be under
  ///     alpha over their number, with Holm's method as with Bonferroni's.
  /// - Throws: ``StatisticsError`` if a number is out of its range, or the result exceeds the range of integers.
  package init(
    standardDeviation: Double, difference: Double, alpha: Double = 0.05, power: Double = 0.8, tuning: Double? = 5_000,
    comparisons: Int = 1
  ) throws(StatisticsError) {
    let variance = standardDeviation * standardDeviation
    try self.init(
      variances: (variance, variance), difference: difference, alpha: alpha, power: power, tuning: tuning,
      comparisons: comparisons)
  }

  /// Plans an experiment on two shares of users.
  ///
  /// - Parameters:
  ///   - baseline: The share of the control, in 0...1.
  ///   - difference: The share of the treatment minus that of the control; that is the baseline times a relative
  ///     effect.
  ///   - alpha: The two-sided probability of finding a difference that does not exist.
  ///   - power: The probability of finding a difference that exists, above alpha.
  ///   - tuning: The tuning of the sequential test that decides, in users; nil for one look.
  ///   - comparisons: The number of comparisons that p-values are corrected for; the smallest of them must be under
  ///     alpha over their number, with Holm's method as with Bonferroni's.
  /// - Throws: ``StatisticsError`` if a number is out of its range, or the result exceeds the range of integers.
  package init(
    baseline: Double, difference: Double, alpha: Double = 0.05, power: Double = 0.8, tuning: Double? = 5_000,
    comparisons: Int = 1
  ) throws(StatisticsError) {
    let treatment = baseline + difference
    try StatisticsError.check(baseline, "baseline", is: "0 to 1") { (0...1).contains($0) }
    try StatisticsError.check(treatment, "baseline + difference", is: "0 to 1") { (0...1).contains($0) }
    try self.init(
      variances: (baseline * (1 - baseline), treatment * (1 - treatment)), difference: difference, alpha: alpha,
      power: power, tuning: tuning, comparisons: comparisons)
  }

  private init(
    variances: (control: Double, treatment: Double), difference: Double, alpha: Double, power: Double,
    tuning: Double?, comparisons: Int
  ) throws(StatisticsError) {
    try StatisticsError.check(difference, "difference", is: "a finite number other than 0") { $0 != 0 }
    try StatisticsError.check(alpha, "alpha", is: "above 0 and under 1") { $0 > 0 && $0 < 1 }
    try StatisticsError.check(power, "power", is: "above alpha and under 1") { $0 > alpha && $0 < 1 }
    for (group, variance) in [(ExperimentGroup.control, variances.control), (.treatment, variances.treatment)] {
      try StatisticsError.check(variance, "variance of \(group)", is: "a finite number of at least 0") { $0 >= 0 }
    }
    if let tuning { try StatisticsError.check(tuning, "tuning", is: "a finite number above 0") { $0 > 0 } }
    let variance = variances.control + variances.treatment
    let test = tuning.map { SequentialTest(alpha: alpha, tuning: $0) }
    try StatisticsError.check(Double(comparisons), "comparisons", is: "at least 1") { $0 >= 1 }
    exact = Self.users(test, level: alpha / Double(comparisons), power: power) {
      $0 / difference * $0 / difference * variance
    }
    guard exact > 0 else {
      throw StatisticsError(.noVariance, "both groups", "any number of users finds the difference")
    }
    guard let users = Int(exactly: exact.rounded(.up)) else {
      throw StatisticsError(.notFinite, "users", "\(exact) of each group, more than can be counted")
    }
    perGroup = max(2, users)
  }

  /// Returns the users of a group, from a function of the standard errors that the difference must have.
  private static func users(
    _ test: SequentialTest?, level: Double, power: Double, _ needed: (_ standardErrors: Double) -> Double
  ) -> Double {
    let normal = NormalDistribution()
    let (fixed, margin) = (normal.quantile(upperTail: level / 2), normal.quantile(lowerTail: power))
    let least = needed(fixed + margin)
    guard let test else { return least }
    // The sequential critical value is larger, and grows slower than the number of standard errors that users make.
    func isEnough(_ users: Double) -> Bool {
      test.criticalValue(users: 2 * users, level: level).map { needed($0 + margin) <= users } ?? true
    }
    var (lower, upper) = (least, least)
    while upper.isFinite, upper > 0, !isEnough(upper) { (lower, upper) = (upper, 2 * upper) }
    for _ in 0..<60 where lower < upper && upper.isFinite {
      let middle = lower + (upper - lower) / 2
      if isEnough(middle) { upper = middle } else { lower = middle }
    }
    return upper
  }

  /// Returns the number of days until the smallest group has its users.
  ///
  /// - Parameters:
  ///   - usersPerDay: The number of users who enter the experiment per day, all groups together.
  ///   - share: The share of them that the smallest group gets: a half for two equal groups, a third for three.
  /// - Returns: The days, rounded up.
  /// - Throws: ``StatisticsError`` if a number is out of its range, or the result exceeds the range of integers.
  package func days(usersPerDay: Double, share: Double = 0.5) throws(StatisticsError) -> Int {
    try StatisticsError.check(usersPerDay, "usersPerDay", is: "a finite number above 0") { $0 > 0 }
    try StatisticsError.check(share, "share", is: "above 0 and at most 1") { $0 > 0 && $0 <= 1 }
    let days = Double(perGroup) / (usersPerDay * share)
    guard let days = Int(exactly: days.rounded(.up)) else {
      throw StatisticsError(.notFinite, "days", "\(days), more than can be counted")
    }
    return days
  }
}
