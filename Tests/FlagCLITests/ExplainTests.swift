import FlagCLI
import Testing

@Suite("flagctl explain")
struct ExplainTests {
  @Test("The text says what was tried, what it gave, and why the value is what it is")
  func text() {
    #expect(
      explain("split", "--context", #"{"country": "es", "targetingKey": "u"}"#)
        == Transcript(
          output: """
            flag: split
            value: 20
            variant: b
            reason: TARGETING_MATCH, the rule gave the name of the variant
            metadata: {"owner":"growth"}
            rule:
              {"if":[...]} gave "b"
                {"in":[{"var":"country"},["es","pt","fr","de","it"]]} gave true
                  {"var":"country"} gave "es"
                {"fractional":[["a",50],["b",50]]}: bucket 53 of 100 gave "b"

            """))
  }

  @Test(
    "The reason is put into words",
    arguments: [
      ("split", "DEFAULT, the rule gave null, and so the default variant stands", 0),
      ("plain", "STATIC, the flag has no rule, and so its default variant stands", 0),
      ("bare", "DEFAULT, the flag has neither a rule nor a default variant", 0),
      ("off", "DISABLED, the flag is disabled", 0),
      ("wrong", "ERROR", 1), ("absent", "ERROR", 1),
    ])
  func reasons(flag: String, reason: String, exitCode: Int32) {
    let transcript = explain(flag)
    #expect(transcript.output.contains("reason: \(reason)\n"))
    #expect(transcript.exitCode == exitCode)
  }

  @Test("The JSON has the same facts, and a version")
  func json() {
    #expect(
      explain("wrong", "--json")
        == Transcript(
          output: """
            {"errorCode":"PARSE_ERROR","errorMessage":"expected an operator, found \\"nonsense\\"","key":"wrong",\
            "metadata":{},"reason":"ERROR","steps":[{"bucket":null,"parts":[],"rule":{"broken":"expected an operator, \
            found \\"nonsense\\""},"value":null}],"value":null,"variant":null,"version":1}

            """, exitCode: 1))
  }

  @Test(
    "A context that is none is an error of the data",
    arguments: [
      ("[]", "flagctl: --context: expected an object, found array\n"),
      ("{", "flagctl: --context: expected a name in quotation marks, found the end of the document\n"),
    ])
  func badContext(context: String, message: String) {
    #expect(explain("plain", "--context", context) == Transcript(errors: message, exitCode: 1))
  }

  private func explain(_ words: String...) -> Transcript {
    Transcript(["explain", "--flags", "f.json"] + words, files: ["f.json": Self.document])
  }

  private static let document = """
    {"flags": {
      "split": {"state": "ENABLED", "variants": {"a": 10, "b": 20.0}, "defaultVariant": "b", "targeting": {"if": [
        {"in": [{"var": "country"}, ["es", "pt", "fr", "de", "it"]]}, {"fractional": [["a", 50], ["b", 50]]}]},
        "metadata": {"owner": "growth"}},
      "plain": {"state": "ENABLED", "variants": {"a": 1}, "defaultVariant": "a"},
      "bare": {"state": "ENABLED", "variants": {"a": 1}},
      "off": {"state": "DISABLED", "variants": {"a": 1}},
      "wrong": {"state": "ENABLED", "variants": {"a": 1}, "targeting": {"nonsense": 1}}}}
    """
}
