import FlagStatistics
import TestSupport
import Testing

@Suite("Distributions")
struct DistributionTests {
  // Figures of mpmath, with 60 digits.
  @Test(
    "Tails keep their digits down to 1e-300",
    arguments: [
      Tail(NormalDistribution(), 20, 2.753_624_118_606_233_7e-89),
      Tail(NormalDistribution(), 37, 5.725_571_222_524_576_8e-300),
      Tail(NormalDistribution(mean: 1, standardDeviation: 2), 75, 5.725_571_222_524_576_8e-300),
      Tail(StudentTDistribution(degreesOfFreedom: 1), 2e299, 1.591_549_430_918_953_3e-300),
      Tail(StudentTDistribution(degreesOfFreedom: 1.7), 1e176, 2.633_392_344_824_136_9e-300),
      Tail(StudentTDistribution(degreesOfFreedom: 8), 1e37, 5.600_000_000_000_002_1e-294),
      Tail(StudentTDistribution(degreesOfFreedom: 29.5), 0.001, 0.499_604_423_728_078),
      Tail(StudentTDistribution(degreesOfFreedom: 200), 350, 4.663_867_705_175_223_6e-281),
      Tail(StudentTDistribution(degreesOfFreedom: 12_345.6), 20, 6.672_200_498_923_496_7e-88),
      Tail(StudentTDistribution(degreesOfFreedom: 2e6), 37, 7.238_743_231_737_504_9e-300),
      Tail(StudentTDistribution(degreesOfFreedom: .infinity), 37, 5.725_571_222_524_576_8e-300),
      Tail(ChiSquaredDistribution(degreesOfFreedom: 1), 1_370, 6.942_937_364_643_267_7e-300),
      Tail(ChiSquaredDistribution(degreesOfFreedom: 9), 1_400, 7.730_994_243_999_156_4e-296),
      Tail(ChiSquaredDistribution(degreesOfFreedom: 100), 1_700, 4.294_041_177_944_944_1e-289),
    ])
  func computesTails(tail: Tail) {
    let found = tail.distribution.upperTail(at: tail.x)
    #expect(found.isClose(to: tail.probability, within: 1e-12), "\(found), expected \(tail.probability)")
  }

  @Test("The normal distribution is symmetric, and has the density as the slope of its tails")
  func isSymmetric() {
    let distribution = NormalDistribution()
    for x in Double.extremes where !x.isNaN {
      #expect(distribution.lowerTail(at: -x) == distribution.upperTail(at: x))
      #expect(distribution.density(at: -x) == distribution.density(at: x))
      #expect(distribution.quantile(lowerTail: 0x1p-20) == -distribution.quantile(upperTail: 0x1p-20))
    }
    for step in -100...100 {
      let x = Double(step) / 10
      let slope = (distribution.upperTail(at: x - 1e-4) - distribution.upperTail(at: x + 1e-4)) / 2e-4
      #expect((slope - distribution.density(at: x)).magnitude < 1e-6, "\(x)")
      #expect((distribution.upperTail(at: x) + distribution.lowerTail(at: x) - 1).magnitude < 1e-14, "\(x)")
    }
  }

  @Test("Tails fall with x, from one to zero", arguments: all)
  func isConsistent(named: Named) {
    let distribution = named.distribution
    var last = distribution.upperTail(at: -.infinity)
    #expect(last == 1)
    for step in -200...400 {
      let x = named.center + Double(step) / 10 * named.unit
      let tail = distribution.upperTail(at: x)
      #expect(tail <= last, "\(x)")
      last = tail
    }
    #expect(distribution.upperTail(at: .infinity) == 0)
  }

