import FlagCLI
import Foundation
import Testing

@Suite("flagctl with vendors' formats")
struct FormatTests {
  private static let files = ["gb.json": VendorDocuments.growthBook, "ld.json": VendorDocuments.launchDarkly]

  @Test(
    "evaluate answers as the vendor's format does",
    arguments: [
      ("growthbook", "gb.json", "spanish", "boolean", #"{"value":true,"variant":"rule-1","reason":"TARGETING_MATCH""#),
      ("growthbook", "gb.json", "absent", "boolean", #"{"value":false,"variant":null,"reason":"ERROR""#),
      ("launchdarkly", "ld.json", "targeted", "string", #"{"value":"b","variant":"1","reason":"TARGETING_MATCH""#),
      ("launchdarkly", "ld.json", "off", "boolean", #"{"value":false,"variant":"1","reason":"DISABLED""#),
    ])
  func evaluates(format: String, file: String, flag: String, type: String, result: String) {
    let context = #"{"targetingKey": "u", "country": "es", "plan": "free"}"#
    let transcript = Transcript(
      "evaluate", "--flags", file, "--format", format, files: Self.files,
      input: [#"{"flagKey": "\#(flag)", "type": "\#(type)", "default": false, "context": \#(context)}"#])
    #expect(transcript.output.hasPrefix(result))
    #expect(transcript.exitCode == 0)
  }

  @Test("evaluate gives nobody a value whose restriction cannot be read, and says PARSE_ERROR")
  func closes() {
    let rule = #"{"force": "yes", "hashAttribute": "id", "range": [0.2]}"#
    let transcript = Transcript(
      "evaluate", "--flags", "a.json", "--format", "growthbook",
      files: ["a.json": #"{"features": {"a": {"defaultValue": "no", "rules": [\#(rule)]}}}"#],
      input: (0..<20).map {
        #"{"flagKey": "a", "type": "string", "default": "-", "context": {"targetingKey": "u\#($0)"}}"# + "\n"
      })
    let lines = transcript.output.split(separator: "\n")
    #expect(lines.filter { $0.contains(#""value":"-""#) && $0.contains("PARSE_ERROR") }.count == 20)
    let place = "error: $.features.a.rules[0].range: expected an array of two numbers"
    #expect(transcript.errors.contains(place) && transcript.errors.contains("a.json:1:"))
  }

  @Test(
    "Contexts of LaunchDarkly's kinds reach their rules, or are refused",
    arguments: [
      (#"{"kind": "org", "targetingKey": "o1"}"#, #""value":"b""#), (#"{"kind": "multi"}"#, "INVALID_CONTEXT"),
      (#"{"kind": "multi", "user": {"key": "u"}, "org": {"key": "o1"}}"#, #""value":"b""#),
    ])
  func readsKinds(context: String, expected: String) {
    let rule =
      #"{"variation": 1, "clauses": [{"contextKind": "org", "attribute": "key", "op": "in", "values": ["o1"]}]}"#
    let flag = #"{"on": true, "variations": ["a", "b"], "fallthrough": {"variation": 0}, "rules": [\#(rule)]}"#
    let files = ["a.json": #"{"flags": {"f": \#(flag)}}"#]
    let options = ["--flags", "a.json", "--format", "launchdarkly"]
    let evaluated = Transcript(
      ["evaluate"] + options, files: files,
      input: [#"{"flagKey": "f", "type": "string", "default": "-", "context": \#(context)}"#])
    let explained = Transcript(["explain"] + options + ["f", "--context", context, "--json"], files: files)
    #expect(evaluated.output.contains(expected) && explained.output.contains(expected))
  }

  @Test("explain shows the vendor's reason, and no words about a rule that it did not see")
  func explains() {
    let transcript = Transcript(
      "explain", "--flags", "ld.json", "--format", "launchdarkly", "targeted", "--context", #"{"targetingKey": "ann"}"#,
      files: Self.files)
    let text = """
      flag: targeted
      value: "c"
      variant: 2
      reason: TARGETING_MATCH
      metadata: {"reason":"TARGET_MATCH"}

      """
    #expect(transcript == Transcript(output: text))
  }

  @Test(
    "validate says where a vendor's document is wrong",
    arguments: [
      ("growthbook", #"{"features": {"a": {"defaultValue": 1, "rules": 5}}}"#, "a.json:1:"),
      ("growthbook", "[1]", "a.json:1:1: error"), ("launchdarkly", #"{"flags": 5}"#, "a.json:1:"),
      ("launchdarkly", #"{"flags": {"a": {"on": 5}}}"#, "a.json:1:"),
    ])
  func validates(format: String, text: String, output: String) {
    let transcript = Transcript("validate", "--format", format, "a.json", files: ["a.json": text])
    #expect(transcript.output.hasPrefix(output) && transcript.exitCode == 1)
  }

  @Test(
    "validate calls a vendor's good document valid",
    arguments: [("growthbook", "gb.json"), ("launchdarkly", "ld.json")])
  func passes(format: String, file: String) {
    let transcript = Transcript("validate", "--format", format, file, files: Self.files)
    #expect(transcript.output.hasSuffix("\(file): valid\n") && transcript.exitCode == 0)
  }

  @Test("list shows a vendor's flags with their values", arguments: ["gb.json", "ld.json"])
  func lists(file: String) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "formats-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: file)
    try Data((Self.files[file] ?? "").utf8).write(to: path)
    let format = file == "gb.json" ? "growthbook" : "launchdarkly"
    let transcript = Transcript("list", "--flags", path.path, "--format", format)
    #expect(transcript.output.contains("off") && transcript.exitCode == 0)
  }

  @Test("diff compares the answers of two documents of a vendor")
  func compares() {
    let new = VendorDocuments.launchDarkly.replacing(#""on": false"#, with: #""on": true"#)
    let transcript = Transcript(
      "diff", "ld.json", "new.json", "--format", "launchdarkly",
      files: Self.files.merging(["new.json": new]) { $1 })
    #expect(transcript.output.contains("off") && transcript.errors == "" && transcript.exitCode == 2)
    #expect(Transcript("diff", "gb.json", "gb.json", "--format", "growthbook", files: Self.files).exitCode == 0)
  }

  @Test(
    "Options that do not go with a vendor's format are refused",
    arguments: [
      (
        ["explain", "--flags", "a", "--flags", "b", "--format", "growthbook", "x"],
        "--format growthbook takes one document, found 2; see flagctl explain --help"
      ),
      (
        ["diff", "a", "b", "--format", "launchdarkly", "--bucketing", "v2"],
        "--bucketing v2 is for the in-house format, found --format launchdarkly; see flagctl diff --help"
      ),
      (
        ["serve", "--etcd", "http://127.0.0.1:2379", "--set", "app", "--format", "growthbook"],
        "--format growthbook is for files, found sets in etcd; see flagctl serve --help"
      ),
      (
        ["validate", "--format", "flagsmith", "a"],
        "--format is in-house or growthbook or launchdarkly or text or json or github, found flagsmith; see flagctl validate --help"
      ),
      (
        ["validate", "--format", "growthbook", "--format", "launchdarkly", "a"],
        "--format is given once for the documents and once for the report, found growthbook and launchdarkly; see flagctl validate --help"
      ),
      (["convert", "a"], "--from growthbook|launchdarkly is missing; see flagctl convert --help"),
    ])
  func refuses(words: [String], message: String) {
    #expect(Transcript(words) == Transcript(errors: "flagctl: \(message)\n", exitCode: 64))
  }
}
