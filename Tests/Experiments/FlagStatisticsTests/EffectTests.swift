import FlagStatistics
import TestSupport
import Testing

@Suite("Effects")
struct EffectTests {
  @Test("A question without an answer says why, and of which group", arguments: Unanswerable.all)
  func saysWhy(question: Unanswerable) {
    do throws(StatisticsError) {
      let difference = try question.ask()
      Issue.record("answered \(difference)")
    } catch {
      #expect((error.code, error.subject) == (question.code, question.subject), "\(error)")
    }
  }

  @Test("A reason reads as one line")
  func describesReasons() {
    let reason = StatisticsError(.tooFewUsers, "control", "1, expected at least 2")
    #expect("\(reason)" == "TOO_FEW_USERS (control): 1, expected at least 2")
  }

  @Test("A relative effect does not depend on the unit of the metric, but for the sign of a metric that is turned")
  func isScaleInvariant() throws {
    var generator = SeededGenerator(seed: 2)
    let values = (
      a: (0..<40).map { _ in generator.normal(mean: 5) }, b: (0..<40).map { _ in generator.normal(mean: 6) }
    )
    func ends(_ unit: Double) throws -> [Double] {
      let difference = try MeanDifference(
        of: SampleStatistics(values.b.map { $0 * unit }), over: SampleStatistics(values.a.map { $0 * unit }))
      let interval = try #require(difference.confidenceInterval(on: .relative))
      return [interval.lower, difference.effect(on: .relative), interval.upper]
    }
    let one = try ends(1)
    for unit in [1e-90, 1e-3, 1_000, 1e90] {
      #expect(try zip(ends(unit), one).allSatisfy { $0.isClose(to: $1) })
    }
    #expect(try zip(ends(-1), one.reversed()).allSatisfy { $0.isClose(to: -$1) })
  }

  @Test("An alpha outside (0, 1) gives an interval without ends", arguments: [-1, 0, 1, 2, .infinity, .nan])
  func boundsAlpha(alpha: Double) throws {
    let share = try ProportionStatistics(count: 10, successes: 4)
    let difference = try MeanDifference(of: share, over: share)
    for scale in MeanDifference.Scale.allCases {
      #expect(difference.confidenceInterval(on: scale, alpha: alpha) == .unbounded)
      #expect(SequentialTest(alpha: alpha).confidenceInterval(of: difference, on: scale) == .unbounded)
      #expect(Guardrail(margin: 0, alpha: alpha).bound(of: difference, on: scale) == -.infinity)
    }
    #expect(SequentialTest(alpha: alpha).pValue(of: difference) == 1)
  }
}

/// A difference that cannot be estimated, and the reason to be given.
struct Unanswerable: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let control: any SampleSummary
  let treatment: any SampleSummary
  let code: StatisticsError.Code
  let subject: String

  func ask() throws(StatisticsError) -> MeanDifference {
    func compare(_ treatment: some SampleSummary, _ control: some SampleSummary) throws(StatisticsError)
      -> MeanDifference
    {
      try MeanDifference(of: treatment, over: control)
    }
    return try compare(treatment, control)
  }

  private static let usual = SampleStatistics([1, 2, 4])
  private static let equal = SampleStatistics([0.1, 0.1, 0.1])

  static let all = [
    Unanswerable(
      testDescription: "no users", control: SampleStatistics(), treatment: usual, code: .tooFewUsers, subject: "control"
    ),
    Unanswerable(
      testDescription: "one user", control: usual, treatment: SampleStatistics([1]), code: .tooFewUsers,
      subject: "treatment"),
    Unanswerable(
      testDescription: "equal values", control: equal, treatment: equal, code: .noVariance, subject: "both groups"),
    Unanswerable(
      testDescription: "no success", control: ProportionStatistics([false, false]),
      treatment: ProportionStatistics([false, false]), code: .noVariance, subject: "both groups"),
    Unanswerable(
      testDescription: "a value that is not a number", control: SampleStatistics([.nan, 1]), treatment: usual,
      code: .notFinite, subject: "control"),
    Unanswerable(
      testDescription: "an infinite value", control: usual, treatment: SampleStatistics([.infinity, 1]),
      code: .notFinite, subject: "treatment"),
    Unanswerable(
      testDescription: "squares that overflow", control: usual, treatment: SampleStatistics([1e200, 1]),
      code: .notFinite, subject: "treatment"),
  ]
}

extension ProportionStatistics {
  init(_ users: [Bool]) {
    self.init()
    for user in users { add(user) }
  }
}
