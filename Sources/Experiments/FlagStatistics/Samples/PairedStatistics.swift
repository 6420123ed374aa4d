/// The sufficient statistics of a metric and, for the same users, a covariate: usually the metric before the
/// experiment.
package struct PairedStatistics: Hashable, Sendable {
  /// The metric during the experiment.
  package private(set) var outcome: SampleStatistics
  /// The covariate: a value from before the experiment, which no variant can have changed.
  package private(set) var covariate: SampleStatistics
  private var products: DoubleDouble

  /// Creates the statistics of no users.
  package init() { (outcome, covariate, products) = (SampleStatistics(), SampleStatistics(), DoubleDouble(0)) }

  /// Creates statistics from aggregates that were computed elsewhere.
  ///
  /// - Parameters:
  ///   - outcome: The metric during the experiment.
  ///   - covariate: The covariate of the same users.
  ///   - sumOfProducts: The sum, over users, of the metric times the covariate.
  /// - Throws: ``StatisticsError`` if the counts of users differ, or the sum is not finite.
  package init(outcome: SampleStatistics, covariate: SampleStatistics, sumOfProducts: Double) throws(StatisticsError) {
    guard outcome.count == covariate.count else {
      throw StatisticsError(
        .invalidArgument, "covariate", "\(covariate.count) users, expected those of the outcome, \(outcome.count)")
    }
    try StatisticsError.check(sumOfProducts, "sumOfProducts", is: "a finite number") { _ in true }
    (self.outcome, self.covariate, products) = (outcome, covariate, DoubleDouble(sumOfProducts))
  }

  /// Adds a user's values.
  package mutating func add(outcome value: Double, covariate before: Double) {
    outcome.add(value)
    covariate.add(before)
    products += DoubleDouble(product: value, before)
  }

  /// Adds the statistics of other users.
  package mutating func merge(_ other: Self) {
    outcome.merge(other.outcome)
    covariate.merge(other.covariate)
    products += other.products
  }

  /// Returns the merged statistics of these users and other ones.
  package func merged(with other: Self) -> Self {
    var both = self
    both.merge(other)
    return both
  }

  /// The number of users.
  package var count: Int { outcome.count }
  /// The sum, over users, of the metric times the covariate.
  package var sumOfProducts: Double { products.value }

  /// The covariance of metric and covariate, with divisor n - 1; NaN for fewer than two users.
  package var covariance: Double {
    guard count > 1 else { return .nan }
    return (products - outcome.total * covariate.exactMean).value / Double(count - 1)
  }
}
