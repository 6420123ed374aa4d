import FlagStatistics
import TestSupport
import Testing

@Suite("Effects", .computing)
struct EffectTests {
  @Test("A question without an answer says why, and of which group", arguments: Unanswerable.all)
  func saysWhy(question: Unanswerable) {
    do throws(StatisticsError) {
      let effect = try question.ask()
      Issue.record("answered \(effect)")
    } catch {
      #expect((error.code, error.subject) == (question.code, question.subject), "\(error)")
    }
  }

  @Test("A reason reads as one line")
  func describesReasons() {
    let reason = StatisticsError(.tooFewUsers, "control", "1, expected at least 2")
    #expect("\(reason)" == "TOO_FEW_USERS (control): 1, expected at least 2")
  }

  @Test("An effect and its reverse differ in sign alone")
  func isAntisymmetric() throws {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<50 {
      let (a, b) = (generator.sample(20, mean: 3), generator.sample(30, mean: 4, deviation: 2))
      let (effect, reverse) = try (EffectEstimate(of: b, over: a), EffectEstimate(of: a, over: b))
      #expect(effect.value == -reverse.value && effect.pValue == reverse.pValue)
      #expect(effect.confidenceInterval().lower.isClose(to: -reverse.confidenceInterval().upper, within: 1e-14))
    }
  }

  @Test("A relative effect does not depend on the unit of the metric, but for the sign of a metric that is turned")
  func isScaleInvariant() throws {
    var generator = SeededGenerator(seed: 2)
    let values = (
      a: (0..<40).map { _ in generator.normal(mean: 5) }, b: (0..<40).map { _ in generator.normal(mean: 6) }
    )
    func effect(_ unit: Double) throws -> EffectEstimate {
      try EffectEstimate(
        of: SampleStatistics(values.b.map { $0 * unit }), over: SampleStatistics(values.a.map { $0 * unit }),
        scale: .relative)
    }
    let one = try effect(1)
    for unit in [1e-90, 1e-3, 1_000, 1e90] {
      #expect(try effect(unit).value.isClose(to: one.value))
      #expect(try effect(unit).standardError.isClose(to: one.standardError))
    }
    #expect(try effect(-1).value == -one.value && effect(-1).standardError == one.standardError)
  }

  @Test("A p-value is under alpha where the interval leaves 0 out", arguments: EffectEstimate.Scale.allCases)
  func agrees(scale: EffectEstimate.Scale) throws {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<200 {
      let (a, b) = (generator.sample(15, mean: 3), generator.sample(15, mean: 3 + generator.uniform(-2..<2)))
      let effect = try EffectEstimate(of: b, over: a, scale: scale)
      for alpha in [1e-6, 0.01, 0.05, 0.5] {
        #expect((effect.pValue < alpha) == !effect.confidenceInterval(alpha: alpha).contains(0))
      }
    }
  }

  @Test(
    "Intervals of 95 % hold the effect in about 95 % of experiments",
    arguments: [(EffectEstimate.Scale.absolute, 0.5), (.relative, 0.1)])
  func covers(scale: EffectEstimate.Scale, truth: Double) throws {
    var generator = SeededGenerator(seed: 5)
    let held = try Share(of: Effort.rounds(500, thorough: 2_000)) {
      let (a, b) = (generator.sample(30, mean: 5), generator.sample(20, mean: 5.5, deviation: 2))
      return try EffectEstimate(of: b, over: a, scale: scale).confidenceInterval().contains(truth)
    }
    #expect(held.agrees(with: 0.95), "\(held)")
  }

  @Test("An alpha outside (0, 1) gives an interval without ends", arguments: [-1, 0, 1, 2, .infinity, .nan])
  func boundsAlpha(alpha: Double) throws {
    let share = try ProportionStatistics(count: 10, successes: 4)
    let effect = try EffectEstimate(of: share, over: share)
    #expect(effect.confidenceInterval(alpha: alpha) == .unbounded)
    #expect(share.wilsonInterval(alpha: alpha) == .unbounded)
    #expect(try TwoProportionsTest(control: share, treatment: share).confidenceInterval(alpha: alpha) == .unbounded)
    #expect(try PosteriorEffect(of: effect).credibleInterval(alpha: alpha) == .unbounded)
    #expect(SequentialTest(alpha: alpha).confidenceInterval(of: effect) == .unbounded)
    #expect(SequentialTest(alpha: alpha).pValue(of: effect) == 1)
    #expect(Guardrail(margin: 0, alpha: alpha).bound(of: effect) == -.infinity)
  }

