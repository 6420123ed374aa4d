import Foundation
import TestSupport
import Testing

@Suite("Guide to serving flags", .timeLimit(.minutes(15)), .needs(.bash), .needs(.curl))
struct ServingGuideTests {
  @Test("Every command of the guide writes what the guide says")
  func holds() async throws {
    let guide = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../../Docs/RemoteServicesAndServing.md").standardizedFileURL, encoding: .utf8)
    let document = try #require(Self.blocks(of: "json", in: guide).first)
    let sessions = Self.blocks(of: "console", in: guide).map(Session.init)
    #expect(sessions.count == 4)
    let server = try await RunningServer(["flags.json": document], ["--flags", "flags.json"])
    for session in sessions { #expect(try await server.shell(session.script) == session.output) }
    #expect(await server.end() == 0)
  }

  private static func blocks(of language: String, in text: String) -> [String] {
    text.components(separatedBy: "```\(language)\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
  }

  /// Commands, and all that they write; each command's output ends with a line feed, as a terminal shows it.
  private struct Session {
    var script = "set -e\n"
    var output = ""

    /// Lets a stream go as soon as its reader has read enough: in a pipe, curl notices that at the next heartbeat.
    private static func withoutWaiting(_ command: String) -> String {
      let parts = command.components(separatedBy: " | ")
      guard parts.count > 1, parts[0].hasPrefix("curl -sN ") else { return command }
      return (["\(parts[1]) < <(\(parts[0]))"] + parts[2...]).joined(separator: " | ")
    }

    init(_ block: String) {
      for line in block.split(separator: "\n") {
        if line.hasPrefix("$ ") {
          let command = Self.withoutWaiting(String(line.dropFirst(2)).replacing("localhost:8016", with: "$URL"))
          script += "\(command) > out; cat out; if [ -s out ] && [ -n \"$(tail -c 1 out)\" ]; then echo; fi\n"
        } else {
          output += line + "\n"
        }
      }
    }
  }
}
