import Foundation
import TestSupport
import Testing

@Suite("Queries for other engines", .computing, .timeLimit(.minutes(15)))
struct SQLTests {
  @Test(
    "DuckDB makes the aggregates that the events themselves give", .needs(.duckDB),
    arguments: questions, Events.allCases)
  func agreesWithDuckDB(question: [String], events: Events) async throws {
    try await Self.check("duckdb", question, events, of: .largest) { events, query in
      (VirtualEnvironment.duckDB.python, [Self.script("duckdb_lines.py"), events, query])
    }
  }

  @Test(
    "PostgreSQL makes the aggregates that the events themselves give", .needs(.postgreSQL), .needs(.python),
    .needs(.thoroughRun),
    arguments: questions, Events.allCases)
  func agreesWithPostgreSQL(question: [String], events: Events) async throws {
    let (python, programs) = (try InstalledProgram.require("python3"), try #require(PostgreSQL.programs).path)
    try await Self.check("postgres", question, events, of: .largest) { events, query in
      (python, [Self.script("postgres_lines.py"), programs, events, query])
    }
  }

  @Test(
    "Spark makes the aggregates that the events themselves give", .needs(.longRun), .needs(.spark), .serialized,
    arguments: questions, Events.allCases)
  func agreesWithSpark(question: [String], events: Events) async throws {
    try await Self.check("spark", question, events, of: .beyondRanks) { events, query in
      (VirtualEnvironment.spark.python, [Self.script("spark_lines.py"), events, query])
    }
  }

  /// What the query and the analysis are asked for besides.
  private static let questions = [
    [], ["--covariate", "purchase", "--window", "12h"],
    ["--metric", "purchase:sum", "--metric", "purchase", "--metric", "purchase:sum:per:visit:count"]
      + ["--metric", "visit:count", "--by", "the plan", "--over-time", "--cap", "90%"],
    ["--metric", "visit:sum", "--metric", "purchase:count:per:visit", "--window", "12h", "--by", "the plan"]
      + ["--covariate", "visit:sum", "--cap", "50%", "--over-time"],
  ]

  private static func script(_ name: String) -> String {
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../SQL/\(name)").standardizedFileURL.path
  }

  /// What the events are of.
  enum Events: CaseIterable {
    case users, companies, visitors
  }

  /// Events, and what they themselves give for each question.
  private struct Sample {
    /// Of users a million events with FLAGS_LONG.
    static let largest = Sample(users: Effort.rounds(1_000, long: 500_000), units: Effort.rounds(600, long: 60_000))
    /// Of so many users that a hundred times a million times their number is beyond 32 bits.
    static let beyondRanks = Sample(users: 5_000, units: 3_000)

    let texts: [Events: String]
    let streamed: [Events: [[String]: Transcript]]

    init(users: Int, units: Int) {
      texts = [
        .users: SQLTests.userEvents(users), .companies: SQLTests.companyEvents(units),
        .visitors: SQLTests.visitorEvents(units),
      ]
      streamed = texts.mapValues { text in
        let transcripts = SQLTests.questions.map { question in
          let words = ["analyze", "--events", "e", "--flag", "button", "--json"] + question
          return (question, Transcript(words, files: ["e": text]))
        }
        return Dictionary(uniqueKeysWithValues: transcripts)
      }
    }
  }

  /// Visitors of whom two in three sign in, and then are seen again, buy, or both.
  private static func visitorEvents(_ count: Int) -> String {
    unitEvents(count) { number, visitor in
      let user = number % 3 == 0 ? visitor : "user-\(number)"
      let variants = number % 5 == 0 ? ["green", "blue"] : ["blue", "green"]
      let ids = #""units":{"visitorID":"\#(visitor)"}"#
      return [exposed(number, visitor, variants[number % 2], ids)]
        + (number % 2 == 0 ? [exposed(number + 7, user, variants[number % 4 / 2], ids)] : [])
        + (number % 4 < 3 ? [converted(number + 30 - number % 60, #""unit":"\#(user)",\#(ids)"#)] : [])
    }
  }

  /// Users of companies, some of whom have none, and conversions of users without a name, and of companies without one.
  private static func companyEvents(_ count: Int) -> String {
    unitEvents(count) { number, visitor in
      let company = "company \(number / 6)~/"
      let ids = #""unitAttribute":"the/company~","units":{"targetingKey":"user-\#(number)","visitorID":"\#(visitor)"}"#
      let own = #""unit":"user-\#(number)","units":{"the/company~":"\#(company)","visitorID":"\#(visitor)"}"#
      let other = number % 7 == 0 ? #""unit":"\#(company)""# : #""units":{"the/company~":"\#(company)"}"#
      return (number % 11 == 0 ? [] : [exposed(number, company, number / 6 % 2 == 0 ? "blue" : "green", ids)])
        + (number % 2 == 0 ? [converted(number + 30 - number % 60, own)] : [converted(number, other)])
    }
  }

  private static func unitEvents(_ count: Int, _ events: (Int, String) -> [String]) -> String {
    let lines = (0..<count).flatMap { events($0, "visitor-\($0 / 2 * 2)") }
    // Some are sent twice; conversions come first.
    return (lines + lines.prefix(50)).reversed().joined(separator: "\n") + "\n"
  }

  private static func exposed(_ number: Int, _ unit: String, _ variant: String, _ more: String) -> String {
    #"{"kind":"exposure","time":"\#(time(number))","flag":"button","variant":"\#(variant)","unit":"\#(unit)",\#(more)}"#
  }

  private static func converted(_ number: Int, _ more: String) -> String {
    #"{"kind":"conversion","id":"c\#(number)","time":"\#(time(number))","name":"purchase","value":\#(number % 5),\#(more)}"#
  }

  private static func time(_ number: Int) -> String {
    "2026-01-0\(1 + number % 7)T0\(number / 7 % 10):00:0\(number % 10)Z"
  }

  /// Events of users, and those that are left out.
  private static func userEvents(_ count: Int) -> String {
    let simulated = Transcript(
      [
        "simulate", "--flags", "f.json", "button", "--users", "\(count)", "--metric", "purchase=60%:19.99", "--metric",
        "it's \"\\ a näme=40%", "--metric", "visit=80%:3", "--effect", "green=+10%",
      ], files: ["f.json": SimulateTests.document])
    let lines = simulated.output.split(separator: "\n").map(String.init).enumerated().map { index, line in
      // Every third exposure has no plan.
      if index % 3 == 0 || !line.contains("\"exposure\"") { return line }
      return line.replacing("{\"flag\"", with: "{\"attributes\":{\"the plan\":\"p\(index % 2)\"},\"flag\"")
    }
    // What was sent twice, who saw both, who saw nothing, what came before, and a user who did nothing.
    let exposures = lines.prefix(50).filter { $0.contains("\"exposure\"") }
    let more =
      lines.prefix(100).filter { $0.contains("\"conversion\"") }
      + exposures.prefix(5).map { $0.replacing("\"blue\"", with: "\"x\"").replacing("\"green\"", with: "\"blue\"") }
      + lines.prefix(60).filter { $0.contains("\"conversion\"") }.map {
        $0.replacing("\"id\":\"", with: "\"id\":\"1").replacing("2026-", with: "2025-")
      }
      // The same ids again, at other times, of other values and under another name.
      + lines.prefix(400).filter { $0.contains("\"conversion\"") }.enumerated().map { index, line in
        line.replacing("\"value\":", with: "\"value\":\(1 + index % 3)")
          .replacing("\"time\":\"2026-01-01T", with: "\"time\":\"2026-01-0\(1 + index % 2)T")
      }
      + ["none-1", "none-2"].map { AnalyzeTests.conversion("purchase", $0) }
      + [AnalyzeTests.exposure("idle", "alone").replacing("checkout.button", with: "button")]
      + [AnalyzeTests.exposure("user-1", "other")]
    return (lines + more).joined(separator: "\n") + "\n"
  }

  /// Runs a query in an engine, and compares what its result gives with what the events give.
  private static func check(
    _ engine: String, _ question: [String], _ events: Events, of sample: Sample,
    _ command: @escaping @Sendable (String, String) -> (URL, [String])
  ) async throws {
    let query = Transcript(
      ["analyze", "--sql", engine, "--flag", "button", "--exposure-table", "app.seen"]
        + ["--column", "exposure.unit=user id"] + question)
    #expect(query.exitCode == 0)
    let text = try #require(sample.texts[events])
    let lines = try await onThread {
      let folder = FileManager.default.temporaryDirectory.appending(path: "sql-tests-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
      let files = (folder.appending(path: "events.jsonl"), folder.appending(path: "query.sql"))
      try Data(text.utf8).write(to: files.0)
      try Data(query.output.utf8).write(to: files.1)
      let (program, words) = command(files.0.path, files.1.path)
      let run = try ChildProcess.run(program, words, in: folder)
      #expect(run.status == 0, "\(run.errors)")
      return run.output
    }
    let made = Transcript(["analyze", "--aggregates", "a", "--json"] + options(of: question), files: ["a": lines])
    let streamed = try #require(sample.streamed[events]?[question])
    #expect(made.errors == "" && streamed.errors == "" && made.exitCode == streamed.exitCode)
    let (left, right) = (try Report(made.output), try Report(streamed.output))
    #expect(left.excluded == right.excluded && left["windowSeconds"] as? Int == right["windowSeconds"] as? Int)
    #expect(try AggregateRow.all(of: left) == AggregateRow.all(of: right))
    for part in ["metrics", "breakdown", "days"] { try expectClose(left[part], right[part], part) }
    #expect(right.variants.count == (events == .users ? 3 : 2))
    #expect(left.unitChecks == right.unitChecks && left.unitChecks.count == (events == .visitors ? 1 : 0))
  }
}

extension SQLTests {
  /// The options of the query that aggregates are analyzed with, too; the others are those of the query alone.
  private static func options(of question: [String]) -> [String] {
    var (options, rest) = ([String](), question[...])
    while let name = rest.popFirst() {
      if name == "--over-time" { continue }
      guard let value = rest.popFirst() else { break }
      if ["--metric", "--covariate"].contains(name) { options += [name, value] }
    }
    return options
  }

  /// Expects two parts of reports to have the same members, and numbers that differ by a part in 10^9 at most.
  private static func expectClose(_ left: Any?, _ right: Any?, _ path: String) throws {
    switch (left, right) {
    case (let left as [String: Any], let right as [String: Any]):
      #expect(left.keys.sorted() == right.keys.sorted(), "\(path)")
      for (name, value) in left { try expectClose(value, right[name], "\(path).\(name)") }
    case (let left as [Any], let right as [Any]):
      #expect(left.count == right.count, "\(path)")
      for (index, pair) in zip(left, right).enumerated() { try expectClose(pair.0, pair.1, "\(path)[\(index)]") }
    case (let left as Double, let right as Double):
      #expect((left - right).magnitude <= 1e-9 * max(right.magnitude, 1e-6), "\(path): \(left), \(right)")
    default: #expect("\(left ?? "nothing")" == "\(right ?? "nothing")", "\(path)")
    }
  }
}

/// What a variant's users did under a name; counts are equal as they are, sums to a part in 10^12.
private struct AggregateRow: Equatable {
  let counts: [String]
  let sums: [Double]

  static func == (left: Self, right: Self) -> Bool {
    left.counts == right.counts
      && zip(left.sums, right.sums).allSatisfy { ($0 - $1).magnitude <= 1e-12 * $1.magnitude }
  }

  static func all(of report: Report) throws -> [AggregateRow] {
    try report.variants.flatMap { variant in
      let conversions = try #require(variant["conversions"] as? [[String: Any]])
      let head =
        ["variant", "users", "usersOfSeveralVariants", "usersBefore"].map { variant[$0] }
        + ["visitors", "visitorsOfSeveralUnits"].map { variant[$0] as? Int ?? 0 }
      return [AggregateRow(counts: head.map { "\($0 ?? "")" }, sums: [])]
        + conversions.map { part in
          let before = part["before"] as? [String: Any] ?? [:]
          return AggregateRow(
            counts: ["name", "users", "count", "countSquares"].map { "\(part[$0] ?? "")" }
              + ["users", "usersOfBoth", "count", "countSquares", "countProducts"].map { "\(before[$0] ?? "")" },
            sums: ["sum", "sumSquares"].compactMap { part[$0] as? Double }
              + ["sum", "sumSquares", "sumProducts"].compactMap { before[$0] as? Double })
        }
    }
  }
}
