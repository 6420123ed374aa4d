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

  @Test("explain shows the vendor's reason, and no words about a rule that it did not see")
  func explains() {
    let transcript = Transcript(
      "explain", "--flags", "ld.json", "--format", "launchdarkly", "targeted", "--user", #"{"targetingKey": "ann"}"#,
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
        "--format growthbook takes one document, found 2"
      ),
      (
        ["diff", "a", "b", "--format", "launchdarkly", "--bucketing", "v2"],
        "--bucketing v2 is for the in-house format, found --format launchdarkly"
      ),
      (
        ["serve", "--etcd", "http://127.0.0.1:2379", "--set", "app", "--format", "growthbook"],
        "--format growthbook is for files, found sets in etcd"
      ),
      (
        ["validate", "--format", "flagsmith", "a"],
        "--format is in-house or growthbook or launchdarkly, found flagsmith"
      ),
      (
        ["validate", "--format", "growthbook", "--format", "launchdarkly", "a"],
        "--format has one value, found a second one"
      ),
      (["convert", "a"], "--from growthbook|launchdarkly is missing"),
    ])
  func refuses(words: [String], message: String) {
    let help = "see flagctl \(words[0]) --help"
    #expect(Transcript(words) == Transcript(errors: "flagctl: \(message); \(help)\n", exitCode: 64))
  }
}