  @Test("Every aggregate has an answer of finite numbers, or a reason", arguments: Double.extremes)
  func neverTraps(mean: Double) throws {
    let usual = SampleStatistics([1, 2, 4])
    var answered = 0
    for count in [Int.min, 0, 1, 2, .max] {
      for variance in Double.extremes {
        for scale in EffectEstimate.Scale.allCases {
          do throws(StatisticsError) {
            let sample = try SampleStatistics(count: count, mean: mean, variance: variance)
            for effect in [
              try EffectEstimate(of: sample, over: usual, scale: scale),
              try EffectEstimate(of: sample, over: sample, scale: scale),
            ] {
              let interval = effect.confidenceInterval(alpha: 1e-300)
              #expect(effect.value.isFinite && effect.standardError > 0 && (0...1).contains(effect.pValue))
              #expect(!interval.lower.isNaN && !interval.upper.isNaN)
              #expect((0...1).contains(SequentialTest().pValue(of: effect)))
              #expect((0...1).contains(try PosteriorEffect(of: effect).chanceToWin()))
              answered += 1
            }
          } catch {
            #expect(!error.message.isEmpty)
          }
        }
      }
    }
    #expect(mean.magnitude < 1e9 && mean != 0 ? answered > 0 : true)
  }

  @Test("Shares without a success have intervals, and a test beside a group that has some")
  func answersWithoutSuccesses() throws {
    let (none, some) = try (
      ProportionStatistics(count: 50, successes: 0), ProportionStatistics(count: 50, successes: 9)
    )
    let test = try TwoProportionsTest(control: none, treatment: some)
    #expect(test.pValue < 0.01 && test.confidenceInterval().lower > 0)
    #expect(none.wilsonInterval().lower == 0 && none.wilsonInterval().upper > 0.05)
    #expect(throws: StatisticsError.self) { try TwoProportionsTest(control: none, treatment: none) }
    let few = try ProportionStatistics(count: 1, successes: 1)
    #expect(throws: StatisticsError.self) { try TwoProportionsTest(control: few, treatment: some) }
  }
}

/// An effect that cannot be estimated, and the reason to be given.
struct Unanswerable: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let control: any SampleSummary
  let treatment: any SampleSummary
  var scale = EffectEstimate.Scale.absolute
  let code: StatisticsError.Code
  let subject: String

  func ask() throws(StatisticsError) -> EffectEstimate {
    func estimate(_ treatment: some SampleSummary, _ control: some SampleSummary) throws(StatisticsError)
      -> EffectEstimate
    {
      try EffectEstimate(of: treatment, over: control, scale: scale)
    }
    return try estimate(treatment, control)
  }

  private static let usual = SampleStatistics([1, 2, 4])

  static let all = [
    Unanswerable(
      testDescription: "no users", control: SampleStatistics(), treatment: usual, code: .tooFewUsers, subject: "control"
    ),
    Unanswerable(
      testDescription: "one user", control: usual, treatment: SampleStatistics([1]), code: .tooFewUsers,
      subject: "treatment"),
    Unanswerable(
      testDescription: "equal values", control: SampleStatistics([0.1, 0.1, 0.1]), treatment: usual, code: .noVariance,
      subject: "control"),
    Unanswerable(
      testDescription: "no success", control: usual, treatment: ProportionStatistics([false, false]), code: .noVariance,
      subject: "treatment"),
    Unanswerable(
      testDescription: "a baseline of 0", control: SampleStatistics([-1, 1]), treatment: usual, scale: .relative,
      code: .zeroBaseline, subject: "control"),
    Unanswerable(
      testDescription: "a value that is not a number", control: SampleStatistics([.nan, 1]), treatment: usual,
      code: .notFinite, subject: "control"),
    Unanswerable(
      testDescription: "an infinite value", control: usual, treatment: SampleStatistics([.infinity, 1]),
      code: .notFinite, subject: "treatment"),
    Unanswerable(
      testDescription: "squares that overflow", control: usual, treatment: SampleStatistics([1e200, 1]),
      code: .notFinite, subject: "treatment"),
    Unanswerable(
      testDescription: "an effect that overflows", control: SampleStatistics([1e-308, 0, 0, 0]),
      treatment: SampleStatistics([1e150, 0]), scale: .relative, code: .noVariance, subject: "control"),
    Unanswerable(
      testDescription: "a relative effect that overflows",
      control: SampleStatistics([-1, 1.000_000_000_000_000_2]), treatment: SampleStatistics([1e150, 2e150]),
      scale: .relative, code: .notFinite, subject: "effect"),
  ]
}

extension ProportionStatistics {
  init(_ users: [Bool]) {
    self.init()
    for user in users { add(user) }
  }
}
