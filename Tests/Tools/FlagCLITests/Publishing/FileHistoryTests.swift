import FlagCLI
import Foundation
import TestSupport
import Testing

@Suite("flagctl history of files")
struct FileHistoryTests {
  @Test("The kept states of a file are listed, also one that someone else wrote, and one of them is written again")
  func goesBack() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "history-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { do { try FileManager.default.removeItem(at: folder) } catch { Issue.record(error) } }
    let file = folder.appending(path: "flags.json")
    let (first, second) = (#"{"flags": {}}"#, #"{"flags": {"a": {"state": "ENABLED", "variants": {"on": true}}}}"#)
    try Data(first.utf8).write(to: file)

    let none = try await Self.run(file)
    #expect(none.exitCode != 0 && none.errors.contains("no states are kept; start flagctl console with --history"))

    try FileManager.default.createDirectory(
      at: folder.appending(path: "flags.json.history"), withIntermediateDirectories: true)
    let begun = try await Self.run(file)
    #expect(begun.exitCode == 0 && begun.output.contains("as it was when its history began"), "\(begun)")
    try Data(second.utf8).write(to: file)
    let changed = try await Self.run(file)
    #expect(changed.output.split(separator: "\n")[1].contains("changed outside"), "\(changed)")

    try Data("\(second)\n".utf8).write(to: file)
    let folders = {
      try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "flags.json.history").path)
    }
    let before = try folders()
    let dry = try await onThread { Transcript(["copy", "a", "b", "--flags=\(file.path)", "--dry-run"]) }
    #expect(try folders() == before && dry.exitCode == 0, "\(dry)")
    try Data(second.utf8).write(to: file)
    let asked = try await Self.run(file, "restore", "1")
    #expect(
      asked.exitCode != 0 && asked.errors.contains("--yes is missing") && !asked.output.isEmpty,
      "\(asked)")
    #expect(try String(contentsOf: file, encoding: .utf8) == second)
    let back = try await Self.run(file, "restore", "1", "--author=kim", "--reason=it broke", "--yes")
    #expect(back.exitCode == 0 && back.output.hasSuffix("flags.json: written\n"), "\(back)")
    #expect(try String(contentsOf: file, encoding: .utf8) == first)
    let listed = try await Self.run(file)
    #expect(listed.output.contains("kim") && listed.output.contains("back to revision 1: it broke"), "\(listed)")

    let missing = try await Self.run(file, "restore", "9", "--yes")
    #expect(missing.exitCode != 0 && missing.errors.contains("there is no revision 9, or it was removed"))
    #expect(try String(contentsOf: file, encoding: .utf8) == first)
  }

  @Test("The effect of going back is of the bucketing that is named", arguments: ["v2", "v3"])
  func reviewsByBucketing(bucketing: String) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "history-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder.appending(path: "flags.json.history"), withIntermediateDirectories: true)
    defer { do { try FileManager.default.removeItem(at: folder) } catch { Issue.record(error) } }
    let file = folder.appending(path: "flags.json")
    // The hash of the word gives everyone the first share with version 3, and the second with version 2.
    for rule in [#", "targeting": {"fractional": [{"cat": ["spring"]}, ["on", 1], ["off", 1]]}"#, ""] {
      try Data(Self.flag(rule).utf8).write(to: file)
      #expect(try await Self.run(file).exitCode == 0)
    }
    let back = try await Self.run(file, "restore", "1", "--yes", "--bucketing=\(bucketing)")
    #expect(back.exitCode == 0 && back.output.contains("off → on for everyone") == (bucketing == "v3"), "\(back)")
  }

  /// A document of a flag that is off by default, with more members.
  static func flag(_ members: String) -> String {
    """
    {"flags": {"f": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off"\(members)}}}
    """
  }

  private static func run(_ file: URL, _ command: String = "history", _ words: String...) async throws -> Transcript {
    try await onThread { Transcript([command, "--flags=\(file.path)"] + words) }
  }
}
