import FlagCLI
import FlagDefinitions
import FlagDomain
import FlagPublishing
import Foundation
import TestSupport
import Testing

@Suite("flagctl create, on, off, default, share, copy, rename, variants, retire and delete")
struct LifecycleTests {
  @Test("A flag lives: made, copied, renamed, given other variants, retired, listed as retired, and deleted")
  func lives() async throws {
    let file = try ChangedFile(#"{"flags": {}}"#)
    defer { file.remove() }
    for (words, expected) in Self.life {
      let run = try await file.run(words + ["--yes"])
      #expect(run.exitCode == 0 && run.output.hasSuffix("\(file.path): written\n"), "\(words) \(run)")
      #expect(try file.text == #"{"flags": {\#(expected)}}"#)
    }
    #expect(try await file.run(["delete", "find", "--yes"]).exitCode == 0)
    #expect(try file.text == #"{"flags": {}}"#)
  }

  private static let retired =
    #""find": {"state": "DISABLED", "variants": {"no": false, "beta": true}, "defaultVariant": "no", "#
    + #""metadata": {"owner": "web", "retired": true, "gone": "2027-02-14"}}"#

  private static let life: [([String], String)] = [
    (
      ["create", "search", "--owner=web"],
      #""search": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off", "#
        + #""metadata": {"owner": "web"}}"#
    ),
    (
      ["rename", "search", "find"],
      #""find": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off", "#
        + #""metadata": {"owner": "web"}}"#
    ),
    (
      ["variants", "find", "--add=beta=true", "--remove=on", "--rename=off=no", "--rewrite"],
      #""find": {"state": "ENABLED", "variants": {"no": false, "beta": true}, "defaultVariant": "no", "#
        + #""metadata": {"owner": "web"}}"#
    ),
    (["retire", "find"], retired),
    (["copy", "find", "again"], "\(retired), \(retired.replacing("find", with: "again"))"),
    (["delete", "again"], retired),
  ]

  @Test("The effect is shown before a person agrees, and --dry-run shows it and writes nothing")
  func shows() async throws {
    let file = try ChangedFile(Self.document)
    defer { file.remove() }
    let run = try await file.run(["variants", "size", "--value=small=11", "--dry-run"])
    #expect(
      run
        == Transcript(
          output: """
            size: variants changed: small = 10 → small = 11 for everyone
            1 flag changes, 1 of them affecting users.

            """))
    #expect(try file.text == Self.document)
    let refused = try await file.run(["delete", "size"])
    #expect(refused.exitCode == 64 && refused.errors.hasSuffix("--yes is missing\n"))
    #expect(try file.text == Self.document)
  }

