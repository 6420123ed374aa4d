/// A test that variants have their planned shares of users: without it no other result can be trusted.
///
/// Pearson's chi-squared test. A mismatch means that users were lost or added for a reason that may depend on the
/// variant (A. Fabijan and others, Diagnosing Sample Ratio Mismatch in Online Controlled Experiments, KDD 2019). A
/// variant without weight uses no degree of freedom; if it has users all the same, that is a mismatch regardless of the
/// others.
package struct SampleRatioTest: Hashable, Sendable {
  /// Pearson's statistic over the variants with a weight.
  package let chiSquared: Double
  /// One less than the number of variants with a weight, at least 0.
  package let degreesOfFreedom: Int
  /// The p-value of the planned shares; 0 if a variant without a weight has users, and else 1 if no variant has any.
  package let pValue: Double
  /// The indices of variants without a weight that have users, in order.
  package let unexpected: [Int]
  /// The p-value under which there is a mismatch.
  package let alpha: Double

  /// Tests the users of each variant against their planned shares.
  ///
  /// - Parameters:
  ///   - users: The number of users of each variant.
  ///   - weights: The planned share of each variant, in any unit.
  ///   - alpha: The p-value under which there is a mismatch. It is small because the test is done in each experiment
  ///     and at each look.
  /// - Throws: ``StatisticsError`` if the numbers of weights and variants differ, or a number is negative or not
  ///   finite.
  package init(users: [Int], weights: [Double], alpha: Double = 0.001) throws(StatisticsError) {
    guard users.count == weights.count else {
      throw StatisticsError(
        .invalidArgument, "weights", "\(weights.count), expected one for each of \(users.count) variants")
    }
    for (index, (count, weight)) in zip(users, weights).enumerated() {
      try StatisticsError.check(Double(count), "users[\(index)]", is: "at least 0") { $0 >= 0 }
      try StatisticsError.check(weight, "weights[\(index)]", is: "a finite number of at least 0") { $0 >= 0 }
    }
    self.alpha = alpha
    unexpected = users.indices.filter { weights[$0] == 0 && users[$0] > 0 }
    let cells = zip(users, weights).filter { $0.1 > 0 }.map { (users: Double($0.0), weight: $0.1) }
    let total = cells.reduce(0) { $0 + $1.users }
    // Weights are divided by the largest one first, so that their sum is finite.
    let largest = cells.map(\.weight).max() ?? 1
    let sum = cells.reduce(0) { $0 + $1.weight / largest }
    degreesOfFreedom = max(0, cells.count - 1)
    chiSquared =
      total == 0
      ? 0
      : cells.reduce(0) { statistic, cell in
        let expected = total * (cell.weight / largest / sum)
        let difference = cell.users - expected
        return difference == 0 ? statistic : statistic + difference / expected * difference
      }
    pValue =
      !unexpected.isEmpty
      ? 0
      : degreesOfFreedom == 0
        ? 1 : ChiSquaredDistribution(degreesOfFreedom: Double(degreesOfFreedom)).upperTail(at: chiSquared)
  }

  /// Whether there is a mismatch: the p-value is under alpha, or a variant without a weight has users.
  package var isMismatch: Bool { pValue < alpha || !unexpected.isEmpty }
}
