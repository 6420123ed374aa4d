import FlagStatistics
import TestSupport
import Testing

@Suite("Samples", .computing)
struct SampleTests {
  @Test("The sum of millions of values is right to the last digit, however they are partitioned")
  func sumsManyValues() {
    let count = Effort.rounds(500_000, thorough: 10_000_000)
    var parts = [SampleStatistics](repeating: SampleStatistics(), count: 7)
    for user in 0..<count { parts[user * 13 % 7].add(0.1) }
    let whole = parts.reduce(SampleStatistics()) { $0.merged(with: $1) }
    #expect(whole.count == count)
    #expect(whole.sum == 0.1 * Double(count))
    #expect(whole.sumOfSquares.isClose(to: 0.1 * 0.1 * Double(count), within: 3e-16))
    #expect(whole.variance == 0)
  }

  @Test("Statistics of partitions, merged in any order, are those of the whole", arguments: [1, 2, 3] as [UInt64])
  func merges(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let values = (0..<3_000).map { _ in generator.normal(mean: 1e6) * (generator.uniform() < 0.01 ? 1e8 : 1) }
    let whole = SampleStatistics(values)
    var parts = [SampleStatistics](repeating: SampleStatistics(), count: 20)
    for value in values { parts[Int(generator.next() % 20)].add(value) }
    parts.shuffle(using: &generator)
    let merged = parts.reduce(SampleStatistics()) { $0.merged(with: $1) }
    #expect(merged.count == whole.count)
    #expect(merged.sum.isClose(to: whole.sum, within: 1e-15))
    #expect(merged.sumOfSquares.isClose(to: whole.sumOfSquares, within: 1e-15))
    #expect(merged.variance.isClose(to: whole.variance, within: 1e-15))
  }

  @Test("Pairs and proportions of partitions are those of the whole, too")
  func mergesOthers() {
    var generator = SeededGenerator(seed: 4)
    var (whole, parts) = (PairedStatistics(), [PairedStatistics](repeating: PairedStatistics(), count: 5))
    var (share, shares) = (ProportionStatistics(), [ProportionStatistics](repeating: ProportionStatistics(), count: 5))
    for user in 0..<1_000 {
      let (value, before) = (generator.normal(mean: 10), generator.normal(mean: 1e5))
      whole.add(outcome: value, covariate: before)
      parts[user % 5].add(outcome: value, covariate: before)
      share.add(value > 10)
      shares[user % 5].add(value > 10)
    }
    let merged = parts.reduce(PairedStatistics()) { $0.merged(with: $1) }
    #expect(merged.count == whole.count)
    #expect(merged.sumOfProducts.isClose(to: whole.sumOfProducts, within: 1e-15))
    #expect(merged.covariance.isClose(to: whole.covariance, within: 1e-12))
    #expect(shares.reduce(ProportionStatistics()) { $0.merged(with: $1) } == share)
  }

  @Test("A variance that is small beside the mean keeps its digits", arguments: [0, 1e3, 1e6, 1e9, 1e12, -1e12])
  func keepsVariance(mean: Double) throws {
    let sample = SampleStatistics((0..<9_000).map { mean + Double($0 % 3 - 1) })
    #expect(sample.variance.isClose(to: 6_000.0 / 8_999, within: 1e-14))
    let restored = try SampleStatistics(count: sample.count, mean: sample.mean, variance: sample.variance)
    #expect(restored.variance.isClose(to: sample.variance, within: 1e-14))
    #expect(restored.merged(with: sample).variance.isClose(to: 12_000.0 / 17_999, within: 1e-14))
  }

  @Test("Equal values have no variance, added one by one or as plain sums", arguments: [0, 0.1, -3.3, 1e-30, 1e30, 7])
  func seesEqualValues(value: Double) throws {
    let sample = SampleStatistics(repeatElement(value, count: 1_001))
    #expect(sample.variance == 0)
    let plain = (0..<1_001).reduce(0.0) { sum, _ in sum + value }
    let squares = value * plain
    #expect(try SampleStatistics(count: 1_001, sum: plain, sumOfSquares: squares).variance == 0)
  }

  @Test("The mean and variance of no user, and the variance of one, are not numbers")
  func needsUsers() {
    #expect(SampleStatistics().mean.isNaN && SampleStatistics().variance.isNaN && ProportionStatistics().mean.isNaN)
    #expect(SampleStatistics([2]).mean == 2 && SampleStatistics([2]).variance.isNaN)
    #expect(PairedStatistics().covariance.isNaN)
  }

  @Test("Aggregates that no values have are rejected, by name")
  func rejectsAggregates() {
    for (subject, code, make) in Self.impossible {
      do throws(StatisticsError) {
        try make()
        Issue.record("accepted an impossible \(subject)")
      } catch {
        #expect((error.subject, error.code) == (subject, code), "\(error)")
      }
    }
  }

  @Test("Counts end at the greatest one")
  func saturates() throws {
    var users = try ProportionStatistics(count: .max, successes: .max)
    users.merge(users)
    users.add(true)
    #expect(users.count == .max && users.mean == 1)
    var sample = try SampleStatistics(count: .max, sum: 1, sumOfSquares: 1)
    sample.merge(sample)
    sample.add(1)
    #expect(sample.count == .max)
  }

  private static let impossible: [(String, StatisticsError.Code, @Sendable () throws(StatisticsError) -> Void)] = [
    (
      "count", .invalidArgument,
      { () throws(StatisticsError) in _ = try SampleStatistics(count: -1, sum: 0, sumOfSquares: 0) }
    ),
    (
      "sum", .invalidArgument,
      { () throws(StatisticsError) in _ = try SampleStatistics(count: 0, sum: 1, sumOfSquares: 1) }
    ),
    (
      "sum", .invalidArgument,
      { () throws(StatisticsError) in _ = try SampleStatistics(count: 2, sum: .nan, sumOfSquares: 1) }
    ),
    (
      "sumOfSquares", .invalidArgument,
      { () throws(StatisticsError) in _ = try SampleStatistics(count: 2, sum: 4, sumOfSquares: 7.9) }
    ),
    (
      "sumOfSquares", .invalidArgument,
      { () throws(StatisticsError) in _ = try SampleStatistics(count: 2, sum: 4, sumOfSquares: .infinity) }
    ),
    (
      "variance", .invalidArgument,
      { () throws(StatisticsError) in _ = try SampleStatistics(count: 2, mean: 4, variance: -1) }
    ),
    (
      "count", .invalidArgument,
      { () throws(StatisticsError) in _ = try SampleStatistics(count: 0, mean: 0, variance: 0) }
    ),
    (
      "count", .invalidArgument,
      { () throws(StatisticsError) in _ = try ProportionStatistics(count: -1, successes: -1) }
    ),
    (
      "successes", .invalidArgument,
      { () throws(StatisticsError) in _ = try ProportionStatistics(count: 2, successes: 3) }
    ),
    (
      "successes", .invalidArgument,
      { () throws(StatisticsError) in _ = try ProportionStatistics(count: 2, successes: -1) }
    ),
    (
      "covariate", .invalidArgument,
      { () throws(StatisticsError) in
        _ = try PairedStatistics(outcome: SampleStatistics([1]), covariate: SampleStatistics(), sumOfProducts: 0)
      }
    ),
    (
      "sumOfProducts", .invalidArgument,
      { () throws(StatisticsError) in
        _ = try PairedStatistics(outcome: SampleStatistics(), covariate: SampleStatistics(), sumOfProducts: .nan)
      }
    ),
  ]
}
