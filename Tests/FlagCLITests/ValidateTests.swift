import FlagCLI
import Testing

@Suite("flagctl validate")
struct ValidateTests {
  @Test("Each diagnostic has its file, line, column and path; one error is enough for code 1")
  func diagnostics() {
    let files = [
      "good.json": Self.doubtful,
      "bad.json": "{\"flags\": {\n  \"f\": {\"state\": \"ENABLED\", \"variants\": {}}}}",
    ]
    #expect(
      Transcript("validate", "good.json", "bad.json", files: files)
        == Transcript(
          output: """
            good.json:1:71: warning: $.flags.f.default: the member "default" means nothing here: did you mean \
            "defaultVariant"?
            good.json: valid
            bad.json:2:41: error: $.flags.f.variants: expected an object with at least one variant, found an empty object

            """, exitCode: 1))
  }

  @Test("A warning alone fails where checking is strict, and only there", arguments: [false, true])
  func warnings(isStrict: Bool) {
    let words = ["validate"] + (isStrict ? ["--strict"] : []) + ["f.json", "fine.json"]
    let transcript = Transcript(words, files: ["f.json": Self.doubtful, "fine.json": #"{"flags": {}}"#])
    #expect(transcript.output.contains("f.json: valid\n") != isStrict)
    #expect(transcript.output.hasSuffix("fine.json: valid\n"))
    #expect(transcript.exitCode == (isStrict ? 1 : 0))
  }

  @Test("A file that cannot be read is an error of the data, and the others are checked")
  func absent() {
    let expected = Transcript(
      output: "f.json: valid\n", errors: "flagctl: gone.json: cannot be read: no such file\n", exitCode: 1)
    #expect(Transcript("validate", "gone.json", "f.json", files: ["f.json": #"{"flags": {}}"#]) == expected)
  }

  @Test("Evaluators are those of their own document, when checking as when evaluating")
  func evaluators() {
    let flag = #"{"state": "ENABLED", "variants": {"on": 1}, "targeting": {"if": [{"$ref": "e"}, "on"]}}"#
    let files = [
      "a.json": #"{"flags": {}, "$evaluators": {"e": {"var": "x"}}}"#, "b.json": #"{"flags": {"f": \#(flag)}}"#,
      "cases": #"{"flagKey": "f", "type": "integer", "context": {"x": true}}"#,
    ]
    #expect(
      Transcript("validate", "a.json", "b.json", files: files)
        == Transcript(
          output: """
            a.json: valid
            b.json:1:91: error: $.flags.f.targeting.if[0].$ref: no evaluator of this document is named "e"

            """, exitCode: 1))
    let answer = Transcript("evaluate", "--flags", "a.json", "--flags", "b.json", "--cases", "cases", files: files)
    #expect(answer.output.contains(#""errorCode":"PARSE_ERROR""#))
  }

  private static let doubtful = #"{"flags": {"f": {"state": "ENABLED", "variants": {"a": 1}, "default": "a"}}}"#
}
