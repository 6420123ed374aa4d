/// A ratio of two sums over users, such as the revenue per order: the sum of all values over the number of all orders.
///
/// A user may contribute to both sums, and their number in a group is random, so that the variance is that of the delta
/// method (A. Deng, U. Knoblich, J. Lu, Applying the Delta Method in Metric Analytics, KDD 2018): with R the ratio,
/// that of (numerator - R denominator) / mean of the denominator. Effects are estimated from it as from any other
/// group.
package struct RatioStatistics: SampleSummary, Hashable {
  /// The number of users.
  package let count: Int
  /// The ratio of both sums; not finite if the denominator's sum is 0.
  package let mean: Double
  /// The variance between users of the linearized ratio; 0 if it cannot be distinguished from rounding error.
  package let variance: Double

  /// Creates the ratio of a numerator, the outcome of the statistics, over a denominator, their covariate.
  package init(_ sums: PairedStatistics) {
    let denominator = sums.covariate.mean
    let ratio = sums.outcome.mean / denominator
    let parts = sums.outcome.variance + ratio * ratio * sums.covariate.variance
    let linear = parts - 2 * ratio * sums.covariance
    (count, mean) = (sums.count, ratio)
    variance = linear <= parts * 0x1p-48 ? 0 : linear / (denominator * denominator)
  }
}
