/// The check that variants have the shares of users that they were given: without it no other number counts.
///
/// Pearson's chi-squared test. A mismatch says that users were lost or added for a reason that may have to do with the
/// variant (A. Fabijan and others, Diagnosing Sample Ratio Mismatch in Online Controlled Experiments, KDD 2019). A
/// variant without weight takes no degree of freedom; one that has users all the same is a mismatch whatever the others
/// say.
public struct SampleRatioTest: Hashable, Sendable {
  /// Pearson's statistic over the variants with a weight.
  public let chiSquared: Double
  /// One less than the number of variants with a weight, at least 0.
  public let degreesOfFreedom: Int
  /// The p-value of the given shares, over the variants with a weight; 1 where they have no users.
  public let pValue: Double
  /// The variants without a weight that have users: their indices, in order.
  public let unexpected: [Int]
  /// The p-value under which there is a mismatch.
  public let alpha: Double

  /// Tests the numbers of users.
  ///
  /// - Parameters:
  ///   - users: How many users each variant has.
  ///   - weights: How many each was given, in any unit.
  ///   - alpha: The p-value under which there is a mismatch. It is small because the test is done in each experiment
  ///     and at each look.
  /// - Throws: ``StatisticsError`` where there are not as many weights as variants, or a number is negative or not
  ///   finite.
  public init(users: [Int], weights: [Double], alpha: Double = 0.001) throws(StatisticsError) {
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
    // Weights are taken over the largest one first, so that their sum is finite.
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
      degreesOfFreedom == 0
      ? 1 : ChiSquaredDistribution(degreesOfFreedom: Double(degreesOfFreedom)).upperTail(at: chiSquared)
  }
}

extension SampleRatioTest {
  /// Whether to sound the alarm: the p-value is under alpha, or a variant without weight has users.
  public var isMismatch: Bool { pValue < alpha || !unexpected.isEmpty }
}
