/// What an effect is estimated from: how many users a group has, and the mean and the variance of what they did.
public protocol SampleSummary: Sendable {
  /// How many users there are.
  var count: Int { get }
  /// The mean over the users, in the unit of the metric; NaN where there are none.
  var mean: Double { get }
  /// The variance between users, in the square of that unit; 0 where all values are equal, to rounding.
  var variance: Double { get }
  /// The mean before any adjustment, which relative effects are relative to.
  var unadjustedMean: Double { get }
  /// The variance before any adjustment.
  var unadjustedVariance: Double { get }
  /// The covariance of a user's adjusted and unadjusted values.
  var covarianceWithUnadjusted: Double { get }
}

extension SampleSummary {
  /// The mean itself, where nothing is adjusted.
  public var unadjustedMean: Double { mean }
  /// The variance itself, where nothing is adjusted.
  public var unadjustedVariance: Double { variance }
  /// The variance itself, where nothing is adjusted.
  public var covarianceWithUnadjusted: Double { variance }
}

/// One of the two groups of a comparison.
public enum ExperimentGroup: String, Sendable, CaseIterable {
  /// The group that the other one is compared with, A.
  case control
  /// The group with the change, B.
  case treatment
}

extension Int {
  /// The sum of two counts, or the greatest one where it is larger than that.
  func addingSaturated(_ other: Int) -> Int {
    let (sum, isOver) = addingReportingOverflow(other)
    return isOver ? .max : sum
  }
}
