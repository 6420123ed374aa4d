import FlagCLI
import FlagDefinitions
import FlagPublishing
import Foundation
import TestSupport
import Testing

@Suite("flagctl schedule")
struct ScheduleTests {
  @Test(
    "A flag gives the variant from one time to another, and what its rule says before and after",
    arguments: Self.windows)
  func gives(words: [String], answers: [(time: Int, isOn: Bool)]) async throws {
    for before in [flag("off"), Self.ruled] {
      let after = try await Self.schedule(before, words)
      for (time, isOn) in answers {
        // The rule of the second document gives on to the country es, in any case.
        #expect(try Self.values(after, at: time, users: ["a"]) == [isOn], "at \(time)")
        if before == Self.ruled { #expect(try Self.values(after, at: time, users: ["es"]) == [true], "at \(time)") }
      }
    }
  }

  @Test("What is written is an ordinary rule around the one that was there, and the rest of the document stays")
  func writes() async throws {
    #expect(
      try await Self.schedule(Self.ruled, ["--on=1000", "--off=2000"])
        == #"""
        {
          "flags": {
            "f": {
              "state": "ENABLED",
              "variants": {"on": true, "off": false}, "defaultVariant": "off",
              "targeting": {
                "if": [
                  {"and": [{">=": [{"var": "$flagd.timestamp"}, 1000]}, {"<": [{"var": "$flagd.timestamp"}, 2000]}]},
                  "on",
                  {"if": [
                    {"===": [{"var": "countryCode"}, "es"]}, "on"
                  ]}
                ]
              }
            }
          }
        }
        """#)
  }

  @Test("A second schedule takes the place of the first one, and --remove leaves the rule as it was")
  func replaces() async throws {
    let fleet = MemoryFleet()
    try await fleet.publish(Self.ruled)
    var texts: [String?] = []
    for words in [["--variant=on", "--on=1000"], ["--variant=off", "--on=2000"], ["--remove"]] {
      let run = try await fleet.run(["schedule", "f", "--yes"] + words)
      #expect(run.exitCode == 0 && run.errors.isEmpty, "\(run)")
      let number = texts.count + 2
      texts.append(try await fleet.store().text(of: number).map { String(decoding: $0, as: UTF8.self) })
    }
    #expect(texts[1] == texts[0]?.replacing("1000", with: "2000").replacing("    \"on\",", with: "    \"off\","))
    let last = try #require(texts[2])
    #expect(last.filter { !$0.isWhitespace } == Self.ruled.filter { !$0.isWhitespace })
    let none = try await fleet.run("schedule", "f", "--remove", "--yes")
    #expect(none.exitCode == 1 && none.errors.hasPrefix("flagctl: f: expected a flag with a schedule, found none"))
  }

  @Test("What changes for users at each time is shown, and the revision says which flag it was for")
  func shows() async throws {
    let fleet = MemoryFleet()
    try await fleet.publish(flag("off"))
    let run = try await fleet.run(
      "schedule", "f", "--variant=on", "--ramp=50:1900000000,100:2000000000", answer: "y\n")
    let lines = run.output.split(separator: "\n").map(String.init)
    #expect(lines.first == "From 2030-03-17T17:46:40Z on:")
    #expect(lines.contains("From 2033-05-18T03:33:20Z on:"))
    #expect(lines.contains("f: rule changed: off → on for everyone"))
    #expect(lines.last == "production: revision 2 is published")
    #expect(run.errors == "Publish to all servers of production? [y/N] ")
    #expect(
      try await fleet.store().head()?.revision.note == PublicationNote(author: "kim", reason: "schedule of f"))
  }

  @Test("A file is replaced, once that is agreed to")
  func writesFile() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "schedule-\(UUID().uuidString).json")
    try Data(flag("off").utf8).write(to: file)
    defer {
      do { try FileManager.default.removeItem(at: file) } catch { Issue.record(error) }
    }
    let words = ["schedule", "f", "--variant=on", "--on=1000", "--flags=\(file.path)"]
    let refused = try await onThread { Transcript(words) }
    #expect(refused.exitCode == 64 && refused.errors.hasSuffix("--yes is missing\n"))
    #expect(try String(contentsOf: file, encoding: .utf8) == flag("off"))
    let run = try await onThread { Transcript(words + ["--yes"]) }
    #expect(
      run
        == Transcript(
          output: """
            From 1970-01-01T00:16:40Z on:
            f: rule changed: off → on for everyone
              rule before: none
              rule now: from 1970-01-01T00:16:40Z all get on
            1 flag changes, 1 of them affecting users.
            \(file.path): written

            """))
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(try [999, 1000].map { try Self.values(text, at: $0, users: ["a"]) } == [[false], [true]])
  }

  @Test(
    "A schedule that cannot be is an error that says why",
    arguments: Self.refusals)
  func refuses(words: [String], message: String, exitCode: Int32) async throws {
    let fleet = MemoryFleet()
    try await fleet.publish(flag("off"))
    let run = try await fleet.run(["schedule"] + words)
    #expect(
      run
        == Transcript(
          errors: "flagctl: \(message)\(exitCode == 64 ? "; see flagctl schedule --help" : "")\n", exitCode: exitCode))
    #expect(try await fleet.store().head()?.revision.number == 1)
  }

  private static let windows: [(words: [String], answers: [(time: Int, isOn: Bool)])] = [
    (["--on=2027-01-15T09:00:00Z"], [(1_800_003_599, false), (1_800_003_600, true), (9_000_000_000, true)]),
    (["--off=1800003600"], [(0, true), (1_800_003_599, true), (1_800_003_600, false)]),
    (
      ["--on=1800003600", "--off=1800007200"],
      [(1_800_003_599, false), (1_800_003_600, true), (1_800_007_199, true), (1_800_007_200, false)]
    ),
    (
      ["--ramp=0:1800000010,100:1800000020", "--off=1800000030"],
      [(1_800_000_015, false), (1_800_000_020, true), (1_800_000_030, false)]
    ),
  ]

  private static let refusals: [(words: [String], message: String, exitCode: Int32)] = [
    (["f", "--on=1"], "--variant VARIANT is missing", 64), (["--variant=on", "--on=1"], "a FLAG is missing", 64),
    (["f", "--variant=on"], "--on TIME, --ramp STEPS or --off TIME is missing", 64),
    (
      ["f", "--variant=on", "--on=2", "--off=1"],
      "expected ascending times, found 1970-01-01T00:00:02Z, 1970-01-01T00:00:01Z", 64
    ),
    (["f", "--variant=on", "--on=1", "--ramp=1:2"], "--on TIME or --ramp STEPS is enough, found both", 64),
    (
      ["f", "--variant=on", "--on=tomorrow"],
      "--on is a time such as 2027-01-15T08:00:00Z, a day, or a number of seconds since 1970, found tomorrow", 64
    ),
    (["f", "--variant=on", "--ramp=101:5"], "--ramp has steps such as 10:2027-01-15T08:00:00Z, found 101:5", 64),
    (["f", "--variant=on", "--ramp=1:5,"], "--ramp has steps such as 10:2027-01-15T08:00:00Z, found ", 64),
    (["f", "--remove", "--on=1"], "--variant VARIANT with its times or --remove is enough, found both", 64),
    (["f", "--variant=on", "--on=1", "--flags=x"], "--flags FILE or a set in etcd is enough, found both", 64),
    (["f", "--variant=blue", "--on=1"], "f: expected one of the variants off, on, found blue", 1),
  ]

  private static let ruled = #"""
    {
      "flags": {
        "f": {
          "state": "ENABLED",
          "variants": {"on": true, "off": false}, "defaultVariant": "off",
          "targeting": {"if": [
            {"===": [{"var": "countryCode"}, "es"]}, "on"
          ]}
        }
      }
    }
    """#

  /// Returns a document with a schedule of the variant on in it.
  private static func schedule(_ text: String, _ words: [String]) async throws -> String {
    let fleet = MemoryFleet()
    try await fleet.publish(text)
    let run = try await fleet.run(["schedule", "f", "--variant=on", "--yes"] + words)
    #expect(run.exitCode == 0 && run.errors.isEmpty, "\(run)")
    return String(decoding: try #require(try await fleet.store().text(of: 2)), as: UTF8.self)
  }

  /// Returns the flag's values for users; the user es is of that country.
  private static func values(_ text: String, at time: Int, users: [String]) throws -> [Bool] {
    let cases = users.map { user in
      let country = user == "es" ? #", "countryCode": "es""# : ""
      let context = #"{"targetingKey": "\#(user)"\#(country)}"#
      return #"{"flagKey": "f", "type": "boolean", "default": false, "context": \#(context)}"# + "\n"
    }
    let run = Transcript(
      ["evaluate", "--flags=f", "--timestamp=\(time)"], files: ["f": text], input: [cases.joined()])
    #expect(run.exitCode == 0 && run.errors.isEmpty)
    return run.output.split(separator: "\n").map { $0.hasPrefix(#"{"value":true,"#) }
  }
}
