/// The sufficient statistics of a metric with a value for each user: count, sum and sum of squares.
///
/// Add users one by one, or merge the statistics of partitions; for any order and partition, sums agree with a relative
/// difference below 1e-12 for ten million values, because each sum is stored with its rounding error.
///
/// The variance is (sum of squares - sum^2 / n) / (n - 1). From plain sums that loses the digits that the mean and a
/// value have in common: with a mean of a million standard deviations, twelve of sixteen. The usual remedy is to shift
/// values by a constant near their mean before squaring. Here that is unnecessary for values that were added one by
/// one, since the sums have twice the digits. From another engine use mean and variance rather than sums if the mean
/// may be over a thousand standard deviations; a variance from plain sums that cannot be distinguished from rounding
/// error counts as 0.
public struct SampleStatistics: SampleSummary, Hashable {
  /// The number of users.
  public private(set) var count: Int
  private(set) var total: DoubleDouble
  private(set) var squares: DoubleDouble
  /// The number of users with a value other than 0; nil if aggregates do not say.
  package private(set) var nonzeroCount: Int?
  /// The number of users with a value below 0; nil if aggregates do not say.
  package private(set) var negativeCount: Int?
  /// The fraction of the sum of squares that may be rounding error.
  private var relativeError: Double

  /// Creates the statistics of no users.
  public init() {
    (count, total, squares, relativeError) = (0, DoubleDouble(0), DoubleDouble(0), Self.errorOfOneAddition)
    (nonzeroCount, negativeCount) = (0, 0)
  }

  /// Creates the statistics of values, one for each user.
  public init(_ values: some Sequence<Double>) {
    self.init()
    for value in values { add(value) }
  }

  /// Creates statistics from aggregates that were computed elsewhere.
  ///
  /// - Parameters:
  ///   - count: The number of users.
  ///   - sum: The sum of their values.
  ///   - sumOfSquares: The sum of the squares of their values.
  ///   - nonzeroCount: The number of users with a value other than 0; nil if that is unknown.
  ///   - negativeCount: The number of users with a value below 0; nil if that is unknown.
  /// - Throws: ``StatisticsError`` if no values can have such aggregates: a negative count, or squares below sum^2 /
  ///   count.
  package init(
    count: Int, sum: Double, sumOfSquares: Double, nonzeroCount: Int? = nil, negativeCount: Int? = nil
  ) throws(StatisticsError) {
    try StatisticsError.check(Double(count), "count", is: "at least 0") { $0 >= 0 }
    try StatisticsError.check(sum, "sum", is: "a finite number, 0 without users") { count > 0 || $0 == 0 }
    let least = count > 0 ? sum / Double(count) * sum : 0
    try StatisticsError.check(sumOfSquares, "sumOfSquares", is: "at least sum^2 / count = \(least)") {
      $0 >= 0 && $0 >= least * (1 - 1e-9) && (count > 0 || $0 == 0)
    }
    (self.count, total, squares) = (count, DoubleDouble(sum), DoubleDouble(sumOfSquares))
    relativeError = Self.errorOfPlainSums * Double(count).squareRoot()
    for (name, users) in [("nonzeroCount", nonzeroCount), ("negativeCount", negativeCount)] {
      try StatisticsError.check(Double(users ?? 0), name, is: "0 to \(count)") { $0 >= 0 && $0 <= Double(count) }
    }
    let isZero = sumOfSquares == 0
    (self.nonzeroCount, self.negativeCount) = (isZero ? 0 : nonzeroCount, isZero ? 0 : negativeCount)
  }

  /// Creates statistics from a mean and a variance that were computed elsewhere.
  ///
  /// - Parameters:
  ///   - count: The number of users, at least 1.
  ///   - mean: The mean of their values.
  ///   - variance: The variance of their values with divisor n - 1, such as SQL's `VAR_SAMP`; 0 for one user.
  /// - Throws: ``StatisticsError`` if no values can have such aggregates.
  public init(count: Int, mean: Double, variance: Double) throws(StatisticsError) {
    try StatisticsError.check(Double(count), "count", is: "at least 1") { $0 >= 1 }
    try StatisticsError.check(mean, "mean", is: "a finite number") { _ in true }
    try StatisticsError.check(variance, "variance", is: "a finite number of at least 0") { $0 >= 0 }
    self.init()
    self.count = count
    total = DoubleDouble(product: mean, Double(count))
    squares = total * DoubleDouble(mean) + DoubleDouble(product: variance, Double(count - 1))
    (nonzeroCount, negativeCount) = mean == 0 && variance == 0 ? (0, 0) : (nil, nil)
  }

  private static let errorOfOneAddition = 0x1p-104
  /// The relative error of a sum that rounds at each addition, per square root of their number.
  private static let errorOfPlainSums = 0x1p-50

  /// Adds a user's value.
  public mutating func add(_ value: Double) {
    count = count.addingSaturated(1)
    total += DoubleDouble(value)
    squares += DoubleDouble(product: value, value)
    nonzeroCount = nonzeroCount?.addingSaturated(value == 0 ? 0 : 1)
    negativeCount = negativeCount?.addingSaturated(value < 0 ? 1 : 0)
  }

  /// Adds the statistics of other users.
  package mutating func merge(_ other: Self) {
    count = count.addingSaturated(other.count)
    total += other.total
    squares += other.squares
    relativeError = max(relativeError, other.relativeError)
    nonzeroCount = nonzeroCount.flatMap { own in other.nonzeroCount.map(own.addingSaturated) }
    negativeCount = negativeCount.flatMap { own in other.negativeCount.map(own.addingSaturated) }
  }

  /// Returns the merged statistics of these users and other ones.
  package func merged(with other: Self) -> Self {
    var both = self
    both.merge(other)
    return both
  }

  /// The sum of all values.
  package var sum: Double { total.value }
  /// The sum of the squares of all values.
  package var sumOfSquares: Double { squares.value }
  /// The mean over the users, in the unit of the metric; NaN without users.
  public var mean: Double { exactMean.value }

  /// The variance between users, with divisor n - 1; 0 if it cannot be distinguished from rounding error, NaN for fewer
  /// than two users.
  public var variance: Double {
    guard count > 1 else { return .nan }
    let centered = (squares - total * exactMean).value
    let error = max(relativeError, Self.errorOfOneAddition * Double(count)) * squares.value
    return centered <= error ? 0 : centered / Double(count - 1)
  }

  var exactMean: DoubleDouble { total / Double(count) }
}
