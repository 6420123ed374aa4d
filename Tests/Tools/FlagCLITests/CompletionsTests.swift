import Foundation
import TestSupport
import Testing

@Suite("flagctl completions", .needs(.bash))
struct CompletionsTests {
  @Test("bash accepts the script")
  func isBash() throws {
    let run = try bash("bash -n", [])
    #expect(run.status == 0 && run.output.isEmpty && run.errors.isEmpty)
  }

  @Test(
    "bash completes commands, their options, and the values of these",
    arguments: [
      (["di"], ["diff"]), (["e"], ["explain", "evaluate"]), (["--"], ["--help", "--version"]),
      (["diff", "--st"], ["--steps"]),
      (["references", "--"], ["--source", "--catalog", "--today", "--json", "--summary", "--help"]),
      (["diff", "--bucketing", ""], ["v2", "v3"]), (["diff", "--bucketing", "=", "v3"], ["v3"]),
      (["diff", "--bucketing", "="], ["v2", "v3"]), (["completions", ""], ["bash", "zsh"]),
      (["help", "sha"], ["share"]),
      // Files are left to the shell, and nothing is known of other values.
      (["diff", "--attributes", "--"], []), (["diff", ""], []), (["diff", "--steps", "--"], []),
      (["nonesuch", "--"], []),
    ])
  func completes(words: [String], candidates: [String]) throws {
    let line = ([try BuildFolder.product("flagctl").path] + words).map { "'\($0)'" }.joined(separator: " ")
    let commands = "COMP_WORDS=(\(line)); COMP_CWORD=\(words.count); _flagctl; printf '%s\\n' \"${COMPREPLY[@]}\""
    let run = try bash("bash", [commands])
    #expect(run.status == 0 && run.errors.isEmpty)
    #expect(run.output.split(separator: "\n").map(String.init) == candidates)
  }

  @Test("Every option that is completed is in the command's help, and the command takes it", arguments: Self.commands)
  func agreesWithHelp(command: String) throws {
    let help = Transcript(command, "--help").output
    let page = Transcript("help", "options").output
    let listed = (help + page).split(separator: "\n").filter { $0.hasPrefix("  --") }
      .map { String($0.dropFirst(2).prefix { $0 != " " }) }
    let run = try bash("bash", ["COMP_WORDS=(flagctl \(command) --); COMP_CWORD=2; _flagctl; echo ${COMPREPLY[@]}"])
    let completed = run.output.split(whereSeparator: \.isWhitespace).map(String.init)
    #expect(completed.last == "--help" && completed.dropLast().allSatisfy(listed.contains), "\(completed)")
    for option in completed.dropLast() {
      let errors = Transcript(command, option).errors
      #expect(!errors.contains("unknown"), "\(command) \(option): \(errors)")
    }
  }

  @Test("Every command and option has its words in the script for zsh")
  func namesAll() {
    let zsh = Transcript("completions", "zsh").output
    #expect(zsh.hasPrefix("#compdef flagctl\n"))
    for command in Self.commands {
      #expect(zsh.contains("\n    \(command)) _arguments ") && zsh.contains("\n    '\(command):"))
    }
    #expect(
      zsh.contains(#"'*--bucketing=[how users are assigned to shares (default\: v3)]:value:(v2 v3)'"#))
  }

  /// The commands, as they are completed after `flagctl help`.
  private static let commands = Transcript("completions", "words", "--", "help").output.split(separator: "\n")
    .map(String.init).filter { $0 != "options" }

  @Test(
    "Flags and variants of the document are completed, and nothing where neither is meant",
    arguments: [
      (["on"], "new-page\nold\n"), (["default", "new-page"], "off\non\n"), (["share", "old"], "a\n"),
      (["schedule", "new-page", "--variant"], "off\non\n"), (["schedule", "new-page", "--on"], ""),
      (["default", "--yes"], "new-page\nold\n"), (["validate"], ""), (["nonesuch"], ""), (["on", "new-page"], ""),
    ])
  func namesFlags(words: [String], candidates: String) {
    let text =
      #"{"flags": {"new-page": {"state": "ENABLED", "variants": {"on": true, "off": false}}, "#
      + #""old": {"state": "ENABLED", "variants": {"a": 1}}}}"#
    for source in [["--flags", "f"], ["--flags", "=", "f"]] {
      let line = [words[0]] + source + words.dropFirst()
      #expect(Transcript(["completions", "words", "--"] + line, files: ["f": text]).output == candidates, "\(line)")
    }
  }

  /// Runs a command of a shell with the script for bash, and commands behind it, as its input.
  private func bash(_ command: String, _ commands: [String]) throws -> (output: String, errors: String, status: Int32) {
    let folder = FileManager.default.temporaryDirectory.appending(path: "flagctl-completions-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer {
      do { try FileManager.default.removeItem(at: folder) } catch { Issue.record(error) }
    }
    let script = ([Transcript("completions", "bash").output] + commands).joined(separator: "\n") + "\n"
    try Data(script.utf8).write(to: folder.appending(path: "script"))
    let run = try ChildProcess.run(
      try InstalledProgram.require("bash"), ["-c", "\(command) script"], in: folder,
      environment: ["PATH": InstalledProgram.path, "LC_ALL": "C"])
    return (run.output, run.errors, run.status)
  }
}
