/// The sufficient statistics of a metric that a user either meets or not: the number of users, and of those who meet
/// it.
public struct ProportionStatistics: SampleSummary, Hashable {
  /// The number of users.
  public private(set) var count: Int
  /// The number of users who meet the metric, such as those who bought.
  public private(set) var successes: Int

  /// Creates the statistics of no users.
  public init() { (count, successes) = (0, 0) }

  /// Creates statistics from counts.
  ///
  /// - Throws: ``StatisticsError`` if there are more successes than users, or a count is negative.
  public init(count: Int, successes: Int) throws(StatisticsError) {
    guard count >= 0 else { throw StatisticsError(.invalidArgument, "count", "\(count), expected at least 0") }
    guard (0...count).contains(successes) else {
      throw StatisticsError(.invalidArgument, "successes", "\(successes), expected 0 to \(count), the count of users")
    }
    (self.count, self.successes) = (count, successes)
  }

  /// Adds a user.
  public mutating func add(_ isSuccess: Bool) {
    count = count.addingSaturated(1)
    successes = successes.addingSaturated(isSuccess ? 1 : 0)
  }

  /// Adds the statistics of other users.
  package mutating func merge(_ other: Self) {
    count = count.addingSaturated(other.count)
    successes = successes.addingSaturated(other.successes)
  }

  /// Returns the merged statistics of these users and other ones.
  package func merged(with other: Self) -> Self {
    var both = self
    both.merge(other)
    return both
  }

  /// The share of users who meet the metric; NaN without users.
  public var mean: Double { Double(successes) / Double(count) }

  /// The variance between users, m (1 - m); NaN without users.
  public var variance: Double { mean * (Double(count - successes) / Double(count)) }
}
