import FlagDomain
import Foundation
import Testing

@testable import FlagDefinitions

@Suite("Instants at which rules about the time change their answer")
struct InstantTests {
  private static let time = #"{"var": "$flagd.timestamp"}"#

  @Test(
    "A comparison of the time with a number is kept until it comes out differently, and no longer",
    arguments: [
      (#"{"<": [TIME, 100]}"#, [100]), (#"{"<=": [TIME, 100]}"#, [101]), (#"{">": [TIME, 100]}"#, [101]),
      (#"{">=": [TIME, 100]}"#, [100]), (#"{"<": [100, TIME]}"#, [101]), (#"{"<=": [100, TIME]}"#, [100]),
      (#"{">": [100, TIME]}"#, [100]), (#"{">=": [100, TIME]}"#, [101]), (#"{"==": [TIME, 100]}"#, [100, 101]),
      (#"{"!==": [100, TIME]}"#, [100, 101]), (#"{"<": [TIME, 99.5]}"#, [100]), (#"{"<=": [TIME, 99.5]}"#, [100]),
      (#"{"===": [TIME, 99.5]}"#, []), (#"{"<=": [100, TIME, 200]}"#, [100, 201]),
      (#"{"<": [100, TIME, 200]}"#, [101, 200]),
      (#"{"and": [{">=": [TIME, 50]}, {"!": [{">=": [TIME, 90]}]}]}"#, [50, 90]),
      (#"{"in": [{"if": [{"<": [TIME, 70]}, "a", "b"]}, "ab"]}"#, [70]),
    ])
  func instants(rule: String, expected: [Int64]) throws {
    let document = try FlagDocument(condition: rule)
    #expect(Array(sequence(first: 0) { document.nextInstant(after: $0) }.dropFirst()) == expected)

    var last = Int64(0)
    for second in Int64(0)...250 {
      let answer = try #require(try document.evaluate("flag", in: EvaluationContext(), at: second) { 0 })
      #expect(answer.variant == (try document.evaluate("flag", in: EvaluationContext(), at: second))?.variant)
      #expect(!answer.isTransient)
      let isInstant = expected.contains(second)
      #expect(document.changedKeys(after: last, through: second) == (isInstant ? ["flag"] : []), "at \(second)")
      let before = try document.evaluate("flag", in: EvaluationContext(), at: last) { 0 }
      #expect(isInstant || answer.variant == before?.variant, "at \(second)")
      last = second
    }
  }

  @Test(
    "A rule that takes the time for anything else is asked at each read",
    arguments: [
      #"{"<": [{"-": [TIME, 10]}, 100]}"#, #"{"<": [TIME, {"var": "until"}]}"#, #"{"<": [TIME, "100"]}"#,
      #"{"==": [{"%": [TIME, 2]}, 0]}"#, #"{"var": "$flagd"}"#, #"{"<": [{"var": ["$flagd.timestamp", 1]}, 100]}"#,
      #"{"var": [{"cat": ["$flagd.", "timestamp"]}]}"#, #"{"and": [{"<": [TIME, 100]}, {"!!": [TIME]}]}"#,
      #"{"<": [TIME]}"#, #"{"<": [TIME, 1, 2, 3]}"#, #"{"in": [{"var": ""}, "x"]}"#,
    ])
  func free(rule: String) throws {
    let document = try FlagDocument(condition: rule)
    for now in [Int64(5), 99, 100, 101] {
      let answer = try document.evaluate("flag", in: EvaluationContext(), at: 5) { now }
      #expect(answer?.isTransient == true)
      #expect(answer?.variant == (try document.evaluate("flag", in: EvaluationContext(), at: now))?.variant)
    }
  }

  @Test("Only flags whose comparisons were passed change, through shared rules and merged documents, too")
  func crossing() throws {
    let texts = [Self.shared(100, 200, "a", "b"), Self.shared(150, 200, "b", "c")]
    let merged = try StoredDefinitions(
      merging: texts.map { try StoredDefinitions(parsing: Array($0.utf8)) }
    ).document
    #expect(merged.nextInstant(after: 0) == 100)
    func changed(_ start: Int64, _ end: Int64) -> Set<String> { merged.changedKeys(after: start, through: end) }
    #expect(changed(0, 99) == [])
    #expect(changed(0, 100) == ["a"])
    #expect(changed(100, 149) == [])
    #expect(changed(100, 150) == ["b"])
    #expect(changed(150, 300) == ["a", "b", "c"])
  }

  /// A document whose first flag begins at one time, and whose second ends at another; both end together.
  private static func shared(_ start: Int, _ end: Int, _ first: String, _ second: String) -> String {
    """
    {"flags": {
      "\(first)": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off",
        "targeting": {"if": [{"and": [{">=": [\(time), \(start)]}, {"$ref": "running"}]}, "on", "off"]}},
      "\(second)": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off",
        "targeting": {"if": [{"$ref": "running"}, "on", "off"]}},
      "plain": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off"}
    }, "$evaluators": {"running": {"<": [\(time), \(end)]}}}
    """
  }

  @Test("An instant that no clock reaches, and thousands of them, do no harm")
  func extremes() throws {
    let numbers = ["1e300", "-1e300", "9007199254740993", "-5", "1e-300"]
    for number in numbers {
      let document = try FlagDocument(condition: "{\"<\": [TIME, \(number)]}")
      _ = document.nextInstant(after: 10)
      #expect(document.nextInstant(after: .max) == nil)
      _ = document.changedKeys(after: .min, through: .max)
    }
    let many = (1...5_000).map { #"{"<": [TIME, \#($0)]}"# }.joined(separator: ",")
    let document = try FlagDocument(condition: "{\"or\": [\(many)]}")
    #expect(document.nextInstant(after: 4_999) == 5_000)
    #expect(document.changedKeys(after: 4_998, through: 4_999) == ["flag"])
  }
}

extension FlagDocument {
  /// Creates a document of one flag, `flag`, that is on if a condition holds; `TIME` stands for the time.
  fileprivate init(condition: String) throws {
    let rule = condition.replacingOccurrences(of: "TIME", with: #"{"var": "$flagd.timestamp"}"#)
    try self.init(
      parsing: Data(
        """
        {"flags": {"flag": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off",
          "targeting": {"if": [\(rule), "on", "off"]}}}}
        """.utf8))
  }
}
