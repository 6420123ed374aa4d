import FlagCLI
import FlagDefinitions
import FlagPublishing
import Foundation
import TestSupport
import Testing

/// What people come for, each with one command, in a folder whose settings name the cluster and the set.
@Suite("The tasks of flagctl")
struct TaskTests {
  @Test("Each task of a stranger is one command, and the words of help name it")
  func areCommands() async throws {
    let fleet = MemoryFleet()
    try await fleet.publish(Self.document, because: "the first flags")
    let help = Transcript("help").output
    for (words, output) in Self.tasks {
      let run = try await Self.run(words, on: fleet)
      #expect(run.exitCode == 0 && run.output.contains(output), "\(words): \(run)")
      #expect(help.contains("  \(words[0])  "), "\(words[0])")
    }
  }

  private static let tasks: [([String], String)] = [
    // What is on in production?
    (["list"], "new-page  on     document  STATIC\n"),
    // Who has the new page?
    (["explain", "new-page"], "who: everyone gets on\n"),
    // Turn it off, now.
    (
      ["off", "new-page", "--reason=it is slow"], "new-page: switched on or off: on → the code's default for everyone\n"
    ),
    // Who did that?
    (["history"], "kim  current  switched off new-page: it is slow\n"),
    // Undo it.
    (["restore", "1"], "new-page: switched on or off: the code's default → on for everyone\n"),
    // Off, but for 10 % in Spain from Monday.
    (["default", "new-page", "off"], "new-page: default variant changed: on → off for everyone\n"),
    (
      ["share", "new-page", "on=10", "--where=country=es", "--from=2027-01-18"],
      "rule now: if the time is at least 2027-01-18T00:00:00Z and country is es, then 10 % get on, 90 % get off\n"
    ),
    // What does Ana get?
    (["get", "new-page", "--user=id=ana,country=es"], "false\n"),
    // A new flag.
    (["create", "search"], "search: new flag: no flag → off for everyone\n"),
    // Do all servers have it?
    (["fleet"], "production: revision 6, "),
  ]

