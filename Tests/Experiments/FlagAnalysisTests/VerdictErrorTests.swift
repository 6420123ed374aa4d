import FlagAnalysis
import FlagStatistics
import TestSupport
import Testing

/// How often experiments without an effect have a finding.
@Suite("Errors of verdicts", .computing)
struct VerdictErrorTests {
  private static let least = AnalysisSettings().leastConversions
  /// 5 % of so many experiments, and three standard errors.
  private static func limit(_ count: Int) -> Double { 0.05 + 3 * (0.05 * 0.95 / Double(count)).squareRoot() }

  /// Sizes of a variant, each 1.3 times the one before; in a thorough run 1.06 times, in a long one 1.03.
  private static var sizes: [Int] {
    let factor = Effort.isLong ? 1.03 : Effort.isThorough ? 1.06 : 1.6
    return Array(sequence(first: 50.0) { $0 < 10_000 ? min(10_000, $0 * factor) : nil }).map { Int($0) }
  }

  @Test(
    "Two equal shares differ by the p-value in at most 6 % of experiments, to no side in over 3.5 %",
    arguments: [0.005, 0.02, 0.05, 0.2], [1, 4, 9])
  func holdsForShares(share: Double, ratio: Int) throws {
    // The bounds are for groups of equal size, and hold for others, too.
    let errors = try Self.sizes.filter { ratio == 1 || $0 / ratio >= 50 }.map { size in
      try ShareErrors(treatment: size / ratio, control: size, share: share, least: Self.least)
    }
    let (both, side) = (errors.map { $0.up + $0.down }.max() ?? 1, errors.map { max($0.up, $0.down) }.max() ?? 1)
    #expect(both <= 0.06 && side <= 0.035)
  }

  @Test(
    "The sequential verdict about two equal shares is wrong at any of 12 looks in at most 5 % of experiments",
    arguments: [0.005, 0.02, 0.05, 0.2], [60, 240, 1_200, 4_800, 9_996])
  func holdsForSharesAtAnyLook(share: Double, users: Int) throws {
    let count = Effort.rounds(100, thorough: 3_000, long: 10_000)
    var generator = SeededGenerator(seed: UInt64(users))
    let sampler = BinomialSampler(users / 12, share)
    var (up, down) = (0, 0)
    for _ in 0..<count {
      var (control, treatment) = (0, 0)
      for look in 1...12 {
        control += sampler.draw(&generator)
        treatment += sampler.draw(&generator)
        guard control + treatment >= Self.least else { continue }
        let size = users / 12 * look
        let difference = try MeanDifference(
          of: ProportionStatistics(count: size, successes: treatment),
          over: ProportionStatistics(count: size, successes: control))
        guard SequentialTest().pValue(of: difference) < 0.05 else { continue }
        if treatment > control { up += 1 } else { down += 1 }
        break
      }
    }
    #expect(Double(up + down) <= Self.limit(count) * Double(count))
  }

  private static let spending: [Spending] = {
    let kinds: [(Double, Double)] = [(0.02, 1), (0.02, 2), (0.05, 1.5), (0.2, 1), (0.2, 2), (1, 1), (1, 1.5)]
    return kinds.flatMap { (share: Double, deviation: Double) -> [Spending] in
      [60, 240, 1_200, 4_800].map { Spending(share: share, deviation: deviation, users: $0) }
    }
    .filter { $0.share * Double($0.users) <= 1_200 }
  }()

  @Test(
    "Means of lognormal amounts and zeros differ in at most 5 %, at the end and at any of 12 looks",
    arguments: spending)
  func holdsForMeans(spending: Spending) throws {
    let count = Effort.rounds(20, thorough: 3_000, long: 10_000)
    var generator = SeededGenerator(seed: UInt64(spending.users))
    let (sampler, amounts) = (BinomialSampler(spending.users / 12, spending.share), spending.amounts)
    func spend(_ group: inout Group) {
      let payers = spending.share == 1 ? spending.users / 12 : sampler.draw(&generator)
      group.users += spending.users / 12
      group.payers += payers
      for _ in 0..<payers {
        let amount = amounts[Int(generator.next() >> 52)]
        group.sum += amount
        group.squares += amount * amount
      }
    }
    var (fixed, sequential) = (0, 0)
    for _ in 0..<count {
      var (control, treatment) = (Group(), Group())
      var isFound = false
      for look in 1...12 {
        spend(&control)
        spend(&treatment)
        guard control.payers + treatment.payers >= Self.least else { continue }
        let difference = try MeanDifference(of: treatment.statistics, over: control.statistics)
        if SequentialTest().pValue(of: difference) < 0.05 { isFound = true }
        if look == 12, difference.pValue < 0.05 { fixed += 1 }
      }
      if isFound { sequential += 1 }
    }
    #expect(Double(max(fixed, sequential)) <= Self.limit(count) * Double(count))
  }

  private struct Group {
    var (users, payers, sum, squares) = (0, 0, 0.0, 0.0)

    var statistics: SampleStatistics {
      get throws { try SampleStatistics(count: users, sum: sum, sumOfSquares: squares) }
    }
  }
}

/// The exact probabilities that two equal shares of users are found to differ, to either side.
private struct ShareErrors {
  private(set) var up = 0.0
  private(set) var down = 0.0

  /// Enumerates all counts of conversions whose probability is worth a mention.
  ///
  /// The more conversions control has, the more the treatment needs to be found better, so that one pass finds all
  /// limits.
  init(treatment users: Int, control others: Int, share: Double, least: Int) throws {
    let (treatment, control) = (BinomialSampler(users, share), BinomialSampler(others, share))
    var sums = [0.0]
    for probability in treatment.probabilities { sums.append(sums[sums.count - 1] + probability) }
    func isFound(_ successes: Int, _ other: Int, better: Bool) throws -> Bool {
      let (one, two) = (successes * others, other * users)
      guard better ? one > two : one < two, successes + other > 0 else { return false }
      let difference = try MeanDifference(
        of: ProportionStatistics(count: users, successes: successes),
        over: ProportionStatistics(count: others, successes: other))
      return difference.pValue < 0.05
    }
    let end = treatment.probabilities.count
    var (better, worse) = (0, 0)
    for (index, probability) in control.probabilities.enumerated() {
      let other = control.first + index
      while better < end, try !isFound(treatment.first + better, other, better: true) { better += 1 }
      while worse < end, try isFound(treatment.first + worse, other, better: false) { worse += 1 }
      // With fewer conversions there is no verdict.
      let allowed = Double(least) / 2 * Double(users + others) / Double(min(users, others))
      let first = min(end, max(0, Int(allowed.rounded(.up)) - other - treatment.first))
      up += probability * (sums[end] - sums[max(first, better)])
      down += probability * (sums[max(first, worse)] - sums[first])
    }
  }
}
