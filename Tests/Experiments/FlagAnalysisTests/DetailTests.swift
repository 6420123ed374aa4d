import FlagAnalysis
import FlagDomain
import FlagEvents
import FlagStatistics
import Foundation
import TestSupport
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("Caps, ratios, breakdowns and effects over time")
struct DetailTests {
  private static let day: Int64 = 86_400

  /// Users of three plans over ten days, with orders of any day after their exposure, and some flaws.
  private static let events: [TrackedEvent] = {
    var generator = SeededGenerator(seed: 11)
    var events: [TrackedEvent] = []
    for number in 0..<400 {
      let (unit, start) = ("user \(number)", Int64.random(in: 0..<(5 * day), using: &generator))
      let variant = ["a", "b"][number % 2]
      let attributes: [String: FlagValue] = [["plan": "pro"], ["plan": .int(2)], [:]][number % 3]
      events.append(.exposed(unit, variant, at: start, attributes))
      // A later exposure with another value changes nothing.
      events.append(.exposed(unit, variant, at: start + 10, ["plan": "later"]))
      if number == 7 { events.append(.exposed(unit, "a", at: start + 20)) }
      for _ in 0..<(number % 4) {
        let time = start + Int64.random(in: -1_000..<(4 * day), using: &generator)
        events.append(.did("order", unit, at: time, id: "o \(unit) \(time)"))
        let value = Double(Int.random(in: -1_000...4_000, using: &generator)) / 100
        events.append(.did("buy", unit, at: time, value: value, id: "b \(unit) \(time)"))
      }
    }
    return events.shuffled(using: &generator)
  }()

  private static let ratio: Metric = {
    var metric = Metric("buy", .sum)
    metric.per = Measure("order", .count)
    return metric
  }()

  private static func data(
    _ events: [TrackedEvent] = events, memory: JoinMemory = .large, plan: (inout JoinPlan) -> Void = { _ in }
  ) throws -> ExperimentData { try ExperimentData(events, memory: memory, plan: plan) }

