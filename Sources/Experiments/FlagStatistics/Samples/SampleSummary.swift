/// The input for estimating an effect: the number of users in a group, and the mean and variance of their values.
public protocol SampleSummary: Sendable {
  /// The number of users.
  var count: Int { get }
  /// The mean over the users, in the unit of the metric; NaN without users.
  var mean: Double { get }
  /// The variance between users, in the square of that unit; 0 if all values are equal, up to rounding.
  var variance: Double { get }
  /// The mean before any adjustment, the baseline of relative effects.
  var unadjustedMean: Double { get }
  /// The variance before any adjustment.
  var unadjustedVariance: Double { get }
  /// The covariance of a user's adjusted and unadjusted values.
  var covarianceWithUnadjusted: Double { get }
}

extension SampleSummary {
  /// The mean itself, for a group without adjustment.
  public var unadjustedMean: Double { mean }
  /// The variance itself, for a group without adjustment.
  public var unadjustedVariance: Double { variance }
  /// The variance itself, for a group without adjustment.
  public var covarianceWithUnadjusted: Double { variance }
}

/// One of the two groups of a comparison.
package enum ExperimentGroup: String, Sendable, CaseIterable {
  /// The group that the other one is compared with, A.
  case control
  /// The group with the change, B.
  case treatment
}

extension Int {
  /// Returns the sum of two counts, clamped to the greatest integer.
  package func addingSaturated(_ other: Int) -> Int {
    let (sum, isOver) = addingReportingOverflow(other)
    return isOver ? .max : sum
  }
}
