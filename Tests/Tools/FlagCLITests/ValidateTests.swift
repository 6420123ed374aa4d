import FlagCLI
import Foundation
import TestSupport
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

  @Test("A warning that many flags have is one line of text, and each place of it is in reports")
  func groups() {
    let flags = (1...5).map { number in
      #""f\#(number)": {"state": "ENABLED", "variants": {"x": 1}, "targeting": {"fractional": [["x", 1]]}}"#
    }
    let files = ["f.json": "{\"flags\": {\n\(flags.joined(separator: ",\n"))}}"]
    let lines = Transcript("validate", "f.json", files: files).output.split(separator: "\n")
    #expect(lines.count == 2 && lines[0].contains(": warning: 5 flags: a single share") && lines[1] == "f.json: valid")
    #expect(lines[0].hasSuffix(", first at $.flags.f1.targeting.fractional"))
    for (format, word) in [("json", "\"path\""), ("github", "::warning")] {
      let report = Transcript(["validate", "--\(format)", "f.json"], files: files).output
      #expect(report.components(separatedBy: word).count == 6, "\(report)")
    }
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

  @Test("Diagnostics are JSON of a version, or commands for annotations")
  func formats() {
    let files = ["a,b%.json": Self.doubtful, "c.json": "{"]
    #expect(
      Transcript(["validate", "--json", "a,b%.json", "c.json"], files: files)
        == Transcript(
          output: """
            {"diagnostics":[{"column":71,"line":1,"message":"the member \\"default\\" means nothing here: did you mean \
            \\"defaultVariant\\"?","name":"a,b%.json","path":"$.flags.f.default","severity":"warning"},\
            {"column":2,"line":1,"message":"expected a name in quotation marks, found the end of the document",\
            "name":"c.json","path":"$","severity":"error"}],"documents":[{"isValid":true,"name":"a,b%.json"},{"isValid":false,"name":"c.json"}],\
            "version":1}

            """, exitCode: 1))
    #expect(
      Transcript(["validate", "--github", "a,b%.json"], files: files).output == """
        ::warning file=a%2Cb%25.json,line=1,col=71,title=flagctl%3A definition::$.flags.f.default: the member "default" \
        means nothing here: did you mean "defaultVariant"?

        """)
  }

  @Test("What the servers of a set run is validated, and named by its revision")
  func validatesSet() async throws {
    let fleet = MemoryFleet()
    try await fleet.publish(Self.doubtful)
    let run = try await fleet.run("validate", "--strict", "g.json", files: ["g.json": #"{"flags": {}}"#])
    #expect(run.output.hasPrefix("g.json: valid\nproduction at revision 1:1:71: warning: ") && run.exitCode == 1)
    let github = try await fleet.run("validate", "--github")
    let beginning = "::warning title=flagctl%3A definition::production at revision 1: $.flags.f.default: "
    #expect(github.output.hasPrefix(beginning))
  }

  @Test("What the servers of a set run is listed, and searched for expired flags")
  func readsSet() async throws {
    let fleet = MemoryFleet()
    try await fleet.publish(
      """
      {"flags": {"a": {"state": "ENABLED", "variants": {"on": 1}, "defaultVariant": "on",
        "metadata": {"expires": "2026-01-31"}}}}
      """)
    #expect(
      try await fleet.run("list")
        == Transcript(
          output: """
            KEY  VALUE  SOURCE    REASON
            a    1      document  STATIC

            """))
    #expect(try await fleet.run("get", "a").output == "1\n")
    let expired = try await fleet.run("check", "--today=2026-02-01")
    #expect(
      expired == Transcript(output: "production at revision 1:1:17: a: expired on 2026-01-31 (expired)\n", exitCode: 1))
    let both = try await fleet.run("list", "--flags=f")
    #expect(both.errors.hasPrefix("flagctl: --flags FILE or a set in etcd is enough"))
  }

  private static let doubtful = #"{"flags": {"f": {"state": "ENABLED", "variants": {"a": 1}, "default": "a"}}}"#
}