  @Test("A quantile's tail is the probability that it was asked for", arguments: symmetric)
  func findsQuantiles(named: Named) throws {
    var generator = SeededGenerator(seed: 1)
    let distribution = try #require(named.distribution as? any Quantiled)
    for _ in 0..<100 {
      let probability = 1 / (2 + generator.uniform(1..<300_000_000)) * (generator.uniform() < 0.5 ? 1 : 1e-250)
      let point = distribution.quantile(upperTail: probability)
      if point.isFinite { #expect(distribution.upperTail(at: point).isClose(to: probability, within: 1e-9)) }
    }
    #expect(distribution.quantile(upperTail: 1 - 0x1p-20).isClose(to: -distribution.quantile(upperTail: 0x1p-20)))
    #expect(distribution.quantile(upperTail: 0) == .infinity && distribution.quantile(upperTail: 1) == -.infinity)
  }

  @Test("A quantile past the greatest number is infinite")
  func overflows() {
    #expect(StudentTDistribution(degreesOfFreedom: 0.3).quantile(upperTail: 1e-300) == .infinity)
  }

  @Test("Every number has an answer: a probability, or NaN", arguments: Double.extremes)
  func neverTraps(parameter: Double) {
    let distributions: [any Tailed] = [
      NormalDistribution(standardDeviation: parameter), NormalDistribution(mean: parameter),
      StudentTDistribution(degreesOfFreedom: parameter), ChiSquaredDistribution(degreesOfFreedom: parameter),
    ]
    for distribution in distributions {
      for x in Double.extremes {
        let tail = distribution.upperTail(at: x)
        #expect(tail.isNaN || (0...1).contains(tail), "\(distribution) at \(x)")
        let quantile = (distribution as? any Quantiled)?.quantile(upperTail: x)
        if !(0...1).contains(x) { #expect(quantile?.isNaN ?? true) }
      }
    }
    for normal in [NormalDistribution(standardDeviation: parameter), NormalDistribution(mean: parameter)] {
      for x in Double.extremes {
        #expect(normal.lowerTail(at: x).isNaN || (0...1).contains(normal.lowerTail(at: x)))
        #expect(!(normal.density(at: x) < 0))
        if !(0...1).contains(x) { #expect(normal.quantile(lowerTail: x).isNaN) }
      }
    }
  }

  @Test("Impossible parameters give NaN", arguments: [-1, 0, -Double.infinity, .nan])
  func rejectsParameters(parameter: Double) {
    #expect(NormalDistribution(standardDeviation: parameter).upperTail(at: 1).isNaN)
    #expect(StudentTDistribution(degreesOfFreedom: parameter).upperTail(at: 1).isNaN)
    #expect(StudentTDistribution(degreesOfFreedom: parameter).quantile(upperTail: 0.1).isNaN)
    #expect(ChiSquaredDistribution(degreesOfFreedom: parameter).upperTail(at: 1).isNaN)
  }

  struct Tail: Sendable, CustomTestStringConvertible {
    let distribution: any Tailed
    let x: Double
    let probability: Double

    init(_ distribution: any Tailed, _ x: Double, _ probability: Double) {
      (self.distribution, self.x, self.probability) = (distribution, x, probability)
    }

    var testDescription: String { "\(distribution) at \(x)" }
  }

  struct Named: Sendable, CustomTestStringConvertible {
    let distribution: any Tailed
    var center = 0.0
    var unit = 1.0

    var testDescription: String { "\(distribution)" }
  }

  static let symmetric =
    [Named(distribution: NormalDistribution())]
    + [0.3, 1, 2, 7.5, 60, 1e4, 1e12, 1e30].map { Named(distribution: StudentTDistribution(degreesOfFreedom: $0)) }

  static let all =
    symmetric
    + [0.7, 1, 2, 3, 31, 33, 400, 1e6].map {
      Named(distribution: ChiSquaredDistribution(degreesOfFreedom: $0), center: $0, unit: (2 * $0).squareRoot())
    }
}

/// A distribution whose upper tail is known.
protocol Tailed: Sendable {
  func upperTail(at x: Double) -> Double
}

/// A distribution whose quantiles are known, too.
protocol Quantiled: Tailed {
  func quantile(upperTail probability: Double) -> Double
}

extension NormalDistribution: Quantiled {}
extension StudentTDistribution: Quantiled {}
extension ChiSquaredDistribution: Tailed {}