  @Test("A day's data is what the events until its end give, with and without a cap")
  func agreesByDay() throws {
    let all = try Self.data { $0.measuresDays = true }
    #expect(all.days.map(\.day) == Array(0...8))
    for day in all.days {
      let end = (Int64(day.day) + 1) * Self.day * 1_000_000
      let data = try Self.data(Self.events.filter { $0.time.microseconds < end })
      #expect(day.variants.map(\.users) == data.variants.map(\.users))
      for (left, right) in zip(day.variants, data.variants) {
        for name in ["buy", "order"] {
          let (left, right) = (try #require(left.conversions[name]), try #require(right.conversions[name]))
          #expect(left.users == right.users && left.counts.sumOfSquares == right.counts.sumOfSquares)
          #expect((left.values.sum - right.values.sum).magnitude < 1e-9)
          let (squares, expected) = (left.values.sumOfSquares, right.values.sumOfSquares)
          #expect((squares - expected).magnitude <= 1e-11 * expected)
        }
      }
    }
    let capped = try Self.data {
      $0.measuresDays = true
      $0.cap = CapQuantile(millionths: 900_000)
    }
    let (last, whole) = (try #require(capped.days.last?.variants[0].conversions["buy"]), capped.variants[0])
    #expect((last.values.sum / (whole.conversions["buy"]?.values.sum ?? 0) - 1).magnitude < 1e-11)
  }

  @Test("Values are capped at the quantile of users with any, of all variants, however little fits into memory")
  func caps() throws {
    let plain = try Self.data()
    var totals: [String: Double] = [:]
    var first: [String: Int64] = [:]
    for event in Self.events {
      if case .exposure(let exposure) = event.content {
        first[exposure.unit] = min(first[exposure.unit] ?? .max, event.time.microseconds)
      }
    }
    for event in Self.events {
      guard case .conversion(let conversion) = event.content, conversion.name == "buy", let unit = conversion.unit,
        unit != "user 7", event.time.microseconds >= first[unit] ?? .max
      else { continue }
      totals[unit, default: 0] += conversion.value ?? 0
    }
    let sorted = totals.values.sorted()
    let cap = sorted[Int((Double(sorted.count) * 0.9).rounded(.up)) - 1]
    let folder = FileManager.default.temporaryDirectory.path
    for memory in [JoinMemory.large, JoinMemory(directory: folder, buffer: 3, batch: 5)] {
      let data = try Self.data(memory: memory) { $0.cap = CapQuantile(millionths: 900_000) }
      #expect(((data.caps["buy"] ?? 0) / cap - 1).magnitude < 1e-12)
      let sum = data.variants.reduce(0) { $0 + ($1.conversions["buy"]?.values.sum ?? 0) }
      #expect((sum / totals.values.reduce(0) { $0 + min($1, cap) } - 1).magnitude < 1e-11)
      #expect(
        data.variants.map { $0.conversions["buy"]?.counts } == plain.variants.map { $0.conversions["buy"]?.counts })
    }
  }

  @Test(
    "A quantile is the first place with at least its share up to it",
    arguments: [(990_000, 100, 99), (990_000, 101, 100), (500_000, 1, 1), (1, 10, 1), (999_999, 3_000_000, 2_999_997)])
  func places(millionths: Int, count: Int, place: Int) throws {
    var spool = ExperimentData()
    spool.cap = CapQuantile(millionths: millionths)
    #expect(spool.cap?.place(among: count) == place)
  }

  @Test("A ratio of sums is that of the users' pairs, and has its own name in every form")
  func divides() throws {
    let ratio = try #require(Self.ratio.ratio)
    let data = try Self.data { $0.ratios = [ratio] }
    let paired = try data.variants.map { try #require($0.ratios[ratio]) }
    for (variant, paired) in zip(data.variants, paired) {
      #expect(paired.outcome.sum == variant.conversions["buy"]?.values.sum)
      #expect(paired.covariate.sumOfSquares == variant.conversions["order"]?.counts.sumOfSquares)
    }
    var settings = AnalysisSettings()
    settings.metrics = [Self.ratio, Metric("order", .count)]
    let analysis = try ExperimentAnalysis(of: data, settings)
    let (treatment, control) = (RatioStatistics(paired[1]), RatioStatistics(paired[0]))
    let effect = (treatment.mean - control.mean) / control.mean
    #expect(analysis.metrics[0].rows[1].comparison?.effect == effect)
    #expect(TextReport(analysis).text.contains("buy per order: sum of values over number, more is better"))
    #expect(HTMLReport(analysis).text.contains("<h2>buy per order <small>sum of values over number, more is"))
    #expect(JSONReport(analysis).text.contains(#""per": {"#))
    let none = try ExperimentAnalysis(of: Self.data(plan: { $0.names = ["buy"] }), settings)
    #expect(TextReport(none).text.contains("b: no answer: b: no user has order, and nothing is divided by 0"))
  }

  @Test("Users are broken down by their first exposure, and p-values are corrected over all segments")
  func breaksDown() throws {
    let data = try Self.data { $0.attribute = "plan" }
    #expect(data.segments.map(\.name) == ["(none)", "2", "pro"])
    #expect(data.segments.reduce(0) { $0 + $1.variants.reduce(0) { $0 + $1.users } } == data.users)
    var settings = AnalysisSettings()
    settings.metrics = [Metric("buy"), Metric("order", .count), Metric("buy", .count, .decrease, margin: 0.5)]
    let analysis = try ExperimentAnalysis(of: data, settings)
    let comparisons = analysis.segments.flatMap { $0.metrics.prefix(2).map { $0.rows[1].comparison } }
    #expect(comparisons.count == 6)
    #expect(
      comparisons.map { $0?.anyLook.adjustedPValue }
        == MultipleTesting.holm.adjusted(comparisons.map { $0?.anyLook.pValue }))
    for (number, segment) in analysis.segments.enumerated() {
      let index = [2, 1, 0][number]
      let events = Self.events.filter { event in
        guard case .exposure(let exposure) = event.content else { return true }
        return Int(exposure.unit.dropFirst(5)).map { $0 % 3 == index } == true
      }
      let alone = try ExperimentAnalysis(of: Self.data(events), settings)
      #expect(segment.metrics.map { $0.rows.map(\.mean) } == alone.metrics.map { $0.rows.map(\.mean) })
      #expect(segment.metrics[0].rows[1].comparison?.difference == alone.metrics[0].rows[1].comparison?.difference)
    }
  }

  @Test("A ratio has no cap, of which only one side would have a part, and the report says so")
  func leavesRatiosUncapped() throws {
    let ratio = try #require(Self.ratio.ratio)
    func data(_ cap: CapQuantile?) throws -> ExperimentData {
      try Self.data { ($0.ratios, $0.cap, $0.attribute) = ([ratio], cap, "plan") }
    }
    let (plain, capped) = (try data(nil), try data(CapQuantile(millionths: 500_000)))
    #expect(capped.variants.map { $0.ratios[ratio] } == plain.variants.map { $0.ratios[ratio] })
    #expect(
      capped.segments.map { $0.variants.map { $0.ratios[ratio] } }
        == plain.segments.map { $0.variants.map { $0.ratios[ratio] } })
    #expect(capped.variants[0].conversions["buy"] != plain.variants[0].conversions["buy"])
    var settings = AnalysisSettings()
    settings.metrics = [Self.ratio, Metric("buy", .sum)]
    let text = TextReport(try ExperimentAnalysis(of: capped, settings)).text
    #expect(text.contains("- ratios are not capped\n"))
  }

