import FlagProviders
import Foundation
import Testing

@Suite("Checking documents")
struct DocumentCheckingTests {
  @Test(
    "What a schema cannot see is a warning",
    arguments: [
      (#"{"if": [{"var": "x"}, "a", {"$ref": "gone"}]}"#, #"$.flags.f.targeting.if[2]: no evaluator is called "gone""#),
      (#"{"if": [{"var": "x"}, "a", "z"]}"#, #"$.flags.f.targeting: the rule can give "z", which is no variant"#),
      (
        #"{"fractional": [["a", 0], ["b", 0]]}"#,
        "$.flags.f.targeting.fractional: expected weights that sum to more than 0: no one falls into a share"
      ),
      (
        #"{"fractional": [["a", 2147483647], ["b", 1]]}"#,
        "$.flags.f.targeting.fractional: expected weights that sum to at most 2147483647"
      ),
      (#"{"if": [{"var": "x"}, "a"]}"#, "$.flags.f.variants.b: no rule reaches this variant"),
      (
        #"{"$ref": "known"}"#,
        "$.flags.f.targeting: the format's schema wants an operator here, and a reference only inside of one"
      ),
      (
        #"{"==": [1, 2], ">": [1, 2]}"#,
        "$.flags.f.targeting: expected one operator, found 2: an object of several members is a plain value"
      ),
    ])
  func warnings(rule: String, warning: String) {
    let findings = findings(rule)
    #expect(findings.contains { "\($0.severity) \($0.path): \($0.message)" == "warning \(warning)" }, "\(findings)")
    #expect(!findings.contains { $0.severity == .error })
  }

  @Test(
    "What the schema refuses is an error",
    arguments: [
      (#"{"nonsense": 1}"#, #"$.flags.f.targeting: expected an operator, found the string "nonsense""#),
      (#"{"if": []}"#, "$.flags.f.targeting.if: expected an array of at least 1 operands, found an empty array"),
      (#"{"<": [1]}"#, "$.flags.f.targeting.<: expected an array of 2 to 3 operands, found an array"),
      (
        #"{"var": "$flagd.other"}"#,
        #"$.flags.f.targeting.var: expected $flagd.flagKey or $flagd.timestamp, found the string "$flagd.other""#
      ),
      (
        #"{"sem_ver": ["1.2", "=", {"var": "v"}]}"#,
        #"$.flags.f.targeting.sem_ver[0]: expected a version such as 1.2.3, or a variable, found the string "1.2""#
      ),
      (
        #"{"fractional": [["a", 1.5], ["b", 1]]}"#,
        "$.flags.f.targeting.fractional[0][1]: expected a whole number from 0 on, found the number 1.5"
      ),
      (#"{"if": [{}, "a", "b"]}"#, "$.flags.f.targeting.if[0]: expected a rule or a value, found an empty object"),
      (
        #"{"if": [{"missing": ["x", 1]}, "a", "b"]}"#,
        "$.flags.f.targeting.if[0].missing[1]: expected a name, found the integer 1"
      ),
    ])
  func errors(rule: String, error: String) {
    let errors = findings(rule).filter { $0.severity == .error }.map { "\($0.path): \($0.message)" }
    #expect(errors.map { $0.replacing(#"["<"]"#, with: ".<") } == [error])
  }

  @Test("Findings come in the order of the text, each with its line and column")
  func positions() {
    let text = """
      {"flags": {
        "b": {"state": "ON", "variants": {"v": [1]}, "defaultVariant": "w"},
        "a.b": {"state": "ENABLED", "variants": {"v": 1}, "defaultVariant": "w"},
        "a.b": {"state": "ENABLED", "variants": {"": 1}}
      }, "$evaluators": {"e": 1}, "metadata": {"n": null}}
      """
    #expect(
      FlagDocument.findings(in: Data(text.utf8)).map(\.description) == [
        #"2:18: error: $.flags.b.state: expected "ENABLED" or "DISABLED", found the string "ON""#,
        "2:42: warning: $.flags.b.variants.v: the format's schema knows no arrays as variants",
        #"4:10: warning: $.flags["a.b"]: expected each key once: only the last flag of this key counts"#,
        #"4:43: error: $.flags["a.b"].variants: expected a variant's name, found an empty string"#,
        "5:25: error: $.$evaluators.e: expected a rule, which is an object, found the integer 1",
        "5:47: error: $.metadata.n: expected a string, a number or a boolean, found null",
      ])
  }

  private func findings(_ rule: String) -> [Finding] {
    let text = """
      {"flags": {"f": {"state": "ENABLED", "variants": {"a": 1, "b": 2, "c": 3}, "defaultVariant": "c",
      "targeting": \(rule)}}, "$evaluators": {"known": {"if": [{"var": "x"}, "a", "b"]}}}
      """
    return FlagDocument.findings(in: Data(text.utf8))
  }
}
