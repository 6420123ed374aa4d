import FlagJSON
import FlagDomain
import FlagReview
import Foundation
import TestSupport
import Testing

@testable import FlagDefinitions

@Suite("Hostile documents and contexts", .computing)
struct HostileDocumentTests {
  @Test(
    "Rules nest as deep as the limit says, and no deeper, on a small stack",
    arguments: [
      (100, "on TARGETING_MATCH"), (101, "PARSE_ERROR"), (100_000, "PARSE_ERROR"),
    ])
  func nesting(levels: Int, outcome: String) async throws {
    let rule = #"{"if": [\#(nested(#"{"!":["#, #"{"var": "x"}"#, "]}", times: levels - 2)), "on", "on"]}"#
    #expect(try await SmallStack.run { try FlagDocument(rule: rule).outcome() } == outcome)
  }

  @Test("Every operator that can nest does so up to the limit on a small stack", arguments: Nesting.all)
  func operators(nesting: Nesting) async throws {
    let rule = nested(nesting.opening, #"{"var": "x"}"#, nesting.closing, times: nesting.levels)
    let outcome = try await SmallStack.run {
      let document = try FlagDocument(rule: #"{"if": [\#(rule), "on", "on"]}"#)
      _ = FlagDocument.diagnostics(in: Data(#"{"flags":{"f":{"targeting":\#(rule)}}}"#.utf8))
      _ = document.explain("flag", in: EvaluationContext(attributes: Nesting.context), at: 0)
      return document.outcome(Nesting.context)
    }
    #expect(outcome == "on TARGETING_MATCH")
  }

  @Test("A text that nests without an end is an error on a small stack", arguments: ["[", #"{"a":"#, #"[{"":"#])
  func unclosed(opening: String) async throws {
    let text = #"{"flags": {"a": "# + String(repeating: opening, count: 200_000)
    let error = try await SmallStack.run { #expect(throws: FlagDocumentError.self) { try FlagDocument(text) } }
    #expect(error?.diagnostics.count == 1)
    #expect(error?.diagnostics.first?.column == text.utf8.count + 1)
    #expect(error?.description.utf8.count ?? .max < 1_000)
  }

  @Test(
    "More combining marks than any text has are refused, in names and values, however they are written",
    arguments: ["\u{301}", "\u{323}\u{301}", #"\u0323\u0301"#])
  func marks(marks: String) throws {
    let many = "a" + String(repeating: marks, count: Effort.rounds(30_000, thorough: 100_000))
    let text = """
      {"flags": {"\(many)": 1, "b": {"state": "\(many)"}, "c": {"state": "DISABLED", "variants": {"\(many)": 1}},
        "d": {"state": "ENABLED", "variants": {"on": 1}, "targeting": {"if": [{"$ref": "\(many)"}, "on"]}},
        "flag": {"state": "DISABLED", "variants": {"a\(String(repeating: "\u{301}", count: 256))": 1}}}}
      """
    var loaded: FlagDocument?
    let time = try processorTime { loaded = try FlagDocument(text) }
    #expect(time < .seconds(Effort.isOptimized ? 1 : 30))
    let document = try #require(loaded)
    #expect(document.diagnostics.count == 4 && document.outcome() == "none DISABLED")
    #expect(
      document.diagnostics.allSatisfy { $0.message == "expected at most 256 combining marks in a row, found more" })
  }

  @Test("Lists in lists are refused below the limit, wherever they stand", arguments: [256, 257, 100_000])
  func lists(levels: Int) async throws {
    let list = nested("[", "1", "]", times: levels)
    let outcome = try await SmallStack.run {
      try FlagDocument(rule: #"{"if": [{"cat": [{"var": "x"}]}, "on"], "data": \#(list)}"#).diagnostics.count
    }
    #expect(outcome == 1)
    #expect(throws: JSONError.self) { try FlagValue(json: Array(nested("[", "1", "]", times: 257).utf8)) }
    #expect(throws: Never.self) { try FlagValue(json: Array(nested("[", "1", "]", times: 256).utf8)) }
  }

  @Test("A document of more bytes than a program can number is refused", arguments: [false, true])
  func size(isTooLarge: Bool) throws {
    let text = Array(#"{"flags": {}}"#.utf8)
    let limit = isTooLarge ? text.count - 1 : text.count
    do {
      _ = try DocumentReader.read(text, of: "f.json", atMost: limit)
      #expect(!isTooLarge)
    } catch {
      #expect(error.description == "f.json:1:1: error: $: expected a document of at most 12 bytes, found 13")
      #expect(isTooLarge)
    }
  }

  @Test(
    "Evaluators that refer to themselves are an error when they are reached, and not before",
    arguments: [
      (#"{"$ref": "self"}"#, "PARSE_ERROR"), (#"{"$ref": "left"}"#, "PARSE_ERROR"),
      (#"{"if": [true, "on", {"$ref": "self"}]}"#, "on TARGETING_MATCH"),
      (#"{"if": [{"var": "x"}, {"$ref": "nothing"}, "on"]}"#, "on TARGETING_MATCH"),
      (#"{"$ref": "nothing"}"#, "PARSE_ERROR"), (#"{"$ref": 1}"#, "PARSE_ERROR"),
      (#"{"if": [{"$ref": "fine"}, "on"]}"#, "on TARGETING_MATCH"), (#"{"$ref": "laughs9"}"#, "PARSE_ERROR"),
    ])
  func references(rule: String, outcome: String) throws {
    let laughs = (1...9).map { number in
      #""laughs\#(number)": {"and": [\#(Array(repeating: #"{"$ref": "laughs\#(number - 1)"}"#, count: 10).joined(separator: ","))]}"#
    }
    let evaluators = """
      {"self": {"!": {"$ref": "self"}}, "left": {"!": {"$ref": "right"}}, "right": {"!": {"$ref": "left"}},
       "fine": {"!": {"var": "x"}}, "laughs0": {"!": {"var": "x"}}, \(laughs.joined(separator: ","))}
      """
    #expect(try FlagDocument(rule: rule, evaluators: evaluators).outcome() == outcome)
  }

  @Test(
    "Rules that would run for ever, or grow without end, are given up",
    arguments: [
      #"{"reduce": [{"var": "list"}, {"cat": [{"var": "accumulator"}, {"var": "accumulator"}]}, "text"]}"#,
      #"{"reduce": [{"var": "list"}, {"merge": [{"var": "accumulator"}, {"var": "accumulator"}]}, [1]]}"#,
      #"{"reduce": [{"var": "list"}, [{"var": "accumulator"}], []]}"#,
      #"{"map": [{"var": "list"}, {"map": [{"merge": [1, 2, 3, 4]}, {"var": ""}]}]}"#,
    ])
  func runaways(rule: String) async throws {
    let list = FlagValue.array(Array(repeating: 1, count: 200_000))
    #expect(try await SmallStack.run { try FlagDocument(rule: rule).outcome(["list": list]) } == "GENERAL")
  }

  @Test("A reduction over a large list is no runaway")
  func largeReduction() throws {
    let rule =
      #"{"if": [{"==": [{"reduce": [{"var": "l"}, {"+": [{"var": "accumulator"}, {"var": "current"}]}, 0]}, 5000050000]}, "on"]}"#
    let list = FlagValue.array((1...100_000).map { .int($0) })
    #expect(try FlagDocument(rule: rule).outcome(["l": list]) == "on TARGETING_MATCH")
  }

  @Test("A context of any depth is put into words, bytes and comparisons without an end of the stack")
  func deepContext() async throws {
    let deep = (0..<2_000).reduce(FlagValue.string("end")) { value, _ in .array([value]) }
    let rules = [
      #"{"cat": [{"var": "x"}]}"#, #"{"fractional": [{"var": "x"}, ["on", 1]]}"#,
      #"{"==": [{"var": "x"}, {"var": "x"}]}"#,
    ]
    let outcomes = try await SmallStack.run {
      try rules.map { try FlagDocument(rule: #"{"if": [\#($0), "on", "off"]}"#).outcome(["x": deep]) }
    }
    #expect(outcomes == ["off TARGETING_MATCH", "off TARGETING_MATCH", "on TARGETING_MATCH"])
  }

  private func nested(_ opening: String, _ core: String, _ closing: String, times count: Int) -> String {
    String(repeating: opening, count: count) + core + String(repeating: closing, count: count)
  }
}

/// An operator that can be inside of itself.
struct Nesting: Sendable, CustomTestStringConvertible {
  let opening: String
  let closing: String
  /// The maximum nesting of the operator in itself, within another operator and around a variable.
  var levels = 98

  var testDescription: String { opening }

  static let context: [String: FlagValue] = ["x": 1, "list": [1]]

  static let all = [
    Nesting(#"{"!":"#, "}"), Nesting(#"{"if":[true,"#, "]}"), Nesting(#"{"if":[{"var":"x"},"#, "]}"),
    Nesting(#"{"and":["#, "]}"), Nesting(#"{"+":["#, "]}"), Nesting(#"{"cat":["#, "]}"), Nesting(#"{"<":[1,2,"#, "]}"),
    Nesting(#"{"map":[{"var":"list"},"#, "]}"), Nesting(#"{"all":[{"var":"list"},"#, "]}"),
    Nesting(#"{"reduce":[{"var":"list"},"#, "]}"), Nesting(#"{"var":["y","#, "]}"), Nesting(#"{"var":["#, "]}"),
    Nesting(#"{"fractional":[["#, ",1]]}", levels: 49), Nesting(#"{"sem_ver":["#, #","=","1.0.0"]}"#),
    Nesting("[", "]"),
    Nesting(#"{"missing":["#, "]}"), Nesting(#"{"in":["a","#, "]}"),
  ]

  init(_ opening: String, _ closing: String, levels: Int = 98) {
    self.opening = opening
    self.closing = closing
    self.levels = levels
  }
}