  @Test("The last day of a metric has the verdict, p-value and interval of the whole, corrected and adjusted alike")
  func endsWithTheWhole() throws {
    let ratio = try #require(Self.ratio.ratio)
    let data = try Self.data { ($0.measuresDays, $0.ratios, $0.measuresBefore) = (true, [ratio], true) }
    var settings = AnalysisSettings()
    settings.metrics = [Metric("order"), Self.ratio, Metric("order", .count), Metric("buy")]
    settings.covariates = [Metric("order", .count)]
    let analysis = try ExperimentAnalysis(of: data, settings)
    let last = try #require(analysis.days.last)
    let whole = analysis.metrics.filter { $0.metric.per == nil }
    #expect(last.metrics.map(\.metric) == whole.map(\.metric))
    #expect(last.metrics.map { $0.rows.map(\.comparison) } == whole.map { $0.rows.map(\.comparison) })
    // On each day before, p-values are corrected for as many comparisons as on the last one.
    let day = try #require(analysis.days.dropLast().last)
    let p = day.metrics.map { $0.rows[1].comparison?.anyLook.pValue }
    #expect(
      day.metrics.map { $0.rows[1].comparison?.anyLook.adjustedPValue }
        == MultipleTesting.holm.adjusted(p + [1]).dropLast())
    #expect(TextReport(analysis).text.contains("1970-01-01 to 1970-01-05, conversions until 1970-01-09"))
  }

  @Test("No two sections have one title")
  func namesSections() throws {
    let ratio = try #require(Self.ratio.ratio)
    let data = try Self.data { ($0.attribute, $0.measuresDays, $0.ratios) = ("plan", true, [ratio]) }
    var settings = AnalysisSettings()
    settings.metrics = [
      Metric("buy"), Metric("buy", .sum), Metric("buy", .count), Self.ratio,
      Metric("buy", .count, .decrease, margin: 1),
    ]
    let analysis = try ExperimentAnalysis(of: data, settings)
    let titles = TextReport(analysis).text.split(separator: "\n\n").map { $0.prefix { $0 != "\n" } }
    #expect(titles.count > 14 && Set(titles).count == titles.count, "\(titles)")
    let headings = HTMLReport(analysis).text.matches(of: #/<h2>.*</h2>/#).map(\.output)
    #expect(headings.count > 14 && Set(headings).count == headings.count, "\(headings)")
  }

  @Test("Text, page and JSON have segments, days and caps")
  func reports() throws {
    let data = try Self.data {
      ($0.attribute, $0.measuresDays, $0.cap) = ("plan", true, CapQuantile(millionths: 900_000))
    }
    var settings = AnalysisSettings()
    settings.metrics = [Metric("order", .count), Metric("buy", .sum)]
    let analysis = try ExperimentAnalysis(of: data, settings)
    let text = TextReport(analysis).text
    #expect(
      text.contains("\norder (count) by plan\n")
        && text.contains("\nbuy (sum) over time, all until the end of each day\n"))
    #expect(text.contains("\n  1970-01-09  b  ") && text.contains("\n  (none)  b  "))
    #expect(text.contains("- sums of values are capped at 90 % of all users with any: \"buy\" at "), "\(text)")
    let page = HTMLReport(analysis).text
    #expect(page.contains("aria-label=\"effects over time on buy\"") && page.contains("<h2>order (count) by plan"))
    #expect(page.matches(of: #/<polygon /#).count == 2)
    #expect(!page.contains("NaN") && !page.contains("nan") && !page.contains("inf"))
    let xml = page.replacing("<!doctype html>\n", with: "").replacing(#/(<meta [^>]*)>/#) { "\($0.output.1)/>" }
    #expect(XMLParser(data: Data(xml.utf8)).parse())
    let absent = try ExperimentAnalysis(of: Self.data { $0.attribute = "other" }, settings)
    #expect(TextReport(absent).text.contains("- no first exposure of a user has the attribute \"other\"\n"))
    let json = JSONReport(analysis).text
    #expect(json.contains(#""attribute": "plan""#) && json.contains(#""day": "1970-01-09""#))
  }

  @Test("Too many days and too many values of an attribute are an error")
  func bounds() {
    let values = (0...100).map { TrackedEvent.exposed("u", "a", at: 0, ["plan": .int(Int128($0))]) }
    #expect(throws: AnalysisError("expected at most 100 values of \"plan\", found another one")) {
      try Self.data(values) { $0.attribute = "plan" }
    }
    let days = (0...4_000).map { TrackedEvent.did("buy", "u", at: Int64($0) * Self.day) }
    #expect(throws: AnalysisError("expected events of at most 4000 days for effects over time, found more")) {
      try Self.data([.exposed("u", "a", at: 0)] + days) { $0.measuresDays = true }
    }
  }

  @Test(
    "A quantile of a cap is above 0 and below 1",
    arguments: [("99%", 990_000), ("0.5", 500_000), ("99.95 %", 999_500), ("0", nil), ("100%", nil), ("x", nil)]
      as [(String, Int?)])
  func readsQuantiles(text: String, millionths: Int?) {
    do throws(AnalysisError) {
      #expect(try CapQuantile(text).millionths == millionths)
    } catch {
      #expect(millionths == nil && error.message == "expected a quantile such as 99% or 99.5%, found \"\(text)\"")
    }
  }
}
