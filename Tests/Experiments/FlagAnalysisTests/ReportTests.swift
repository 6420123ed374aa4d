import FlagAnalysis
import FlagDomain
import FlagEvents
import FlagJSON
import FlagStatistics
import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("Reports")
struct ReportTests {
  private static func analysis(_ shares: [String: Double] = ["a": 0.1, "b": 0.3]) throws -> ExperimentAnalysis {
    var settings = AnalysisSettings()
    settings.metrics = [Metric("purchase"), Metric("purchase", .sum, .decrease, margin: 0.1), Metric("absent")]
    return try ExperimentAnalysis(of: ExperimentData(users: 1_000, shares: shares), settings)
  }

  @Test("Text fits a terminal of 80 columns, and shows effects with their intervals")
  func writesText() throws {
    let text = TextReport(try Self.analysis()).text
    #expect(
      text == """
        Experiment f
          2,000 users, on 1970-01-01, compared with a

        Health: sound
          ok  Sample ratio: as planned (p = 1.0000)
              a  1,000 users  50.0 %  planned 50.0 %
              b  1,000 users  50.0 %  planned 50.0 %
          ok  Users of several variants: none
          ok  Users with conversions before their first exposure: none
          ok  Events lost before they were sent: none

        purchase: share of users, more is better
             users   value    effect         95 % interval  p (Holm)
          a  1,000  10.0 %
          b  1,000  30.0 %  +200.0 %  +110.0 % to +331.5 %   9.3e-21
          b, at one planned look: +136.8 % to +281.2 %, p = 1.0e-28, wins > 99.9 %
          b  │                     ━━━━━━━━━━━━━━━━━●━━━━━━━━━━━━━━━━━━━━━━━━━━  better
             0 %                                                       +331.5 %
          Next: look at purchase first: its guardrail is violated

        Guardrail purchase: sum of values per user, less is better, at most 10 % worse
             users   value    effect      each end at 95 %
          a  1,000  0.2000
          b  1,000  0.6000  +200.0 %  +125.9 % to +321.8 %
          b  │                 ━━━━━━━━━━━●━━━━━━━━━━━━━━━━━━  violated, harm ≥ 125.9 %
             0 %                                     +321.8 %
          Next: stop b: it does more harm than the margin

        absent: share of users, more is better
             users  value  effect  95 % interval  p (Holm)
          a  1,000    0 %
          b  1,000    0 %
          b: no verdict: 0 users converted, 20 more are needed
          Next: wait for more conversions

        - no conversion that counts is named "absent"
        - ● effect, ━ the interval that decides, │ no effect
        - verdicts, p-values and intervals hold at any number of looks

        """)
    for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
  }

  @Test("A prior, a window and an adjusted metric are in every form of the report")
  func tellsOptions() throws {
    var events: [TrackedEvent] = []
    for number in 0..<200 {
      let unit = "\(number)"
      events.append(.exposed(unit, number % 2 == 0 ? "a" : "b", at: 10))
      if number % 4 < 2 { events.append(.did("read", unit, at: 5)) }
      if number % 4 < 2 || number % 10 == 3 { events.append(.did("read", unit, at: 15)) }
      if number == 7 { events.append(.did("read", unit, at: 100)) }
    }
    var settings = AnalysisSettings()
    (settings.covariates, settings.prior) = ([Metric("read")], try EffectPrior(mean: 0, variance: 0.09))
    let data = try ExperimentData(events, window: ConversionWindow("1m"), measuresBefore: true)
    let analysis = try ExperimentAnalysis(of: data, settings)
    let lines = [
      "b: adjusted by the value before exposure (CUPED): variance -82.7 %",
      "100 conversions before the first exposure of their user left out, but for adjusting",
      "conversions count for 1m after the first exposure of their user: 1 later one left out",
      "chances to win start from a prior of relative effects: mean 0.0, variance 0.09",
    ]
    for line in lines {
      #expect(TextReport(analysis).text.contains(line) && HTMLReport(analysis).text.contains(line), "\(line)")
    }
    let report = try #require(JSONReport(analysis).value.members)
    #expect(report["prior"] == ["mean": 0.0, "variance": 0.09] && report["windowSeconds"] == 60)
    #expect(report["excluded"]?.members?["conversionsAfter"] == 1)
    guard case .array(let metrics)? = report["metrics"], case .array(let rows)? = metrics[0].members?["variants"] else {
      throw AnalysisError("no rows")
    }
    #expect(rows.map { $0.members?["adjustment"]?.members?.keys.sorted() } == [nil, ["theta", "varianceReduction"]])
  }

  @Test("Each metric ends in what to do about it, and a guardrail is looked at before anything is shipped")
  func advises() throws {
    func advice(
      _ shares: [String: Double], users: Int = 1_000, margin: Double? = nil, more: [Metric] = [],
      _ settings: AnalysisSettings = .init()
    ) throws -> [String?] {
      var settings = settings
      settings.metrics =
        [Metric("purchase")] + more + (margin.map { [Metric("purchase", .count, .decrease, margin: $0)] } ?? [])
      let analysis = try ExperimentAnalysis(of: ExperimentData(users: users, shares: shares), settings)
      let text = TextReport(analysis).text
      return analysis.metrics.map { result in
        guard
          case .string(let line)? = JSONReport(analysis).value.members?["metrics"].flatMap({ metrics in
            if case .array(let all) = metrics { all } else { nil }
          })?[analysis.metrics.firstIndex { $0.metric == result.metric } ?? 0].members?["advice"]
        else { return nil }
        #expect(text.replacing("\n  ", with: " ").contains("Next: \(line)"), "\(text)")
        #expect(HTMLReport(analysis).text.contains("<p><b>Next:</b> \(line)</p>"))
        return line
      }
    }
    #expect(try advice(["a": 0.1, "b": 0.3]) == ["ship b"])
    #expect(try advice(["a": 0.3, "b": 0.1]) == ["keep a"])
    #expect(
      try advice(["a": 0.1, "b": 0.12]) == ["wait for about 3,600 more users in each group, if the effect stays"])
    #expect(
      try advice(["a": 0.1, "b": 0.101], users: 1_000)
        == ["choose by cost: so small an effect needs more than a hundred times the users"])
    #expect(try advice(["a": 0.01, "b": 0]) == ["wait for more conversions"])
    #expect(
      try advice(["a": 0.1, "b": 0.3], margin: 0.1)
        == ["look at purchase first: its guardrail is violated", "stop b: it does more harm than the margin"])
    #expect(
      try advice(["a": 0.1, "b": 0.3], margin: 9)
        == ["ship b", "b may stay: more harm than the margin is ruled out"])
    let undecided = try advice(["a": 0.1, "b": 0.3], margin: 2)
    #expect(undecided[0] == "wait for the guardrail purchase, which is undecided")
    #expect(
      try advice(["a": 0.1, "b": 0.3, "c": 0.1])
        == ["b: ship b; c: choose by cost: so small an effect needs more than a hundred times the users"])
    #expect(try advice(["a": 0.1, "b": 0.3, "c": 0.3]) == ["ship one of b, c"])
    #expect(
      try advice(["a": 0.1, "b": 0.3], more: [Metric("purchase", .count, .decrease)])
        == ["weigh it against purchase (count), which is worse", "weigh it against purchase (share), which is better"])
    let violated = "look at purchase first: its guardrail is violated"
    #expect(
      try advice(["a": 0.1, "b": 0.145], margin: 0, more: [Metric("purchase", .sum)])
        == [violated, violated, "stop b: it does more harm than the margin"])
    #expect(
      try advice(["a": 0, "b": 1], more: [Metric("purchase", .count)])
        == ["ship b", "judge b by another metric: this one has no answer"])
    var planned = AnalysisSettings()
    planned.weights = ["a": 1]
    #expect(
      try advice(["a": 0.1, "b": 0.3], planned) == ["explain the health check that failed before anything is decided"])
  }

  @Test("Missing conversions, and an interval without an end, are in every form of the report")
  func tellsLimits() throws {
    var settings = AnalysisSettings()
    settings.metrics = [Metric("purchase")]
    let few = try ExperimentAnalysis(of: ExperimentData(users: 100, shares: ["a": 0.09, "b": 0.01]), settings)
    let line = "no verdict: 10 users converted, 10 more are needed"
    #expect(TextReport(few).text.contains("  b: \(line)\n") && HTMLReport(few).text.contains("<td>\(line)</td>"))
    let error = try #require(Self.row(few)["error"]?.members)
    #expect(error["code"] == "TOO_FEW_CONVERSIONS" && error["lackingConversions"] == 10)

    let none = try ExperimentAnalysis(of: ExperimentData(users: 100, shares: ["a": 0, "b": 0.3]), settings)
    let text = TextReport(none).text
    #expect(text.contains("∞  +32.8 %, unbounded") && text.contains("  better\n"), "\(text)")
    #expect(HTMLReport(none).text.contains("<td>∞</td><td>+32.8 %, unbounded</td>"))
    #expect(text.contains("━▶  better\n") && text.matches(of: /●/).count == 1)
    #expect(!HTMLReport(none).text.contains("<circle"))
    let row = try Self.row(none)
    #expect(row["effect"] == .null && row["difference"]?.members?["value"] == 0.3 && row["verdict"] == "better")
  }

  @Test("An interval that is wider than its chart ends in an arrow, which is explained")
  func marksCutEnds() throws {
    for (users, arrow) in [(60, "━▶  undecided"), (3_000, "")] {
      var settings = AnalysisSettings()
      settings.metrics = [Metric("purchase")]
      let data = try ExperimentData(users: users, shares: ["a": 17.0 / 60, "b": 26.0 / 60])
      let analysis = try ExperimentAnalysis(of: data, settings)
      let (text, page) = (TextReport(analysis).text, HTMLReport(analysis).text)
      #expect(text.contains("▶") ? text.contains(arrow) : arrow.isEmpty, "\(text)")
      #expect(text.contains("decides, ◀ ▶ it goes on, │") == !arrow.isEmpty)
      #expect(page.matches(of: #/<path /#).count == (arrow.isEmpty ? 0 : 1))
      #expect(page.contains("with an arrow they go on"))
    }
  }

  @Test("Nothing is said twice, and one user is in the singular")
  func tellsOnce() throws {
    var settings = AnalysisSettings()
    settings.metrics = [Metric("absent"), Metric("absent", .sum)]
    let analysis = try ExperimentAnalysis(of: ExperimentData(users: 1, shares: ["a": 0, "b": 1]), settings)
    let (text, page) = (TextReport(analysis).text, HTMLReport(analysis).text)
    #expect(text.matches(of: /is named "absent"/).count == 1 && text.contains("a  1 user  50.0 %"), "\(text)")
    #expect(!page.contains("dots are effects"))
  }

  /// The treatment's row of the first metric, in JSON.
  private static func row(_ analysis: ExperimentAnalysis) throws -> [String: FlagValue] {
    guard case .array(let metrics)? = JSONReport(analysis).value.members?["metrics"],
      case .array(let rows)? = metrics[0].members?["variants"]
    else { throw AnalysisError("no rows") }
    return try #require(rows[1].members)
  }

  @Test("A name of any length and content stays in its column, and is no markup")
  func keepsNames() throws {
    let name = "<script>alert('x')</script> & \"a very long name\""
    let analysis = try Self.analysis([name: 0.1, "b": 0.2])
    for line in TextReport(analysis).text.split(separator: "\n") where !line.hasPrefix("  2,000 users") {
      #expect(line.count <= 100, "\(line)")
    }
    let page = HTMLReport(analysis).text
    #expect(!page.contains("<script"))
    #expect(page.contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; &quot;a very"))
  }

  @Test(
    "Values of any size make reports",
    arguments: [0.0, .leastNonzeroMagnitude, 1e-160, 9.97e-4, 1e11, 1e150, 1e308, .greatestFiniteMagnitude])
  func takesValues(value: Double) throws {
    var events: [TrackedEvent] = []
    for number in 0..<20 {
      let unit = "user \(number)"
      events.append(.exposed(unit, number % 2 == 0 ? "a" : "b", at: 0))
      events.append(.did("n", unit, at: 1, value: number % 3 == 0 ? value : -value / 2))
    }
    for scale in [MeanDifference.Scale.absolute, .relative] {
      var settings = AnalysisSettings()
      (settings.metrics, settings.scale) = ([Metric("n", .sum)], scale)
      let analysis = try ExperimentAnalysis(of: ExperimentData(events), settings)
      let text = TextReport(analysis).text
      #expect(!text.contains(#/\b(nan|inf|10\.0e.*)\b/#.ignoresCase()) && !text.contains(#/.{100}/#), "\(text)")
      #expect(text.contains("\nn: sum") && HTMLReport(analysis).text.contains("<h2>n "))
      #expect(try FlagValue(json: Array(JSONReport(analysis).text.utf8)) == JSONReport(analysis).value)
    }
  }

  @Test("Control characters of names do not reach a terminal")
  func hidesControls() throws {
    let analysis = try Self.analysis(["\u{1B}[2J": 0.1, "b\n": 0.2])
    #expect(TextReport(analysis).text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0.value != 0x7F })
  }

  @Test("The page is well-formed, with a chart for each metric that has an answer")
  func writesPage() throws {
    let page = HTMLReport(try Self.analysis()).text
    // As XML, which knows no document type of HTML and wants elements without contents closed.
    let text = page.replacing("<!doctype html>\n", with: "").replacing(#/(<meta [^>]*)>/#) { "\($0.output.1)/>" }
    #expect(XMLParser(data: Data(text.utf8)).parse())
    #expect(page.matches(of: /aria-label="effects on/).count == 2)
  }

  @Test("A mismatch of the sample ratio comes first, and cannot be overlooked")
  func isLoud() throws {
    var settings = AnalysisSettings()
    settings.weights = ["a": 2, "b": 1]
    let analysis = try ExperimentAnalysis(of: ExperimentData(users: 1_000, shares: ["a": 0, "b": 0.5]), settings)
    let lines = TextReport(analysis).text.split(separator: "\n")
    #expect(lines[2].allSatisfy { $0 == "!" } && lines[3].hasPrefix("!! Health: 1 check failed, and "))
    #expect(HTMLReport(analysis).text.contains(#"<p class="alarm">Health: 1 check failed"#))
  }

  @Test("Days of users are drawn in a bounded number of points, however many there are")
  func boundsPoints() throws {
    var events: [TrackedEvent] = []
    for number in 0..<1_000 {
      events.append(.exposed("\(number)", number % 2 == 0 ? "a" : "b", at: Int64(number) * 86_400))
    }
    let analysis = try ExperimentAnalysis(of: ExperimentData(events), AnalysisSettings())
    let page = HTMLReport(analysis).text
    let points = try #require(page.firstMatch(of: /points="([^"]*)"/)).output.1.split(separator: " ")
    #expect((150...202).contains(points.count), "\(points.count)")
    #expect(page.contains("1970-01-01") && page.contains("1972-09-2"))
  }
}

extension FlagValue {
  fileprivate var members: [String: FlagValue]? {
    if case .object(let members) = self { members } else { nil }
  }
}
