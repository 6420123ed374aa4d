import Foundation
import TestSupport
import Testing

/// The scripts for completion in the shells that they are for; those that are not installed are passed over.
@Suite("Completion in real shells")
struct ShellTests {
  @Test(
    "zsh completes a command, an option and an operand as one types",
    .needs(.zsh), .needs(.thoroughRun),
    arguments: [
      ("flagctl ref", "flagctl references "), ("flagctl diff --st", "flagctl diff --steps="),
      ("flagctl completions z", "flagctl completions zsh "), ("flagctl help sha", "flagctl help share "),
      ("flagctl list --js", "flagctl list --json "),
    ])
  func completesInZsh(line: String, completed: String) async throws {
    let run = try await Shell.run("zsh", Self.zsh, ["-f", "driver", line])
    let result = run.output.replacing("\r", with: "").firstMatch(of: /RESULT<([^>]*)>/)
    #expect(result.map { String($0.1) } == completed, "\(run.output)\(run.errors)")
  }

  /// A shell with simulated input: the text before the cursor is completed, and returned.
  private static let zsh = [
    "driver": #"""
    zmodload zsh/zpty
    zpty child zsh -f -i
    zpty -w child "source $PWD/child"
    zpty -r child out '*READY>*'
    zpty -w -n child "$1"$'\C-x'
    zpty -r child out '*RESULT<*>*'
    print -r -- "$out"
    """#,
    "child": #"""
    autoload -Uz compinit
    compinit -u -D
    source script
    show() { zle complete-word; print -r -- "RESULT<$BUFFER>"; exit }
    zle -N show
    bindkey '^X' show
    PS1='READY>'
    """#,
  ]
}

private enum Shell {
  /// Runs a shell in a folder with its script and other files.
  static func run(
    _ name: String, _ files: [String: String], _ arguments: [String]
  ) async throws -> (output: String, errors: String, status: Int32) {
    try await onThread {
      let folder = FileManager.default.temporaryDirectory.appending(path: "flagctl-\(name)-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { do { try FileManager.default.removeItem(at: folder) } catch { Issue.record(error) } }
      for (file, text) in files.merging(["script": Transcript("completions", name).output], uniquingKeysWith: { $1 }) {
        try Data((text + "\n").utf8).write(to: folder.appending(path: file))
      }
      return try ChildProcess.run(
        try InstalledProgram.require(name), arguments, in: folder,
        environment: [
          "PATH": "\(try BuildFolder.product("flagctl").deletingLastPathComponent().path):\(InstalledProgram.path)",
          "LC_ALL": "C.UTF-8", "TERM": "dumb", "HOME": folder.path,
        ])
    }
  }
}
