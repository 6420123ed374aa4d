import Foundation
import Testing

@Suite("flagctl analyze")
struct AnalyzeTests {
  /// Forty users of each variant, of whom 10 and 30 purchase, and what is left out.
  static let events: String = {
    var lines: [String] = []
    for number in 0..<80 {
      let (variant, unit) = (number % 2 == 0 ? "blue" : "green", "user-\(number)")
      lines.append(exposure(unit, variant))
      if number % 2 == 0 ? number < 20 : number < 60 { lines.append(conversion("purchase", unit, value: number % 7)) }
    }
    lines += [exposure("both", "blue"), exposure("both", "green"), conversion("purchase", "nobody")]
    lines += [#"{"schema":1,"kind":"loss","id":"L","time":"2026-01-05T00:00:00Z","count":1}"#, ""]
    lines += [#"{"schema":1,"kind":"click","id":"K","time":"2026-01-05T00:00:00Z"}"#]
    return lines.joined(separator: "\n")
  }()

  static func exposure(_ unit: String, _ variant: String) -> String {
    """
    {"schema":1,"kind":"exposure","id":"x-\(unit)","time":"2026-01-05T10:00:00Z","flag":"checkout.button",\
    "variant":"\(variant)","unit":"\(unit)","reason":"SPLIT"}
    """
  }

  static func conversion(_ name: String, _ unit: String, value: Int = 1) -> String {
    """
    {"schema":1,"kind":"conversion","id":"\(name)-\(unit)","time":"2026-01-05T10:00:01Z","name":"\(name)",\
    "unit":"\(unit)","value":\(value)}
    """
  }

  @Test("An experiment is reported in a few lines, with what was left out")
  func writesText() {
    let run = Transcript("analyze", "--events", "e.jsonl", files: ["e.jsonl": Self.events])
    #expect(
      run
        == Transcript(
          output: """
            Experiment checkout.button
              80 users, on 2026-01-05, compared with blue

            Health: sound
              ok  Sample ratio: as planned (p = 1.0000)
                  blue   40 users  50.0 %  planned 50.0 %
                  green  40 users  50.0 %  planned 50.0 %
              ok  Users of several variants: 1 (1.2 %), even over variants (p = 1.0000)
                  blue   1 of 41  2.4 %
                  green  0 of 40    0 %
              ok  Users with conversions before their first exposure: none
              ok  Events lost before they were sent: 1 (0.81 %), by variant: unknown

            purchase: share of users, more is better
                     users   value    effect        95 % interval  p (Holm)
              blue      40  25.0 %
              green     40  75.0 %  +200.0 %  -46.1 % to +2,140 %    0.3441
              green, at one planned look: +78.1 % to +440.8 %, p = 7.7e-6, wins > 99.9 %
              green  ━━━━┿━━━━━━━━━━━━━━━●━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━▶  undecided
                     -46.1 %                                            +661.2 %
              Next: wait for about 30 more users in each group, if the effect stays

            - 1 conversion of a user who was not exposed left out
            - 1 event of an unknown kind passed over
            - ● effect, ━ the interval that decides, ◀ ▶ it goes on, │ no effect
            - verdicts, p-values and intervals hold at any number of looks

            """))
  }

  @Test("Exposures and conversions come from two files, or from standard input, with the same result")
  func readsFiles() {
    let expected = Transcript("analyze", "--events", "e.jsonl", files: ["e.jsonl": Self.events])
    let lines = Self.events.split(separator: "\n").map(String.init)
    let files = [
      "x.jsonl": lines.filter { !$0.contains("conversion") }.joined(separator: "\n"),
      "c.jsonl": lines.filter { $0.contains("conversion") }.joined(separator: "\r\n"),
    ]
    #expect(Transcript("analyze", "--exposures", "x.jsonl", "--conversions", "c.jsonl", files: files) == expected)
    #expect(Transcript("analyze", "--conversions", "c.jsonl", "--exposures=x.jsonl", files: files) == expected)
    #expect(Transcript(["analyze", "--exposures", "-", "--conversions", "-"], input: [Self.events]) == expected)
    // What a file was not named for is not taken from it.
    let twice = ["x.jsonl": Self.events, "c.jsonl": files["c.jsonl"] ?? ""]
    #expect(Transcript("analyze", "--exposures", "x.jsonl", "--conversions", "c.jsonl", files: twice) == expected)
  }

  @Test("A broken line is an error with its file and line, or is counted")
  func brokenLines() {
    let files = ["e.jsonl": Self.events + "\n{\"kind\": 1}\n\nnothing\n"]
    let run = Transcript("analyze", "--events", "e.jsonl", files: files)
    #expect(
      run
        == Transcript(errors: "e.jsonl:127: kind: expected a string that is not empty, found 1\n", exitCode: 1))
    let skipping = Transcript("analyze", "--events", "e.jsonl", "--skip-broken", files: files)
    #expect(
      skipping.exitCode == 1
        && skipping.output.contains("  !!  Broken lines: 2 (1.6 %), more than 1 %, by variant: unknown\n"))
  }

  @Test(
    "JSON holds every number, and aggregates made of it give the same analysis",
    arguments: [[], ["--covariate", "purchase:sum", "--covariate", "purchase:count", "--prior", "0.1,0.04"]])
  func writesJSON(options: [String]) throws {
    let metrics =
      ["--metric", "purchase", "--metric", "purchase:sum", "--guardrail", "purchase:count:down=5%"]
      + ["--metric", "purchase:sum:per:purchase:count:down"] + options
    let before = (0..<80).filter { $0 % 3 == 0 }.map {
      Self.conversion("purchase", "user-\($0)", value: $0 % 7).replacing("2026-", with: "2025-")
        .replacing("\"id\":\"", with: "\"id\":\"before-")
    }
    let events = Self.events + "\n" + before.joined(separator: "\n")
    let run = Transcript(["analyze", "--events", "e.jsonl", "--json"] + metrics, files: ["e.jsonl": events])
    #expect(run.exitCode == 0)
    let report = try Report(run.output)
    #expect(report["flag"] as? String == "checkout.button" && report["schema"] as? Int == 1)
    let lines = try report.variants.map { variant in
      let line = variant.merging(["kind": "variant", "flag": "checkout.button"]) { old, _ in old }
      return String(decoding: try JSONSerialization.data(withJSONObject: line), as: UTF8.self)
    }
    let again = Transcript(
      ["analyze", "--aggregates", "a.jsonl", "--json"] + metrics, files: ["a.jsonl": lines.joined(separator: "\n")])
    #expect(try again.exitCode == 0 && Report(again.output).metrics == report.metrics)
    #expect(run.output.contains("\"adjustment\"") == !options.isEmpty)
  }

  @Test("Conversions count for a time, what was done before narrows intervals, and a prior moves the chance to win")
  func takesOptions() {
    let before = (0..<80).filter { $0 % 2 == 0 ? $0 < 18 : $0 < 55 }.map {
      Self.conversion("purchase", "user-\($0)").replacing("2026-", with: "2025-")
        .replacing("\"id\":\"", with: "\"id\":\"before-")
    }
    let late = Self.conversion("purchase", "user-79").replacing("10:00:01", with: "11:00:01")
    let run = Transcript(
      "analyze", "--events", "e.jsonl", "--covariate", "purchase", "--window", "1h", "--prior", "0,0.25",
      files: ["e.jsonl": ([Self.events, late] + before).joined(separator: "\n")])
    #expect(
      run
        == Transcript(
          output: """
            Experiment checkout.button
              80 users, on 2026-01-05, compared with blue

            !!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!
            !! Health: 1 check failed, and no number below counts until that is explained
            !!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!
              ok  Sample ratio: as planned (p = 1.0000)
                  blue   40 users  50.0 %  planned 50.0 %
                  green  40 users  50.0 %  planned 50.0 %
              ok  Users of several variants: 1 (1.2 %), even over variants (p = 1.0000)
                  blue   1 of 41  2.4 %
                  green  0 of 40    0 %
              !!  Users with conversions before their first exposure: 36 (45.0 %), uneven
                  over variants (p = 0.0001)
                  blue    9 of 40  22.5 %
                  green  27 of 40  67.5 %
              ok  Events lost before they were sent: 1 (0.62 %), by variant: unknown

            purchase: share of users, more is better
                     users   value   effect        95 % interval  p (Holm)
              blue      40  25.0 %
              green     40  75.0 %  +36.4 %  -100.0 %, unbounded    0.8612
              green: adjusted by the value before exposure (CUPED): variance -76.9 %
              green, at one planned look: -1.1 % to +122.1 %, p = 0.0583, wins 96.4 %
              green  ◀━━━━━━━━━━━━━━━━━━━┿━━━━━━━━━━●━━━━━━━━━━━━━━━━━━━━━━━━━━▶  undecided
                     -62.8 %                                            +122.1 %
              Next: explain the health check that failed before anything is decided

            - 36 conversions before the first exposure of their user left out, but for adjusting
            - conversions count for 1h after the first exposure of their user: 1 later one left out
            - 1 conversion of a user who was not exposed left out
            - 1 event of an unknown kind passed over
            - chances to win start from a prior of relative effects: mean 0.0, variance 0.25
            - ● effect, ━ the interval that decides, ◀ ▶ it goes on, │ no effect
            - verdicts, p-values and intervals hold at any number of looks

            """, exitCode: 1))
  }

  @Test("A verdict is for one look if that is asked for, and needs as many conversions as are asked for")
  func decides() {
    func run(_ words: String...) -> String {
      Transcript(["analyze", "--events", "e.jsonl"] + words, files: ["e.jsonl": Self.events]).output
    }
    #expect(run().contains("  undecided\n") && run("--one-look").contains("better, wins"))
    #expect(run("--one-look").contains("- verdicts, p-values and intervals hold at one look"))
    #expect(run("--conversions-at-least", "50").contains("no verdict: 40 users converted, 10 more are needed"))
  }

  @Test("Values that are too large, and variants with a single user, are described in words")
  func tellsLimits() {
    var lines = (0..<4).map { Self.exposure("user-\($0)", $0 < 3 ? "blue" : "green") }
    for value in ["1.5e308", "-1e308", "1e160"] {
      lines += (0..<4).map { number in
        Self.conversion("n\(value.prefix(2))", "user-\(number)").replacing("\"value\":1", with: "\"value\":\(value)")
      }
    }
    let words = ["--metric=n1.:sum", "--metric=n-1:sum", "--metric=n1e:sum", "--conversions-at-least=0"]
    for form in [[], ["--html"], ["--json"]] {
      let run = Transcript(
        ["analyze", "--events", "e.jsonl"] + words + form, files: ["e.jsonl": lines.joined(separator: "\n")])
      #expect(run.output.contains("values are too large"), "\(run)")
      for word in ["nan", "inf", "1 users"] { #expect(!run.output.contains(word), "\(word) in \(run)") }
    }
  }

  @Test("A page stands alone: it has no script, and asks for nothing")
  func writesPage() {
    let run = Transcript("analyze", "--events", "e.jsonl", "--html", files: ["e.jsonl": Self.events])
    #expect(run.exitCode == 0 && run.output.hasPrefix("<!doctype html>\n"))
    #expect(!run.output.contains("<script") && !run.output.contains("http") && !run.output.contains("url("))
  }

  @Test("What cannot be analyzed is one line")
  func refuses() {
    let none = Transcript("analyze", "--events", "e.jsonl", "--flag", "other", files: ["e.jsonl": Self.events])
    #expect(
      none
        == Transcript(
          errors: "flagctl: no flag is named \"other\": there are \"checkout.button\"\n", exitCode: 1))
    let another = Transcript(
      "analyze", "--events", "e.jsonl", "--flags", "f.json",
      files: ["e.jsonl": Self.events, "f.json": #"{"flags": {"a": {"state": "DISABLED", "variants": {"on": 1}}}}"#])
    #expect(
      another
        == Transcript(errors: "flagctl: no flag is named \"checkout.button\": there are \"a\"\n", exitCode: 1))
    let absent = Transcript("analyze", "--events", "gone")
    #expect(absent == Transcript(errors: "flagctl: gone: cannot be read: no such file\n", exitCode: 1))
  }

  @Test(
    "A command line that means nothing says what is expected",
    arguments: [
      ([], "one of --exposures and --conversions, --aggregates and --sql is expected, found 0"),
      (
        ["--events", "e", "--aggregates", "a"],
        "one of --exposures and --conversions, --aggregates and --sql is expected, found 2"
      ),
      (["--exposures", "e"], "--conversions FILE is missing"), (["--conversions", "e"], "--exposures FILE is missing"),
      (["--sql", "oracle"], "--sql is duckdb or postgres or spark, found oracle"),
      (["--sql", "duckdb"], "--flag FLAG is missing"),
      (["--events", "e", "--column", "a=b"], "--exposure-table, --conversion-table and --column are for --sql"),
      (["--events", "e", "--alpha", "1"], "--alpha is a number above 0 and under 0.5, found 1"),
      (["--events", "e", "--tuning", "x"], "--tuning is a number above 0, found x"),
      (["--events", "e", "--weights", "a"], "--weights is a list such as a=1,b=2, found a"),
      (["--events", "e", "--tolerance", "2"], "--tolerance: expected a share such as 1% or 0.01, found 2"),
      (["--events", "e", "--flags", "f", "--weights", "a=1"], "--flags is for analyzing without --weights"),
      (["--events", "e", "--prior", "0"], "--prior is a mean, and a variance above 0, such as 0,0.09, found 0"),
      (["--events", "e", "--prior", "0,0"], "--prior is a mean, and a variance above 0, such as 0,0.09, found 0,0"),
      (
        ["--events", "e", "--window", "7"],
        "--window: expected a time such as 7d, 36h, 90m or 30s, of a hundred years at most, found \"7\""
      ),
      (["--aggregates", "a", "--cap", "99%"], "--cap is for events and --sql: aggregates have theirs"),
      (["--aggregates", "a", "--by", "plan"], "--by is for events and --sql: aggregates have theirs"),
      (["--events", "e", "--cap", "2"], "--cap: expected a quantile such as 99% or 99.5%, found \"2\""),
      (["--aggregates", "a", "--window", "7d"], "--window is for events and --sql: aggregates have theirs"),
      (["--events", "e", "--covariate", ":sum"], "--covariate: expected the name of a conversion, found \":sum\""),
      (["--events", "e", "--correction", "x"], "--correction is holm or benjamini-hochberg or none, found x"),
      (
        ["--events", "e", "--guardrail", "crash"],
        "--guardrail: expected a metric and its margin, such as crash:count:down=2%, found \"crash\""
      ),
      (
        ["--events", "e", "--metric", "a", "--metric", "a:down"],
        "each metric is expected once, found a (share) several times"
      ),
      (["x"], "unknown argument x"),
    ])
  func usage(words: [String], message: String) {
    #expect(
      Transcript(["analyze"] + words)
        == Transcript(errors: "flagctl: \(message); see flagctl analyze --help\n", exitCode: 64))
  }
}

/// A report as JSON.
struct Report {
  private let members: [String: Any]

  init(_ text: String) throws {
    members = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  subscript(name: String) -> Any? { members[name] }

  var variants: [[String: Any]] { members["variants"] as? [[String: Any]] ?? [] }
  var excluded: NSDictionary { NSDictionary(dictionary: members["excluded"] as? [String: Any] ?? [:]) }
  /// The checks of what belongs together.
  var unitChecks: NSArray {
    let checks = (members["health"] as? [String: Any])?["checks"] as? [[String: Any]] ?? []
    return NSArray(
      array: checks.filter { ["conversionsOfOthers", "visitorsOfSeveralUnits"].contains($0["kind"] as? String) })
  }
  var metrics: NSArray { NSArray(array: members["metrics"] as? [Any] ?? []) }
}
