import FlagAnalysis
import FlagStatistics
import TestSupport
import Testing

@Suite("Swapped variants", .computing)
struct SwappingTests {
  @Test("Control and treatment swapped have the same p-values and mirrored verdicts", arguments: Metric.Kind.allCases)
  func mirrors(kind: Metric.Kind) throws {
    var generator = SeededGenerator(seed: 2_026)
    var found: [Comparison.Verdict: Int] = [:]
    for _ in 0..<Effort.rounds(300, thorough: 3_000, long: 10_000) {
      var reader = AggregateReader()
      for variant in ["a", "b"] { try reader.add(Array(line(variant, &generator).utf8)) }
      let data = try reader.finish()
      let (one, two) = try (
        comparison(data, over: "a", kind, least: 0), comparison(data, over: "b", kind, least: 0)
      )
      #expect(one?.oneLook.pValue == two?.oneLook.pValue && one?.anyLook.pValue == two?.anyLook.pValue)
      #expect(one?.anyLook.adjustedPValue == two?.anyLook.adjustedPValue)
      #expect(one?.verdict == two?.verdict.mirrored)
      if let one, let two {
        found[one.verdict, default: 0] += 1
        // One less the other, but for rounding.
        #expect((one.chanceToWin + two.chanceToWin - 1).magnitude < 1e-12)
      }
    }
    #expect(Comparison.Verdict.allCases.allSatisfy { found[$0, default: 0] > 0 }, "\(found)")
  }

  @Test("9 of 100 against 1 of 100 is judged the same from both sides", arguments: AnalysisSettings.Looks.allCases)
  func agreesOnFew(looks: AnalysisSettings.Looks) throws {
    let data = try ExperimentData(users: 100, shares: ["a": 0.09, "b": 0.01])
    #expect(try comparison(data, over: "a", .share) == nil)
    let (worse, better) = try (
      comparison(data, over: "a", .share, looks, least: 10), comparison(data, over: "b", .share, looks, least: 10)
    )
    #expect(
      worse?.oneLook.pValue == better?.oneLook.pValue
        && (worse?.oneLook.pValue ?? 1).isClose(to: 0.009_444_165_7, within: 1e-8))
    #expect(worse?.verdict == (looks == .one ? .worse : .undecided) && better?.verdict == worse?.verdict.mirrored)
    #expect(worse?.oneLook.interval?.contains(0) == false && better?.oneLook.interval?.contains(0) == false)
  }

  private func comparison(
    _ data: ExperimentData, over control: String, _ kind: Metric.Kind, _ looks: AnalysisSettings.Looks = .any,
    least: Int = 20
  ) throws -> Comparison? {
    var settings = AnalysisSettings()
    (settings.metrics, settings.control) = ([Metric("purchase", kind)], control)
    (settings.looks, settings.leastConversions) = (looks, least)
    return try ExperimentAnalysis(of: data, settings).metrics[0].rows[1].comparison
  }

  /// Aggregates of a random variant.
  private func line(_ variant: String, _ generator: inout SeededGenerator) -> String {
    let users = Int.random(in: 20...2_000, using: &generator)
    let converted = Int.random(in: 0...users / Int.random(in: 1...50, using: &generator), using: &generator)
    let count = Double(converted) * Double.random(in: 1..<2, using: &generator)
    let sum = count * Double.random(in: 1..<10, using: &generator)
    func squares(_ sum: Double) -> Double { sum * sum / Double(max(1, converted)) * 1.5 }
    return """
      {"schema":1,"kind":"variant","flag":"f","variant":"\(variant)","users":\(users),"conversions":[
      {"name":"purchase","users":\(converted),"count":\(count),"countSquares":\(squares(count)),"sum":\(sum),
      "sumSquares":\(squares(sum))}]}
      """
  }
}

extension Comparison.Verdict {
  fileprivate var mirrored: Self {
    switch self {
    case .better: .worse
    case .worse: .better
    case .undecided: .undecided
    }
  }
}

extension Double {
  fileprivate func isClose(to other: Double, within tolerance: Double) -> Bool {
    (self - other).magnitude <= tolerance * other.magnitude
  }
}
