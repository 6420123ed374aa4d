import FlagDefinitions
import FlagDomain
import Foundation
import TestSupport
import Testing

/// Small documents that once ran for minutes, filled the memory or overflowed the stack: one test each.
@Suite("Small documents that ask for too much", .computing)
struct EvaluationBudgetTests {
  /// A list of 16 elements, merged with itself as often as wanted: 16, 256, 4,096, ...
  private static func list(_ power: Int) -> String {
    let ones = "[\(Array(repeating: "1", count: 16).joined(separator: ","))]"
    return (1..<power).reduce(ones) { list, _ in
      #"{"reduce": [\#(ones), {"merge": [{"var": "accumulator"}, \#(list)]}, []]}"#
    }
  }

  @Test("A reduction that wraps what it has in an object each time is given up below the end of the stack")
  func wrapping() async throws {
    let rule = #"{"!!": [{"reduce": [\#(Self.list(4)), {"var": ""}, null]}]}"#
    #expect(try await outcome(of: rule) == "GENERAL")
  }

  @Test("A long text that is compared again and again is given up by the bytes that are compared")
  func comparing() async throws {
    let text =
      #"{"reduce": [\#(Self.list(1)), {"cat": [{"var": "accumulator"}, {"var": "accumulator"}]}, "0123456789012345678901234567890123456789"]}"#
    let rule = #"{"reduce": [\#(Self.list(4)), {"==": [\#(text), \#(text)]}, 0]}"#
    #expect(try await outcome(of: rule) == "GENERAL")
  }

