import FlagDomain
import FlagJSON
import Foundation
import Testing

@testable import FlagDefinitions

@Suite("Agreement with other implementations of the format")
struct AgreementTests {
  @Test(
    "What is a share is decided by what an operand gives, and not by how it is written",
    arguments: [
      (#"{"fractional": [{"merge": ["on", 1]}, ["off", 0]]}"#, "on TARGETING_MATCH"),
      (#"{"fractional": [{"var": "share"}, ["off", 0]]}"#, "on TARGETING_MATCH"),
      (#"{"fractional": [["off", 0], {"var": "share"}]}"#, "on TARGETING_MATCH"),
      (#"{"fractional": ["u", {"if": [true, ["on", 1]]}]}"#, "on TARGETING_MATCH"),
      (#"{"fractional": [{"var": "x"}, {"var": "share"}]}"#, "on TARGETING_MATCH"),
      (#"{"fractional": [{"var": "none"}, ["on", 1]]}"#, "off DEFAULT"),
    ])
  func shares(rule: String, outcome: String) throws {
    let context: [String: FlagValue] = ["share": ["on", 1], "x": 1, "targetingKey": "ana"]
    #expect(try FlagDocument(rule: rule).outcome(context) == outcome)
  }

  @Test(
    "Of the older bucketing, only texts are hashed",
    arguments: [(#"1"#, "off DEFAULT"), ("true", "off DEFAULT"), (#""u""#, "on TARGETING_MATCH")])
  func olderBucketing(subject: String, outcome: String) throws {
    let text = """
      {"flags": {"flag": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off",
        "targeting": {"fractional": [{"var": "x"}, ["on", 1]]}}}}
      """
    let document = try FlagDocument(parsing: Data(text.utf8), bucketing: .v2)
    let value = try FlagValue(json: Array(subject.utf8))
    #expect(document.outcome(["x": value, "targetingKey": "ana"]) == outcome)
  }

  @Test(
    "A numeral with a fraction or an exponent falls where the whole number that it denotes falls",
    arguments: [
      ("4.5499615414085075e+17", "454996154140850752"), ("1e16", "10000000000000000"), ("12.0", "12"),
      ("-9.223372036854775808e18", "-9223372036854775808"), ("0.1e3", "100"),
    ])
  func numerals(fraction: String, whole: String) throws {
    func bucket(of numeral: String) throws -> Int? {
      let document = try FlagDocument(rule: #"{"fractional": [{"var": "x"}, ["on", 1000000], ["off", 1000000]]}"#)
      let context = EvaluationContext(attributes: ["x": try FlagValue(json: Array(numeral.utf8))])
      return document.explain("flag", in: context, at: 0).steps.first?.bucket?.number
    }
    #expect(try bucket(of: fraction) == bucket(of: whole))
    #expect(try bucket(of: whole) != nil)
  }

  @Test("Names are compared by their code points, and split at their points")
  func names() throws {
    let composed = "caf\u{e9}"
    let decomposed = "cafe\u{301}"
    #expect(try RuleHarness.evaluate(["var": .string("a.\u{301}b")], on: ["a": ["\u{301}b": 1]]) == 1)
    #expect(try RuleHarness.evaluate(["var": .string(composed)], on: .object([decomposed: 1])) == .null)
    let flag = #"{"state": "ENABLED", "variants": {"on": true}, "defaultVariant": "on"}"#
    let document = try FlagDocument(
      #"{"flags": {"\#(composed)": \#(flag), "\#(decomposed)": {"state": "DISABLED", "variants": {"on": true}}}}"#)
    #expect(document.keys.count == 2)
    #expect(try document.evaluate(composed, in: EvaluationContext(), at: 0)?.reason == .static)
    #expect(try document.evaluate(decomposed, in: EvaluationContext(), at: 0)?.reason == .disabled)
    let renamed = try FlagDocument(rule: #"{"cat": ["\#(composed)"]}"#)
    #expect(try renamed.changedKeys(from: FlagDocument(rule: #"{"cat": ["\#(decomposed)"]}"#)) == ["flag"])
  }

  @Test(
    "An empty array as a name means nothing, and an empty text the whole data",
    arguments: [
      (#"{"var": [[], 7]}"#, "7"), (#"{"var": [{"merge": []}, 7]}"#, "7"), (#"{"var": {"merge": [[]]}}"#, "null"),
      (#"{"var": ["", 7]}"#, #"{"a":1}"#), (#"{"var": [{"cat": []}, 7]}"#, #"{"a":1}"#), (#"{"var": []}"#, #"{"a":1}"#),
    ])
  func emptyNames(rule: String, result: String) throws {
    #expect(try "\(RuleHarness.evaluate(rule, on: #"{"a": 1}"#))" == result)
  }

  @Test("Versions have numbers of any length")
  func longVersions() throws {
    let nines = String(repeating: "9", count: 500)
    #expect(
      try RuleHarness.evaluate(#"{"sem_ver": ["1.0.\#(nines)", "<", {"var": "v"}]}"#, on: #"{"v": "1.1"}"#) == true)
    #expect(
      try RuleHarness.evaluate(
        #"{"sem_ver": [{"var": "v"}, "<", "1\#(nines).0.0"]}"#, on: #"{"v": "\#(nines).0.0"}"#) == true)
  }

  @Test(
    "Operands are evaluated whether they are needed or not, and branches only where they are taken",
    arguments: [
      (#"{"fractional": ["u", ["on", 1], [{"nonsense": 1}, 0]]}"#, "PARSE_ERROR"),
      (#"{"starts_with": ["a", "b", {"nonsense": 1}]}"#, "PARSE_ERROR"),
      (#"{"!": [true, {"nonsense": 1}]}"#, "PARSE_ERROR"), (#"{"var": ["x", {"nonsense": 1}]}"#, "PARSE_ERROR"),
      (#"{"sem_ver": ["1.0.0", "=", "1.0.0", {"nonsense": 1}]}"#, "PARSE_ERROR"),
      (#"{"if": [true, "on", {"nonsense": 1}]}"#, "on TARGETING_MATCH"),
      (#"{"if": [{"or": [true, {"nonsense": 1}]}, "on"]}"#, "on TARGETING_MATCH"),
      (#"{"if": [{"and": [{"var": "y"}, {"nonsense": 1}]}, "on", "off"]}"#, "off TARGETING_MATCH"),
    ])
  func operands(rule: String, outcome: String) throws {
    #expect(try FlagDocument(rule: rule).outcome(["x": 1]) == outcome)
  }

  @Test("An error carries the metadata that an answer would carry")
  func metadataOfErrors() throws {
    let document = try FlagDocument(
      """
      {"flags": {"flag": {"state": "ENABLED", "variants": {"on": true}, "targeting": {"nonsense": []},
        "metadata": {"owner": "growth"}}}, "metadata": {"version": "7"}}
      """)
    let error = #expect(throws: FlagError.self) { try document.evaluate("flag", in: EvaluationContext(), at: 0) }
    #expect(error?.metadata == ["owner": "growth", "version": "7"])
  }

  @Test("A short split in an iteration goes by the evaluation's keys, and not by the element")
  func shortSplit() throws {
    let inside = #"{"if": [{"some": [[{"targetingKey": "x", "y": 1}], {"==": [\#(Self.split), "on"]}]}, "on"]}"#
    let (outer, inner) = (try FlagDocument(rule: Self.split), try FlagDocument(rule: inside))
    for key in ["ana", "ben", "cem", "dan", "eva", "fay"] {
      let (one, other) = (outer.outcome(["targetingKey": .string(key)]), inner.outcome(["targetingKey": .string(key)]))
      #expect(one.hasPrefix("on") == other.hasPrefix("on"))
    }
  }

  private static let split = #"{"fractional": [["on", 50], ["off", 50]]}"#

  @Test(
    "A rule that needs the missing targeting key reports it, and gives null",
    arguments: [
      (split, true), (#"{"fractional": [{"var": "targetingKey"}, ["on", 1]]}"#, true),
      (#"{"if": [{"var": "x"}, \#(split), "on"]}"#, false),
      (#"{"fractional": [{"cat": [{"var": "$flagd.flagKey"}, {"var": "targetingKey"}]}, ["on", 1]]}"#, true),
      (#"{"if": [{"var": "targetingKey"}, "on"]}"#, false), (#"{"fractional": [{"var": "x"}, ["on", 1]]}"#, false),
    ])
  func missingTargetingKey(rule: String, isMissing: Bool) throws {
    let document = try FlagDocument(rule: rule)
    let visitor = try #require(try document.evaluate("flag", in: EvaluationContext(), at: 0))
    #expect(visitor.isMissingTargetingKey == isMissing)
    let user = EvaluationContext(user: FlagUser(id: "ana"))
    #expect(try document.evaluate("flag", in: user, at: 0)?.isMissingTargetingKey == false)
  }
}
