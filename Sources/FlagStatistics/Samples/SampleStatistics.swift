/// The sufficient statistics of a metric with a value for each user: count, sum and sum of squares.
///
/// Add users one by one, or the statistics of a partition of them; whatever the order and the partition, sums agree to
/// better than 1e-12 of themselves for ten million values, because each is kept with what rounding takes from it.
///
/// The variance is (sum of squares - sum^2 / n) / (n - 1). From plain sums that loses the digits that the mean and a
/// value have in common: with a mean of a million standard deviations, twelve of sixteen. The usual remedy is to shift
/// values by a constant near their mean before squaring. Here that is unnecessary for values that were added one by
/// one, since the sums have twice the digits. From another engine take mean and variance rather than sums where the
/// mean may be over a thousand standard deviations; a variance that plain sums do not tell from rounding counts as
/// none.
public struct SampleStatistics: SampleSummary, Hashable {
  /// How many users there are.
  public private(set) var count: Int
  private(set) var total: DoubleDouble
  private(set) var squares: DoubleDouble
  /// How much of the sum of squares may be rounding.
  private var relativeError: Double

  /// Creates the statistics of no users.
  public init() {
    (count, total, squares, relativeError) = (0, DoubleDouble(0), DoubleDouble(0), Self.errorOfOneAddition)
  }

  /// Creates the statistics of values, one for each user.
  public init(_ values: some Sequence<Double>) {
    self.init()
    for value in values { add(value) }
  }

  /// Creates statistics from aggregates that were computed elsewhere.
  ///
  /// - Parameters:
  ///   - count: How many users there are.
  ///   - sum: The sum of their values.
  ///   - sumOfSquares: The sum of the squares of their values.
  /// - Throws: ``StatisticsError`` where no values have such aggregates: a negative count, or less than sum^2 / count.
  public init(count: Int, sum: Double, sumOfSquares: Double) throws(StatisticsError) {
    try StatisticsError.check(Double(count), "count", is: "at least 0") { $0 >= 0 }
    try StatisticsError.check(sum, "sum", is: "a finite number, 0 without users") { count > 0 || $0 == 0 }
    let least = count > 0 ? sum / Double(count) * sum : 0
    try StatisticsError.check(sumOfSquares, "sumOfSquares", is: "at least sum^2 / count = \(least)") {
      $0 >= 0 && $0 >= least * (1 - 1e-9) && (count > 0 || $0 == 0)
    }
    (self.count, total, squares) = (count, DoubleDouble(sum), DoubleDouble(sumOfSquares))
    relativeError = Self.errorOfPlainSums * Double(count).squareRoot()
  }

  /// Creates statistics from a mean and a variance that were computed elsewhere.
  ///
  /// - Parameters:
  ///   - count: How many users there are, at least 1.
  ///   - mean: The mean of their values.
  ///   - variance: The variance of their values by n - 1, such as SQL's `VAR_SAMP`; 0 for one user.
  /// - Throws: ``StatisticsError`` where no values have such aggregates.
  public init(count: Int, mean: Double, variance: Double) throws(StatisticsError) {
    try StatisticsError.check(Double(count), "count", is: "at least 1") { $0 >= 1 }
    try StatisticsError.check(mean, "mean", is: "a finite number") { _ in true }
    try StatisticsError.check(variance, "variance", is: "a finite number of at least 0") { $0 >= 0 }
    self.init()
    self.count = count
    total = DoubleDouble(product: mean, Double(count))
    squares = total * DoubleDouble(mean) + DoubleDouble(product: variance, Double(count - 1))
  }
}

extension SampleStatistics {
  private static let errorOfOneAddition = 0x1p-104
  /// Of a sum whose additions each round, for the square root of their number.
  private static let errorOfPlainSums = 0x1p-50

  /// Adds a user's value.
  public mutating func add(_ value: Double) {
    count = count.addingSaturated(1)
    total += DoubleDouble(value)
    squares += DoubleDouble(product: value, value)
  }

  /// Adds the statistics of other users.
  public mutating func merge(_ other: Self) {
    count = count.addingSaturated(other.count)
    total += other.total
    squares += other.squares
    relativeError = max(relativeError, other.relativeError)
  }

  /// Returns the statistics of these users and other ones.
  public func merged(with other: Self) -> Self {
    var both = self
    both.merge(other)
    return both
  }

  /// The sum of all values.
  public var sum: Double { total.value }
  /// The sum of the squares of all values.
  public var sumOfSquares: Double { squares.value }
  /// The mean over the users, in the unit of the metric; NaN where there are none.
  public var mean: Double { exactMean.value }

  /// The variance between users by n - 1; 0 where the sums do not tell it from rounding, NaN for under two users.
  public var variance: Double {
    guard count > 1 else { return .nan }
    let centered = (squares - total * exactMean).value
    let error = max(relativeError, Self.errorOfOneAddition * Double(count)) * squares.value
    return centered <= error ? 0 : centered / Double(count - 1)
  }

  var exactMean: DoubleDouble { total / Double(count) }
}
