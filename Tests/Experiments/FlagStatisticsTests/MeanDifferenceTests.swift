import FlagStatistics
import TestSupport
import Testing

@Suite("Differences of means", .computing)
struct MeanDifferenceTests {
  @Test("Swapped groups have the same p-values, and differences of opposite sign")
  func isAntisymmetric() throws {
    for pair in Pair.random(Effort.rounds(500, thorough: 3_000, long: 10_000)) {
      guard let (one, two) = try pair.differences else { continue }
      #expect(one.value == -two.value && one.pValue == two.pValue && one.standardError == two.standardError)
      #expect(SequentialTest().pValue(of: one) == SequentialTest().pValue(of: two))
      #expect((one.effect(on: .relative) > 0) == (two.effect(on: .relative) < 0))
    }
  }

  @Test("An interval excludes zero exactly if its test finds a difference", arguments: MeanDifference.Scale.allCases)
  func agrees(scale: MeanDifference.Scale) throws {
    for pair in Pair.random(Effort.rounds(200, thorough: 3_000, long: 10_000)) {
      guard let (one, two) = try pair.differences else { continue }
      for difference in [one, two] {
        for alpha in [0.05, 1e-4] {
          let interval = try #require(difference.confidenceInterval(on: scale, alpha: alpha))
          #expect((difference.pValue < alpha) == !interval.contains(0), "\(difference): \(interval)")
          let test = SequentialTest(alpha: alpha)
          let sequential = try #require(test.confidenceInterval(of: difference, on: scale))
          #expect((test.pValue(of: difference) < alpha) == !sequential.contains(0), "\(difference): \(sequential)")
          #expect(interval.lower <= difference.effect(on: scale) && difference.effect(on: scale) <= interval.upper)
          #expect(test.pValue(of: difference) >= 2 * NormalDistribution().upperTail(at: difference.statistic.magnitude))
          // Of a few users the t distribution demands more than the sequential test, which holds as they grow.
          if difference.degreesOfFreedom > 20 {
            #expect(sequential.lower <= interval.lower && interval.upper <= sequential.upper)
          }
        }
      }
    }
  }

  @Test("At the ends of an interval the difference is as far away as the test allows")
  func endsAtCriticalValues() throws {
    let shares = try MeanDifference(
      of: ProportionStatistics(count: 900, successes: 130), over: ProportionStatistics(count: 500, successes: 50))
    var generator = SeededGenerator(seed: 4)
    let means = try MeanDifference(of: generator.sample(30, mean: 6), over: generator.sample(20, mean: 5))
    for difference in [shares, means] {
      let critical = StudentTDistribution(degreesOfFreedom: difference.degreesOfFreedom).quantile(upperTail: 0.025)
      for scale in MeanDifference.Scale.allCases {
        let interval = try #require(difference.confidenceInterval(on: scale))
        #expect(difference.statistic(against: interval.lower, on: scale).isClose(to: critical, within: 1e-9))
        #expect(difference.statistic(against: interval.upper, on: scale).isClose(to: -critical, within: 1e-9))
      }
    }
  }

  @Test("Shares are compared by the pooled test, also if one group has no success or only successes")
  func comparesShares() throws {
    for (a, b) in [(9, 1), (1, 9), (0, 30), (100, 80), (40, 41)] {
      let difference = try MeanDifference(
        of: ProportionStatistics(count: 100, successes: b), over: ProportionStatistics(count: 100, successes: a))
      let pooled = Double(a + b) / 200
      #expect(difference.standardError.isClose(to: (pooled * (1 - pooled) / 50).squareRoot()))
      #expect(difference.degreesOfFreedom == .infinity)
    }
    let nothing = try ProportionStatistics(count: 100, successes: 0)
    let some = try ProportionStatistics(count: 100, successes: 30)
    let gain = try MeanDifference(of: some, over: nothing)
    #expect(gain.effect(on: .relative) == .infinity)
    let gained = try #require(gain.confidenceInterval(on: .relative))
    #expect(gained.lower > 5 && gained.upper == .infinity)
    let loss = try MeanDifference(of: nothing, over: some)
    let lost = try #require(loss.confidenceInterval(on: .relative))
    #expect(loss.effect(on: .relative) == -1 && lost.lower == -1 && lost.upper < -0.8)
  }