  @Test("Variants are listed with what uses them")
  func lists() async throws {
    let file = try ChangedFile(Self.document)
    defer { file.remove() }
    #expect(
      try await file.run(["variants", "size"]).output == """
        VARIANT  VALUE  USED BY
        small    10     the default variant, a share at $.flags.size.targeting.fractional[0][0]
        large    20     a share at $.flags.size.targeting.fractional[1][0]

        """)
  }

  @Test("Two variants exchange their names, and what uses them follows if that is asked for")
  func exchanges() async throws {
    let file = try ChangedFile(Self.document)
    defer { file.remove() }
    let words = ["variants", "size", "--rename=small=large", "--rename=large=small", "--yes"]
    let refused = try await file.run(words)
    #expect(refused.exitCode == 1 && refused.errors.hasPrefix("flagctl: size: the variant \"small\" is used: "))
    #expect(try await file.run(words + ["--rewrite"]).exitCode == 0)
    let exchanged = Self.document.replacing("small", with: "*").replacing("large", with: "small")
    #expect(try file.text == exchanged.replacing("*", with: "large"))
  }

  @Test("Flags that are made at once are all in the file, and in its history if it has one", arguments: [false, true])
  func merges(keepsHistory: Bool) async throws {
    let file = try ChangedFile(Self.document)
    defer { file.remove() }
    if keepsHistory { try file.keepHistory() }
    let makers = 30
    try await withThrowingTaskGroup { group in
      for number in 0..<makers {
        group.addTask {
          let run = try await file.run(["create", "new-\(number)", "--yes"])
          #expect(run.exitCode == 0, "\(run)")
        }
      }
      try await group.waitForAll()
    }
    #expect(
      try Set(FlagDocument(parsing: Array(file.text.utf8)).keys) == Set((0..<makers).map { "new-\($0)" } + ["size"]))
    guard keepsHistory else { return }
    let history = try await file.run(["history", "--limit=50"])
    #expect(history.output.split(separator: "\n").count == makers + 2)
  }

  @Test(
    "What someone else changes meanwhile stays; the same flag, and what flags share, is a conflict",
    arguments: [
      (#""flags": {"#, #""flags": {"other": {"state": "DISABLED", "variants": {"x": 1}}, "#, 0),
      (#""small": 10"#, #""small": 11"#, 75), (#"{"flags""#, #"{"$evaluators": {"e": true}, "flags""#, 75),
    ] as [(String, String, Int32)])
  func keepsOthers(old: String, new: String, exitCode: Int32) async throws {
    let file = try ChangedFile(Self.document)
    defer { file.remove() }
    let theirs = Self.document.replacing(old, with: new)
    let run = try await onThread { [path = file.path] in
      Transcript(["retire", "size", "--flags=\(path)"], input: ["y\n"]) { terminal in
        terminal.isInteractive = {
          do { try Data(theirs.utf8).write(to: URL(filePath: path)) } catch { Issue.record(error) }
          return true
        }
      }
    }
    #expect(run.exitCode == exitCode, "\(run)")
    if exitCode == 75 {
      #expect(try file.text == theirs)
    } else {
      #expect(try file.text.contains(#""other": {"state": "DISABLED""#) && file.text.contains(#""retired": true"#))
    }
  }

  @Test("A flag that someone else publishes meanwhile stays in the set")
  func mergesPublished() async throws {
    let fleet = MemoryFleet()
    let isFirst = Locked(true)
    try await fleet.publish(Self.document)
    let run = try await fleet.run("create", "new", answer: "y\n") {
      let isFirst = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      let other = #""a": {"state": "ENABLED", "variants": {"x": 1}}, "size""#
      if isFirst { try await fleet.publish(Self.document.replacing("\"size\"", with: other)) }
    }
    #expect(run.exitCode == 0 && run.output.hasSuffix("production: revision 3 is published\n"), "\(run)")
    let text = try #require(try await fleet.store().text(of: 3))
    #expect(try FlagDocument(parsing: text).keys.sorted() == ["a", "new", "size"])
  }

  private static let document = """
    {"flags": {"size": {"state": "ENABLED", "variants": {"small": 10, "large": 20}, "defaultVariant": "small",
      "targeting": {"fractional": [["small", 1], ["large", 0]]}}}}
    """

  @Test("A change that cannot be is an error that says why", arguments: Self.refusals)
  func refuses(words: [String], message: String, exitCode: Int32) async throws {
    let file = try ChangedFile(Self.document)
    defer { file.remove() }
    let run = try await file.run(words + ["--yes"])
    let help = exitCode == 64 ? "; see flagctl \(words[0]) --help" : ""
    #expect(run == Transcript(errors: "flagctl: \(message)\(help)\n", exitCode: exitCode))
    #expect(try file.text == Self.document)
  }

  private static let refusals: [([String], String, Int32)] = [
    (["create"], "a FLAG is missing", 64),
    (
      ["create", "x", "--type=number"],
      "--variant NAME=VALUE is missing: a flag of the type number has no usual variants", 64
    ),
    (
      ["create", "x", "--type=number", "--variant=a=b"], "the variant a: expected a number, found “b”", 1
    ),
    (["create", "x", "--variant=a"], "--variant is a variant such as blue=2, found a", 64),
    (["copy", "size"], "a NEW is missing", 64),
    (["variants", "none"], "none: the document has no flag “none”", 1),
    (
      ["variants", "size", "--remove=large"],
      "size: the variant \"large\" is used: a share at $.flags.size.targeting.fractional[1][0]", 1
    ),
    (["variants", "size", "--replacement=small"], "--replacement VARIANT is for --remove VARIANT", 64),
    (["variants", "size", "--rewrite"], "--rewrite is for --rename OLD=NEW", 64),
    (["variants", "size", "--add=x=true"], "the variant x: expected a number, found “true”", 1),
    (["retire", "size", "--gone=soon"], "--gone is a day such as 2027-01-31, found soon", 64),
    (["retire", "size", "--percent=10"], "--percent is for a set in etcd, found --flags FILE", 64),
    (["copy", "size", "new", "--expect=7"], "--expect is for a set in etcd, found --flags FILE", 64),
    (["create", "new", "--keep=7"], "--keep is for a set in etcd, found --flags FILE", 64),
    (
      ["retire", "size", "--set=a", "--etcd=http://127.0.0.1:1"], "--flags FILE or a set in etcd is enough, found both",
      64
    ),
  ]

  @Test("A flag that something reads is deleted, renamed or retired only by force, and the places are shown")
  func warns() async throws {
    let source = try SourceFixture(["Model.swift": "let size = flags.int(\"size\")\n"])
    defer { source.remove() }
    for words in [["delete", "size"], ["rename", "size", "length"], ["retire", "size"]] {
      let file = try ChangedFile(Self.document)
      defer { file.remove() }
      let place = "flagctl: size: may be read: \(source.source)/Model.swift:1:22\n"
      let all = words + ["--yes", "--source=\(source.source)"]
      let refused = try await file.run(all)
      #expect(
        refused
          == Transcript(
            errors: place + "flagctl: size: nothing was changed, because something may read the flag; see --force\n",
            exitCode: 1))
      #expect(try file.text == Self.document)
      let forced = try await file.run(all + ["--force"])
      #expect(forced.exitCode == 0 && forced.errors == place)
      #expect(try file.text != Self.document)
      let unknown = try await file.run(["delete", "none", "--yes"])
      #expect(unknown.errors.hasPrefix("flagctl: none: without --source DIR it is not known what reads the flag\n"))
    }
  }

  @Test("A set is published as publish does, with author and reason; a flag that goes by intent needs no number")
  func publishes() async throws {
    let fleet = MemoryFleet()
    try await fleet.publish(Self.document)
    let run = try await fleet.run("delete", "size", "--yes", "--reason=unused")
    #expect(run.exitCode == 0 && run.output.hasSuffix("production: revision 2 is published\n"))
    #expect(
      try await fleet.store().head()?.revision.note
        == PublicationNote(author: "kim", reason: "deleted size: unused"))
    #expect(try await fleet.store().text(of: 2).map { String(decoding: $0, as: UTF8.self) } == #"{"flags": {}}"#)
    let dry = try await fleet.run("create", "x", "--dry-run")
    #expect(dry.exitCode == 0 && dry.output.contains("x: new flag"))
    #expect(try await fleet.store().head()?.revision.number == 2)
  }

  @Test("Retired flags whose day is over are listed as expired")
  func expires() async throws {
    let file = try ChangedFile(Self.document)
    defer { file.remove() }
    _ = try await file.run(["retire", "size", "--gone=2027-01-01", "--yes"])
    let files = ["f.json": try file.text]
    let run = try await onThread { Transcript(["check", "f.json"], files: files) }
    #expect(
      run == Transcript(output: "f.json:1:20: size: retired, to be deleted after 2027-01-01 (expired)\n", exitCode: 1))
    let early = try await onThread {
      Transcript(["check", "f.json", "--today=2027-01-01"], files: files)
    }
    #expect(early == Transcript())
  }
}

/// A document on the disk, which commands change.
private struct ChangedFile: Sendable {
  private let file = FileManager.default.temporaryDirectory.appending(path: "life-\(UUID().uuidString).json")

  init(_ text: String) throws { try Data(text.utf8).write(to: file) }

  var path: String { file.path }
  var text: String { get throws { try String(contentsOf: file, encoding: .utf8) } }

  func remove() {
    do {
      try FileManager.default.removeItem(at: file)
      if FileManager.default.fileExists(atPath: "\(path).history") {
        try FileManager.default.removeItem(atPath: "\(path).history")
      }
    } catch {
      Issue.record(error)
    }
  }

  func keepHistory() throws {
    try FileManager.default.createDirectory(atPath: "\(path).history", withIntermediateDirectories: false)
  }

  /// Runs a command on the file, with files of source as they are on the disk.
  func run(_ words: [String]) async throws -> Transcript {
    let words = words + ["--flags=\(path)"]
    let folders = words.compactMap { $0.hasPrefix("--source=") ? String($0.dropFirst(9)) : nil }
    var files: [String: String] = [:]
    for folder in folders {
      for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
        files["\(folder)/\(name)"] = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
      }
    }
    return try await onThread { [files] in Transcript(words, files: files) }
  }
}