  @Test("Shares keep their order and what the rule has for others, and the same users get other shares")
  func shares() async throws {
    let fleet = MemoryFleet()
    try await fleet.publish(Self.document)
    let (beta, eighth) = (
      #"{"in": ["beta", {"var": "segments"}]}"#, #"{"fractional": [["off", 875], ["on", 125]]}"#
    )
    let both = #"{"and": [{"==": [{"var": "countryCode"}, "es"]}, {"==": [{"var": "plan"}, "pro"]}]}"#
    for (words, rule) in [
      (["off=80", "on=20"], #"{"fractional": [["off", 80], ["on", 20]]}"#), (["on=12.5"], eighth),
      (
        ["on=5", "off=95", "--where=segments=beta"],
        #"{"if": [\#(beta), {"fractional": [["on", 5], ["off", 95]]}, \#(eighth)]}"#
      ), (["on=100", "--where=segments=beta"], #"{"if": [\#(beta), "on", \#(eighth)]}"#),
      (["off=100", "--where=country=es,plan=pro"], #"{"if": [\#(both), "off", \#(beta), "on", \#(eighth)]}"#),
      (["on=100", "--where=plan=pro,country=es"], #"{"if": [\#(both), "on", \#(beta), "on", \#(eighth)]}"#),
      (["off=100"], #"{"if": [\#(both), "on", \#(beta), "on", "off"]}"#),
      (
        ["on=0.000001", "--where=segments=beta"],
        #"{"if": [\#(both), "on", \#(beta), {"fractional": [["on", 1], ["off", 99999999]]}, "off"]}"#
      ),
    ] {
      let run = try await Self.run(["share", "new-page"] + words, on: fleet)
      #expect(run.exitCode == 0, "\(run)")
      let head = try #require(try await fleet.store().head())
      let text = try #require(try await fleet.store().text(of: head.revision.number))
      #expect(String(decoding: text, as: UTF8.self).contains("\"targeting\": \(rule), \"state\""), "\(words)")
    }
    for (words, message) in [
      (["on=60", "off=60"], "expected shares that add up to 100 %, found 120 %"),
      (["blue=60"], "expected one of the variants off, on, found blue"),
      (["on=60", "off=30"], "expected shares that add up to 100 %, found 90 %"),
      (["on=101"], "\(Self.number), found “101”"), (["on=0.0000001"], "\(Self.number), found “0.0000001”"),
      (["on=-1"], "\(Self.number), found “-1”"), (["on=nan"], "\(Self.number), found “nan”"),
      (["on=1e1"], "\(Self.number), found “1e1”"),
    ] {
      let run = try await Self.run(["share", "new-page"] + words, on: fleet)
      #expect(run == Transcript(errors: "flagctl: new-page: \(message)\n", exitCode: 1))
    }
  }

  private static let number = "share of on: expected a number from 0 to 100 with at most 6 decimal places"

  @Test(
    "What the form of a rule cannot say, and branches within a branch, are not replaced by shares",
    arguments: [
      #"{"if": [true, "on", {"if": [{"var": "a"}, "on", {"+": [1, 2]}]}]}"#, #"{"+": [1, 2]}"#, #"{"var": "plan"}"#,
      #"{"fractional": [["on", 10], ["off", 40], ["on", 50]]}"#,
    ])
  func losesNothing(rule: String) async throws {
    let fleet = MemoryFleet()
    let text = Self.document.replacing(#""defaultVariant""#, with: #""targeting": \#(rule), "defaultVariant""#)
    try await fleet.publish(text)
    let run = try await Self.run(["share", "new-page", "on=10"], on: fleet)
    #expect(run.exitCode == 1 && run.errors.contains(": see flagctl console"), "\(run)")
    #expect(try await fleet.store().head()?.revision.number == 1)
  }

  @Test("A flag that is switched on tells whom its default variant is for")
  func switchesOn() async throws {
    let fleet = MemoryFleet()
    try await fleet.publish(Self.document.replacing("ENABLED", with: "DISABLED"))
    let run = try await Self.run(["on", "new-page"], on: fleet)
    #expect(run.errors == "flagctl: new-page: on, everyone gets on: see flagctl default, and share\n")
    #expect(run.output.hasPrefix("new-page: switched on or off: the code's default → on for everyone\n"))
    let refused = try await Self.run(["default", "new-page", "blue"], on: fleet)
    #expect(refused.errors == "flagctl: new-page: expected one of the variants off, on, found blue\n")
  }

  @Test(
    "Settings are for what is not typed, of a file or a set; variables come before the file",
    arguments: [
      (["list"], [:], "production"), (["list", "--set=staging"], [:], "staging"), (["list", "--flags=f"], [:], "f"),
      (["list"], ["FLAGCTL_FLAGS": "f"], "f"), (["list", "--set=production"], ["FLAGCTL_FLAGS": "f"], "production"),
      (["validate", "f"], [:], "f"), (["validate"], [:], "production"), (["validate"], ["FLAGCTL_FLAGS": "f"], "f"),
      (["diff", "f"], [:], "production f"), (["diff", "f", "f"], [:], ""),
      (["publish", "--yes"], ["FLAGCTL_FLAGS": "f"], "production f"), (["publish", "f", "--yes"], [:], "production f"),
      (["list"], ["FLAGCTL_SET": "staging"], "staging"),
      (["validate", "f", "--set=staging"], [:], "staging f"),
    ] as [([String], [String: String], String)])
  func appliesSettings(words: [String], environment: [String: String], source: String) async throws {
    let fleet = MemoryFleet()
    for set in ["production", "staging"] {
      let text = Array(#"{"flags": {"\#(set)": {"state": "ENABLED", "variants": {"on": true}}}}"#.utf8)
      _ = try await fleet.store(set).publish(text, expecting: nil, percent: nil, note: .init(author: "ana"))
    }
    let file = FileManager.default.temporaryDirectory.appending(path: "settings-\(UUID().uuidString).json")
    let text = #"{"flags": {"f": {"state": "ENABLED", "variants": {"on": true}}}}"#
    try Data(text.utf8).write(to: file)
    defer { do { try FileManager.default.removeItem(at: file) } catch { Issue.record(error) } }
    func path(_ text: String) -> String { text == "f" ? file.path : text.replacing("=f", with: "=\(file.path)") }
    let run = try await Self.run(
      words.map(path), on: fleet, files: [file.path: text], environment: environment.mapValues(path))
    for name in ["production", "staging", "f"] {
      let isShown = run.output.contains(try Regex(name == "f" ? #"\bf\b|settings-"# : name))
      #expect(isShown == source.split(separator: " ").contains { $0 == name }, "\(name): \(run)")
    }
  }

  @Test(
    "Settings that mean nothing are an error that says what was expected",
    arguments: [
      ("[]", "expected an object of options, found array"),
      (#"{"flgas": "f"}"#, "\(Self.expected), found flgas"), (#"{"yes": true}"#, "\(Self.expected), found yes"),
      (#"{"etcd-password-file": "f"}"#, "\(Self.expected), found etcd-password-file"),
      (#"{"set": {"a": 1}}"#, "set: expected a text, or a list of texts, found {\"a\":1}"),
      (#"{"author": null}"#, "author: expected a text, or a list of texts, found null"),
      (#"{"etcd": ["a", 1]}"#, "etcd: expected a text, or a list of texts, found [\"a\",1]"),
    ])
  func refusesSettings(text: String, message: String) async throws {
    let run = try await Self.run(["list"], on: MemoryFleet(), settings: text)
    #expect(run == Transcript(errors: "flagctl: .flagctl.json: \(message)\n", exitCode: 1))
  }

  @Test(
    "An option of the settings that the command refuses is named with the place that has it",
    arguments: [
      (#"{"bucketing": "v9"}"#, [:], ".flagctl.json: --bucketing is v2 or v3, found v9"),
      (#"{"bucketing": ["v2", "v3"]}"#, [:], ".flagctl.json: --bucketing has one value, found 2"),
      ("{}", ["FLAGCTL_BUCKETING": "v9"], "--flags FILE is missing"),
      (
        "{}", ["FLAGCTL_SET": "a/b"],
        "FLAGCTL_SET: --set is a name of visible characters of ASCII without a slash, found a/b"
      ),
    ] as [(String, [String: String], String)])
  func namesPlace(text: String, environment: [String: String], message: String) async throws {
    let run = try await Self.run(["explain", "a"], on: MemoryFleet(), environment: environment, settings: text)
    #expect(run == Transcript(errors: "flagctl: \(message); see flagctl explain --help\n", exitCode: 64))
  }

  private static let expected = """
    expected one of the options flags, etcd, set, etcd-prefix, etcd-user, author, bucketing, format, source, catalog, \
    user, attributes
    """

  @Test(
    "A password is for a cluster that the person named, and not for one that only the folder's settings name",
    arguments: [
      ([], [:], false), (["--etcd-password-file=p"], [:], false), (["--", "--etcd"], [:], false),
      (["--provider", "--etcd"], [:], false),
      (["--etcd=https://mine:2379"], [:], true), (["--etcd", "https://mine:2379"], [:], true),
      ([], ["FLAGCTL_ETCD": "https://mine:2379"], true),
    ] as [([String], [String: String], Bool)])
  func keepsPassword(words: [String], environment: [String: String], isSent: Bool) async throws {
    let fleet = MemoryFleet()
    try await fleet.publish(Self.document)
    let settings = #"{"etcd": "https://elsewhere:2379", "set": "production", "etcd-user": "kim"}"#
    let environment = environment.merging(["FLAGCTL_ETCD_PASSWORD": "secret"]) { $1 }
    let run = try await Self.run(["list"] + words, on: fleet, environment: environment, settings: settings)
    #expect(run.errors.contains("kim's password is not sent to a cluster that only .flagctl.json names") == !isSent)
    #expect((run.exitCode == 0) == isSent, "\(run)")
  }

  private static func run(
    _ words: [String], on fleet: MemoryFleet, files: [String: String] = [:], environment: [String: String] = [:],
    settings: String = #"{"etcd": "https://etcd:2379", "set": "production"}"#
  ) async throws -> Transcript {
    let files = files.merging([".flagctl.json": settings]) { $1 }
    let changes = ["create", "on", "off", "default", "share", "restore"].contains(words[0])
    let words = changes ? words + ["--yes"] : words
    return try await onThread {
      Transcript(words, files: files) { terminal in
        terminal.settings = ".flagctl.json"
        terminal.environment = environment.merging(["USER": "kim"]) { $1 }
        fleet.connect(&terminal)
      }
    }
  }

  private static let document = """
    {"flags": {"new-page": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "on"}}}
    """
}