  @Test("A ratio of shares has the interval that the literature gives")
  func matchesLiterature() throws {
    // Koopman's example: 36 of 40 against 16 of 80 has the ratio 4.5, from 2.94 to 7.15.
    let difference = try MeanDifference(
      of: ProportionStatistics(count: 40, successes: 36), over: ProportionStatistics(count: 80, successes: 16))
    let interval = try #require(difference.confidenceInterval(on: .relative))
    #expect(
      (interval.lower + 1 - 2.94).magnitude < 0.005 && (interval.upper + 1 - 7.15).magnitude < 0.005, "\(interval)")
  }

  @Test("A metric that cannot be negative is at least -100 %, and one over a baseline near zero is unbounded")
  func boundsRelativeEffects() throws {
    let control = try SampleStatistics(count: 50, mean: 1, variance: 30)
    let treatment = try SampleStatistics(count: 50, mean: 1.2, variance: 30)
    let unknown = try MeanDifference(of: treatment, over: control)
    #expect(unknown.confidenceInterval(on: .relative) == .unbounded)
    let spent = try MeanDifference(of: treatment, over: control, isNonnegative: true)
    #expect(spent.confidenceInterval(on: .relative) == ConfidenceInterval(lower: -1, upper: .infinity))
    // The difference is certain, and so is the sign of the relative effect, but not its size.
    let more = try MeanDifference(of: SampleStatistics(count: 50, mean: 9, variance: 30), over: control)
    let above = try #require(more.confidenceInterval(on: .relative))
    #expect(above.lower > 0 && above.upper == .infinity)
    let less = try MeanDifference(of: SampleStatistics(count: 50, mean: -9, variance: 30), over: control)
    let below = try #require(less.confidenceInterval(on: .relative))
    #expect(below.upper < 0 && below.lower == -.infinity)
  }

  @Test("Nothing is relative to a control's mean of 0: there is no interval beside a difference that is found")
  func hasNoIntervalOverZero() throws {
    let treatment = try SampleStatistics(count: 1_000, mean: 5, variance: 4)
    for control in [SampleStatistics(Array(repeating: 0, count: 1_000)), SampleStatistics([-1, 1, -1, 1])] {
      let difference = try MeanDifference(of: treatment, over: control)
      #expect(difference.pValue < 0.05 && difference.confidenceInterval(on: .relative) == nil)
      #expect(SequentialTest().confidenceInterval(of: difference, on: .relative) == nil)
      #expect(try #require(difference.confidenceInterval(on: .absolute)).lower > 0)
    }
  }

  @Test("With as many more users as are said to be needed a difference is found, and with fewer it is not")
  func needsUsers() throws {
    let (mean, variance, users) = (1.02, 0.25, 400)
    func difference(_ users: Int) throws -> MeanDifference {
      try MeanDifference(
        of: SampleStatistics(count: users, mean: mean, variance: variance),
        over: SampleStatistics(count: users, mean: 1, variance: variance))
    }
    let (now, test) = (try difference(users), SequentialTest())
    for (factor, p) in [
      (now.neededUsers(level: 0.05), { $0.pValue }), (test.neededUsers(of: now, level: 0.05), { test.pValue(of: $0) }),
    ] as [(Double?, (MeanDifference) -> Double)] {
      let needed = Double(users) * (try #require(factor))
      #expect(try p(difference(Int(needed * 1.01))) < 0.05 && p(difference(Int(needed * 0.96))) > 0.05)
    }
    #expect(test.neededUsers(of: try difference(100_000), level: 0.05) == 1)
    #expect(now.neededUsers(level: 1e-300) == nil && now.neededUsers(level: 0) == nil)
    for (margin, verdict) in [(0.03, Guardrail.Verdict.held), (-0.06, .violated)] {
      let guardrail = Guardrail(margin: margin, tuning: 5_000)
      let needed = Double(users) * (try #require(guardrail.neededUsers(of: now, on: .absolute)))
      #expect(try guardrail.verdict(of: difference(Int(needed * 1.01)), on: .absolute) == verdict)
      #expect(try guardrail.verdict(of: difference(Int(needed * 0.96)), on: .absolute) == .undecided)
    }
  }

  @Test("Intervals of 95 % hold a difference in about 95 % of experiments")
  func coversDifferences() throws {
    var generator = SeededGenerator(seed: 5)
    let held = try Share(of: Effort.rounds(500, thorough: 2_000)) {
      let (a, b) = (generator.sample(30, mean: 5), generator.sample(20, mean: 5.5, deviation: 2))
      return try #require(MeanDifference(of: b, over: a).confidenceInterval(on: .absolute)).contains(0.5)
    }
    #expect(held.agrees(with: 0.95), "\(held)")
  }

  @Test("Relative intervals of 95 % hold the effect in about 95 % of experiments", arguments: [0.3, 1, 3])
  func covers(deviation: Double) throws {
    var generator = SeededGenerator(seed: 5)
    let held = try Share(of: Effort.rounds(500, thorough: 2_000)) {
      let (a, b) = (generator.sample(30, mean: 1, deviation: deviation), generator.sample(20, mean: 2, deviation: 2))
      return try #require(MeanDifference(of: b, over: a).confidenceInterval(on: .relative)).contains(1)
    }
    // Noise in the baseline of three times the baseline's size leaves most intervals unbounded.
    #expect(held.isAtLeast(0.94), "\(held)")
  }

  @Test("A guardrail with a relative margin is decided by its contrast, and agrees with its bound")
  func guards() throws {
    for pair in Pair.random(Effort.rounds(200, thorough: 3_000, long: 10_000)) {
      guard let (difference, _) = try pair.differences else { continue }
      for (improvement, tuning) in [(Improvement.increase, Double?.none), (.decrease, 5_000)] {
        let guardrail = Guardrail(margin: 0.1, improvement: improvement, tuning: tuning)
        let bound = guardrail.bound(of: difference, on: .relative)
        let isInside = improvement == .increase ? bound > -0.1 : bound < 0.1
        let isHeld = guardrail.verdict(of: difference, on: .relative) == .held
        // Without a clear baseline there is no bound, and the contrast may decide all the same.
        #expect(isHeld == isInside || isHeld && (bound.isInfinite || bound == -1), "\(difference) \(bound)")
      }
    }
  }

  @Test("Every aggregate has a difference of finite numbers, or a reason", arguments: Double.extremes)
  func neverTraps(mean: Double) throws {
    let usual = SampleStatistics([1, 2, 4])
    for variance in Double.extremes {
      for count in [Int.min, 0, 1, 2, .max] {
        do throws(StatisticsError) {
          let sample = try SampleStatistics(count: count, mean: mean, variance: variance)
          for difference in try [
            MeanDifference(of: sample, over: usual), MeanDifference(of: usual, over: sample),
            MeanDifference(of: sample, over: sample, isNonnegative: true),
          ] {
            #expect(difference.standardError > 0 && (0...1).contains(difference.pValue))
            #expect((0...1).contains(SequentialTest().pValue(of: difference)))
            #expect((0...1).contains(try PosteriorEffect(of: difference).chanceToWin()))
            for scale in MeanDifference.Scale.allCases {
              let interval = SequentialTest(alpha: 1e-300).confidenceInterval(of: difference, on: scale)
              #expect(interval.map { !$0.lower.isNaN && !$0.upper.isNaN } ?? (difference.baseline == 0))
              #expect(!difference.effect(on: scale).isNaN)
            }
          }
        } catch {
          #expect(!error.message.isEmpty)
        }
      }
    }
  }
}

/// Two groups with a metric that is a share, a mean, or a mean that is adjusted.
private enum Pair {
  case shares(ProportionStatistics, ProportionStatistics)
  case means(SampleStatistics, SampleStatistics)
  case adjusted(PairedStatistics, PairedStatistics)

  /// The difference, and that of the swapped groups; nil if there is none.
  var differences: (MeanDifference, MeanDifference)? {
    get throws {
      do throws(StatisticsError) {
        switch self {
        case .shares(let a, let b): return (try MeanDifference(of: b, over: a), try MeanDifference(of: a, over: b))
        case .means(let a, let b):
          return (
            try MeanDifference(of: b, over: a, isNonnegative: true),
            try MeanDifference(of: a, over: b, isNonnegative: true)
          )
        case .adjusted(let a, let b):
          let (one, two) = (
            CovariateAdjustment(control: a, treatment: b), CovariateAdjustment(control: b, treatment: a)
          )
          return (
            try MeanDifference(of: one.treatment, over: one.control),
            try MeanDifference(of: two.treatment, over: two.control)
          )
        }
      } catch {
        if error.code == .noVariance { return nil }
        throw error
      }
    }
  }

  static func random(_ count: Int) -> [Self] {
    var generator = SeededGenerator(seed: 26)
    return (0..<count).map { number in
      switch number % 3 {
      case 0: .shares(shares(&generator), shares(&generator))
      case 1: .means(values(&generator).outcome, values(&generator).outcome)
      default: .adjusted(values(&generator), values(&generator))
      }
    }
  }

  private static func shares(_ generator: inout SeededGenerator) -> ProportionStatistics {
    let count = Int.random(in: 2...400, using: &generator)
    let top = max(1, Int(Double(count) * generator.uniform()))
    return (0..<count).reduce(into: ProportionStatistics()) { sample, number in
      sample.add(number < Int.random(in: 0...top, using: &generator) / 2)
    }
  }

  private static func values(_ generator: inout SeededGenerator) -> PairedStatistics {
    let level = generator.uniform(0.1..<2)
    return (0..<Int.random(in: 5...40, using: &generator)).reduce(into: PairedStatistics()) { sample, _ in
      let before = max(0, generator.normal(mean: level, deviation: 2))
      sample.add(outcome: max(0, before / 2 + generator.normal(mean: level)), covariate: before)
    }
  }
}
