import FlagAnalysis
import Foundation
import Testing

@Suite("Aggregates")
struct AggregateTests {
  @Test("Counts and sums of another engine give what events give")
  func reads() throws {
    let data = try ExperimentData(users: 100, shares: ["a": 0.1, "b": 0.2])
    var reader = AggregateReader()
    for line in [
      #"{"schema": 1, "kind": "variant", "flag": "f", "variant": "b", "users": 100, "conversions": [{"name": "purchase", "#
        + #""users": 20, "count": 20.0, "countSquares": 2e1, "sum": 40, "sumSquares": 80, "nonzero": 20, "negative": 0, "more": 1}]}"#,
      #"{"kind": "variant", "flag": "f", "variant": "a", "users": 100, "conversions": [{"name": "purchase", "#
        + #""users": 10, "count": 10, "countSquares": 10, "sum": 20, "sumSquares": 40, "nonzero": 10, "negative": 0}]}"#,
      #"{"kind": "excluded", "usersOfSeveralVariants": 1, "conversionsBefore": 2, "conversionsOfOthers": 3, "#
        + #""duplicates": 4}"#,
    ] { try reader.add(Array(line.utf8)) }
    let read = try reader.finish()
    #expect(read.flag == "f" && read.variants.map(\.name) == ["a", "b"])
    #expect(read.excluded.usersOfSeveralVariants == 1 && read.excluded.duplicates == 4)
    let analyses = try [data, read].map { data in
      var settings = AnalysisSettings()
      settings.metrics = [Metric("purchase"), Metric("purchase", .count), Metric("purchase", .sum)]
      return try ExperimentAnalysis(of: data, settings).metrics.map { $0.rows[1].comparison }
    }
    #expect(analyses[0] == analyses[1])
  }

  @Test(
    "A line that is wrong is an error that says where and what was expected",
    arguments: [
      ("[]", "expected an object, found []"),
      ("{", "column 2: expected a name in quotation marks, found the end of the document"),
      (#"{"schema": 2}"#, "schema: expected 1, found 2"),
      (#"{"kind": "variant"}"#, "variant: expected a string that is not empty, found nothing"),
      (
        #"{"kind": "variant", "variant": "a", "users": 1.5}"#, "users: expected a whole number of at least 0, found 1.5"
      ),
      (#"{"kind": "variant", "variant": "a", "users": 1}"#, "conversions: expected an array, found nothing"),
      (
        #"{"kind": "variant", "variant": "a", "users": 1, "conversions": [1]}"#,
        "conversions[0]: expected an object, found 1"
      ),
      (
        #"{"kind": "variant", "variant": "a", "users": 1, "conversions": [{"name": "n", "users": 2}]}"#,
        "conversions[0].users: expected at most the variant's 1, found 2"
      ),
      (
        #"{"kind": "variant", "variant": "a", "users": 2, "conversions": [{"name": "n", "users": 2, "count": 2, "#
          + #""countSquares": 1}]}"#,
        "conversions[0].countSquares: 1.0, expected at least sum^2 / count = 2.0"
      ),
      (before("1"), "conversions[0].before: expected an object, found 1"),
      (
        before(#"{"users": 5, "usersOfBoth": 0}"#),
        "conversions[0].before.users: expected at most the variant's 4, found 5"
      ),
      (
        before(#"{"users": 2, "usersOfBoth": 2}"#),
        "conversions[0].before.usersOfBoth: expected at most 1, those before and those since, found 2"
      ),
      (
        before(#"{"users": 2, "usersOfBoth": 1, "count": 4, "countSquares": 1}"#),
        "conversions[0].before.countSquares: 1.0, expected at least sum^2 / count = 4.0"
      ),
      (
        before(#"{"users": 2, "usersOfBoth": 1, "count": 2, "countSquares": 2}"#),
        "conversions[0].before.countProducts: expected a number, found nothing"
      ),
      (
        excluded(#", "conversionsAfter": 1, "windowSeconds": 0"#),
        "windowSeconds: expected at least 1, and a hundred years at most, found 0"
      ),
      (excluded(#", "windowSeconds": 60"#), "conversionsAfter: expected a number, found nothing"),
      (#"{"kind": "excluded"}"#, "usersOfSeveralVariants: expected a number, found nothing"),
    ] as [(String, String)])
  func refuses(line: String, message: String) {
    var reader = AggregateReader()
    #expect(throws: AnalysisError(message)) { try reader.add(Array(line.utf8)) }
  }

  private static func before(_ before: String) -> String {
    #"{"kind": "variant", "variant": "a", "users": 4, "conversions": [{"name": "n", "users": 1, "count": 1, "#
      + #""countSquares": 1, "sum": 0, "sumSquares": 0, "before": \#(before)}]}"#
  }

  private static func excluded(_ more: String) -> String {
    #"{"kind": "excluded", "usersOfSeveralVariants": 0, "conversionsBefore": 0, "conversionsOfOthers": 0, "#
      + #""duplicates": 0\#(more)}"#
  }

  @Test("Each variant has one line, and all are of one flag")
  func refusesSeveral() throws {
    var reader = AggregateReader()
    let line = #"{"kind": "variant", "flag": "f", "variant": "a", "users": 1, "conversions": []}"#
    try reader.add(Array(line.utf8))
    #expect(throws: AnalysisError(#"variant: expected one line for "a", found another one"#)) {
      try reader.add(Array(line.utf8))
    }
    #expect(throws: AnalysisError(#"flag: expected "f" as before, found "g""#)) {
      try reader.add(Array(line.replacing(#""f""#, with: #""g""#).utf8))
    }
  }
}

@Suite("Queries for aggregates")
struct AggregateQueryTests {
  @Test(
    "Names and texts are quoted as the engine wants it",
    arguments: [
      (.duckdb, #""my ""table"""."\events""#, #"'it''s \'"#), (.postgres, #""my ""table"""."\events""#, #"'it''s \'"#),
      (.spark, #"`my "table"`.`\events`"#, #"'it\'s \\'"#),
    ] as [(SQLDialect, String, String)])
  func quotes(dialect: SQLDialect, table: String, literal: String) throws {
    var query = AggregateQuery(dialect, flag: #"it's \"#)
    query.exposures = #"my "table".\events"#
    try query.setColumn("exposure.unit=user id")
    #expect(query.text.contains("FROM \(table)\n"))
    #expect(query.text.contains(" = \(literal) AND "))
    #expect(query.text.contains(dialect == .spark ? "`user id` AS unit" : #""user id" AS unit"#))
  }

  @Test("A column that no query reads is an error", arguments: ["", "unit=a", "exposure.unit", "exposure.unit="])
  func refuses(text: String) {
    var query = AggregateQuery(.duckdb, flag: "f")
    #expect(throws: AnalysisError.self) { try query.setColumn(text) }
  }
}
