import FlagCLI
import Testing

@Suite("flagctl convert")
struct ConvertTests {
  @Test("GrowthBook's features give every user the same variant, or are left out; new shares are listed")
  func growthBook() throws {
    let transcript = Transcript(
      "convert", "--from", "growthbook", "gb.json", files: ["gb.json": VendorDocuments.growthBook])
    #expect(
      Self.reasons(transcript) == [
        "patterned: left out: rule 1: $regex has no equivalent",
        "spaced: left out: rule 1: namespace has no equivalent",
        "off: left out: the in-house format refuses it",
        "rollout: chooses its shares anew", "checkout: chooses its shares anew",
      ])
    #expect(transcript.errors.hasSuffix("gb.json: 3 flags as they are, 2 with shares chosen anew, 3 left out\n"))
    #expect(transcript.exitCode == 1)
    Self.isValid(transcript.output)
  }

  @Test("LaunchDarkly's flags do, too")
  func launchDarkly() throws {
    let transcript = Transcript(
      "convert", "--from", "launchdarkly", "ld.json",
      files: ["ld.json": VendorDocuments.launchDarkly])
    #expect(
      Self.reasons(transcript) == [
        "dated: left out: rule 1: the operator before has no equivalent",
        "dependent: left out: prerequisites have no equivalent", "split: chooses its shares anew",
      ])
    #expect(transcript.errors.hasSuffix("ld.json: 2 flags as they are, 1 with shares chosen anew, 2 left out\n"))
    Self.isValid(transcript.output)
  }

  @Test("New shares are as large as the old ones")
  func shares() throws {
    let text = #"{"features": {"half": {"defaultValue": 1, "rules": [{"variations": [1, 2]}]}}}"#
    let transcript = Transcript("convert", "--from", "growthbook", "a.json", files: ["a.json": text])
    #expect(transcript.errors.contains("half: chooses its shares anew\n"))
    #expect(transcript.exitCode == 2)
    let questions = (0..<1_000).map {
      #"{"flagKey": "half", "type": "integer", "default": 0, "context": {"targetingKey": "u\#($0)"}}"#
    }
    let answers = Transcript(
      "evaluate", "--flags", "new.json", files: ["new.json": transcript.output],
      input: [questions.joined(separator: "\n")])
    let ones = answers.output.split(separator: "\n").count { $0.hasPrefix(#"{"value":1,"#) }
    #expect(abs(ones - 500) < 80)
  }

  @Test("A document whose flags all carry over ends with 0, and its values are the vendor's")
  func carriesOver() {
    let text = #"{"flagValues": {"a": true, "b": "text", "c": {"d": 1}}}"#
    let transcript = Transcript("convert", "--from", "launchdarkly", "a.json", files: ["a.json": text])
    #expect(
      transcript
        == Transcript(
          output: """
            {
              "flags": {
                "a": {"defaultVariant":"0","state":"ENABLED","variants":{"0":true}},
                "b": {"defaultVariant":"0","state":"ENABLED","variants":{"0":"text"}},
                "c": {"defaultVariant":"0","state":"ENABLED","variants":{"0":{"d":1}}}
              }
            }

            """,
          errors: "flagctl: a.json: 3 flags as they are, 0 with shares chosen anew, 0 left out\n"))
  }

  /// Returns the lines of the report about single flags, without counts and the words of other messages.
  private static func reasons(_ transcript: Transcript) -> [String] {
    transcript.errors.split(separator: "\n").dropLast().map { line in
      let text = line.drop { $0 != " " }.dropFirst().drop { $0 != " " }.dropFirst()
      let end = text.firstRange(of: /(anew|refuses it):/)?.upperBound
      return String(end.map { text[..<text.index(before: $0)] } ?? text)
    }
  }

  private static func isValid(_ text: String) {
    let transcript = Transcript("validate", "--strict", "new.json", files: ["new.json": text])
    #expect(transcript.output == "new.json: valid\n")
  }
}
