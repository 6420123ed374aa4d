import Foundation
import Testing

@Suite("flagctl analyze: the health of the data")
struct AnalyzeHealthTests {
  @Test("Where users are not divided as planned, the exit code says so, after the report")
  func mismatch() {
    let run = Transcript(
      "analyze", "--events", "e.jsonl", "--weights", "blue=9,green=1", files: ["e.jsonl": AnalyzeTests.events])
    #expect(run.exitCode == 1 && run.output.contains("!! Health: 1 check failed") && run.errors == "")
  }

  @Test("Data that is not sound enough ends with exit code 1, by a tolerance that can be set")
  func tolerance() {
    let loss = #"{"kind":"loss","id":"M","count":30,"kept":0.5}"#
    let files = [
      "e.jsonl": AnalyzeTests.events.replacing(#""count":1}"#, with: #""count":1,"kept":0.9}"#) + "\n" + loss
    ]
    let run = Transcript("analyze", "--events", "e.jsonl", files: files)
    #expect(run.exitCode == 1 && run.output.contains("  !!  Events lost before they were sent: 31 (20.1 %), more than"))
    #expect(Transcript("analyze", "--events", "e.jsonl", "--tolerance", "25%", files: files).exitCode == 0)
  }

  /// The definition of the flag, with a rule in place of its split.
  private static func definitions(_ rule: String) -> String {
    """
    {"flags": {"checkout.button": {"state": "ENABLED", "variants": {"blue": 1, "green": 2}, "defaultVariant": "blue",
      "targeting": \(rule)}, "other": {"state": "DISABLED", "variants": {"on": true}}},
     "$evaluators": {"half": {"fractional": [["blue", 90], ["green", 10]]}}}
    """
  }

  @Test(
    "Planned shares come from the definition's split",
    arguments: [
      (#"{"fractional": [["blue", 50], ["green", 50]]}"#, 0, "planned 50.0 %"),
      (#"{"fractional": [["blue", 90], ["green", 10]]}"#, 1, "planned 90.0 %"),
      (#"{"$ref": "half"}"#, 1, "planned 10.0 %"),
      (
        #"{"if": [{"==": [{"var": "plan"}, "pro"]}, {"fractional": [["blue"], ["green"]]}]}"#, 0,
        "planned shares are those of the rule's split"
      ),
    ])
  func readsShares(rule: String, exitCode: Int32, text: String) {
    let run = Transcript(
      "analyze", "--events", "e.jsonl", "--flags", "f.json",
      files: ["e.jsonl": AnalyzeTests.events, "f.json": Self.definitions(rule)])
    #expect(run.exitCode == exitCode && run.output.contains(text), "\(run)")
  }

  @Test(
    "Shares that the definition does not say are an error, and so is a flag that is not there",
    arguments: [
      (
        "null", [],
        "f.json: checkout.button: its rule has no split (fractional), so that its planned shares are unknown"
      ),
      (
        #"{"if": [true, {"$ref": "half"}, {"fractional": [["blue"], ["green"]]}]}"#, [],
        "checkout.button: its rule has 2 different splits, "
      ),
      (
        #"{"fractional": [["blue", {"var": "x"}], ["green", 1]]}"#, [],
        "checkout.button: its rule computes the weights of a split, "
      ),
      (
        #"{"$ref": "half"}"#, ["--flag", "gone"],
        "flagctl: no flag is named \"gone\": there are \"checkout.button\"\n"
      ),
    ])
  func refusesShares(rule: String, words: [String], message: String) {
    let run = Transcript(
      ["analyze", "--events", "e.jsonl", "--flags", "f.json"] + words,
      files: ["e.jsonl": AnalyzeTests.events, "f.json": Self.definitions(rule)])
    #expect(run.exitCode == 1 && run.output == "" && run.errors.contains(message), "\(run.errors)")
  }
}