  @Test("Constants that double each other are not worked out while a document is loaded")
  func folding() async throws {
    let evaluators = (1...40).map { #""e\#($0)": {"cat": [{"$ref": "e\#($0 - 1)"}, {"$ref": "e\#($0 - 1)"}]}"# }
    let uses = (0..<4).map { _ in #"{"cat": [{"$ref": "e12"}, {"var": "x"}]}"# }.joined(separator: ",")
    let document = try await loaded(
      rule: #"{"merge": [\#(uses)]}"#,
      evaluators: #"{"e0": "\#(String(repeating: "x", count: 1000))", \#(evaluators.joined(separator: ","))}"#)
    #expect(document.outcome() == "GENERAL")
  }

  @Test("A large shared rule is compiled once, however many flags use it")
  func sharing() async throws {
    let evaluators = (1...15).map { #""e\#($0)": {"and": [{"$ref": "e\#($0 - 1)"}, {"$ref": "e\#($0 - 1)"}]}"# }
    let flags = (0..<1000).map { number in
      """
      "f\(number)": {"state": "ENABLED", "variants": {"on": true, "true": false},
        "targeting": {"if": [{"$ref": "e\(number.isMultiple(of: 2) ? 15 : 12)"}, "on"]}}
      """
    }
    let text = """
      {"flags": {\(flags.joined(separator: ","))},
       "$evaluators": {"e0": {"!!": [{"var": "x"}]}, \(evaluators.joined(separator: ","))}}
      """
    let documents = try await timed {
      let (first, second) = (try FlagDocument(text), try FlagDocument(text))
      #expect(second.changedKeys(from: first).isEmpty)
      return first
    }
    #expect(try documents.evaluate("f1", in: EvaluationContext(attributes: ["x": 1]), at: 0)?.variant == "on")
    #expect(throws: FlagError.self) { try documents.evaluate("f0", in: EvaluationContext(), at: 0) }
  }

  @Test("An explanation has a bounded size, says how much it left out, and shows an iteration once")
  func explaining() async throws {
    let text = String(repeating: "x", count: 500)
    let rule =
      #"{"if": [{"reduce": [\#(Self.list(3)), {"+": [{"var": "accumulator"}, 1, "\#(text)"]}, 0]}, "on", "off"]}"#
    let document = try FlagDocument(rule: rule)
    let explanation = try await timed { document.explain("flag", in: EvaluationContext(), at: 0) }
    let reduction = try #require(explanation.steps.first?.parts.first)
    #expect(reduction.iteration?.count == 4096)
    #expect(explanation.omittedSteps == 0)
    #expect(size(of: explanation.steps) < 100_000)

    let wide =
      #"{"if": [{"or": [\#(Array(repeating: #"{"!": [{"var": "x"}]}"#, count: 20_000).joined(separator: ","))]}, "on"]}"#
    let context = EvaluationContext(attributes: ["x": 1])
    let widest = try FlagDocument(rule: wide).explain("flag", in: context, at: 0)
    #expect(widest.omittedSteps == 40_002 - 2_000)
    #expect(size(of: widest.steps) < 2_000_000)
  }

  @Test("Texts of the document that are read again and again are given up by their bytes", arguments: Repeated.all)
  func repeating(repeated: Repeated) async throws {
    #expect(repeated.document.utf8.count < 1_000_000)
    let outcome = try await timed {
      let document = try FlagDocument(repeated.document)
      let key = try #require(document.keys.first)
      _ = document.explain(key, in: EvaluationContext(), at: 0)
      do throws(FlagError) {
        return try document.evaluate(key, in: EvaluationContext(), at: 0)?.variant
      } catch {
        return "\(error.code)"
      }
    }
    #expect(outcome == repeated.outcome)
  }

  @Test("A split of many shares finds one without going through all of them")
  func splitting() async throws {
    let shares = Array(repeating: #"["off",1]"#, count: 40_000).joined(separator: ",")
    let elements = Array(repeating: "1", count: 50_000).joined(separator: ",")
    let rule = #"{"if":[{"map":[[\#(elements)],{"fractional":[{"var":""},\#(shares)]}]},"on"]}"#
    #expect(try await outcome(of: rule) == "on TARGETING_MATCH")
  }

  @Test("An error names a few of many variants, and the beginning of a long one")
  func naming() throws {
    let variants = (0..<1_000).map { #""\#(String(repeating: "v", count: 500))\#($0)": 1"# }.joined(separator: ",")
    let document = try FlagDocument(
      #"{"flags": {"flag": {"state": "ENABLED", "variants": {\#(variants)}, "targeting": {"cat": ["no"]}}}}"#)
    let error = #expect(throws: FlagError.self) { try document.evaluate("flag", in: EvaluationContext(), at: 0) }
    let message = try #require(error?.message)
    #expect(message.utf8.count < 1_500 && message.contains("… and 990 more, found \"no\""), "\(message)")
  }

  @Test("Arrays that double are refused before the memory is taken")
  func merging() async throws {
    let rule =
      #"{"reduce": [\#(Self.list(2)), {"merge": [{"var": "accumulator"}, {"var": "accumulator"}]}, \#(Self.list(2))]}"#
    #expect(try await outcome(of: rule) == "GENERAL")
  }

  @Test("Arrays of themselves, which take little memory and have no end, are given up")
  func webs() async throws {
    for body in [#"[{"var": "accumulator"}, {"var": "accumulator"}]"#, #"{"map": [[1, 2], {"var": ""}]}"#] {
      _ = try await outcome(of: #"{"reduce": [\#(Self.list(2)), \#(body), [1]]}"#)
    }
    let web = (0..<40).reduce(#"{"var": ""}"#) { rule, _ in
      #"{"map": [[[{"var": ""}, {"var": ""}]], \#(rule)]}"#
    }
    _ = try await outcome(of: #"{"map": [[1], {"cat": [\#(web)]}]}"#)
    _ = try await outcome(of: #"{"fractional": [\#(web), ["on", 1]]}"#)
  }
}

extension EvaluationBudgetTests {
  private func outcome(of rule: String) async throws -> String {
    #expect(rule.utf8.count < 1_000_000)
    return try await timed { try FlagDocument(rule: rule).outcome() }
  }

  private func loaded(rule: String, evaluators: String) async throws -> FlagDocument {
    try await timed { try FlagDocument(rule: rule, evaluators: evaluators) }
  }

  /// Runs work on a small stack, and checks that it takes a second of the processor at most; code without optimization
  /// gets sixty.
  private func timed<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await SmallStack.run {
      var value: Value?
      let time = try processorTime { value = try work() }
      #expect(time < .seconds(Effort.isOptimized ? 1 : 60), "\(time)")
      return try #require(value)
    }
  }

  private func size(of steps: [FlagExplanation.Step]) -> Int {
    steps.reduce(0) { size, step in
      size + "\(step.rule)".utf8.count + "\(step.value ?? .null)".utf8.count + self.size(of: step.parts)
    }
  }
}

/// A rule that uses one long text of its document thousands of times.
struct Repeated: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let document: String
  let outcome: String

  static let all = [
    Repeated("a flag's key", key: long, rule: #"{"var":"$flagd.flagKey"}"#),
    Repeated("a variable of one name", rule: #"{"var":"\#(long)"}"#),
    Repeated(
      "a variable of many names", rule: #"{"var":"\#(String(repeating: "a.", count: 100_000))"}"#,
      outcome: "on"),
    Repeated("a name of combining marks that double each other", rule: marks),
    Repeated("a name that is missing", rule: #"{"missing":["\#(long)"]}"#),
  ]

  private static let long = String(repeating: "k", count: 200_000)

  private static let marks =
    #"{"var":[{"reduce":[[1,1,1,1,1,1,1,1,1,1],{"cat":[{"var":"accumulator"},{"var":"accumulator"}]},"\#(lowered)"]}]}"#

  private static let lowered = String(repeating: "\u{301}", count: 100) + String(repeating: "\u{323}", count: 100)

  private init(_ description: String, key: String = "flag", rule: String, outcome: String = "GENERAL") {
    testDescription = description
    self.outcome = outcome
    // A few hundred read more than the budget's bytes, too.
    let count = Effort.rounds(300, thorough: 5_000)
    let uses = Array(repeating: #"{"$ref":"e"}"#, count: count).joined(separator: ",")
    document = """
      {"flags": {"\(key)": {"state": "ENABLED", "variants": {"on": true},
        "targeting": {"if": [{"!": [[\(uses)]]}, null, "on"]}}}, "$evaluators": {"e": \(rule)}}
      """
  }
}
