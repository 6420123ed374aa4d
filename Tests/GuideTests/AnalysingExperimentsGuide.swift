import FlagCLI
import Foundation
import Synchronization
import Testing

@Suite("Guide to analyzing experiments")
struct AnalysingExperimentsGuide {
  private let guide = Guide("Docs/Experiments.md")

  @Test("Every command line of the guide runs, on what those before it wrote, and writes what the guide shows")
  func runsCommands() throws {
    let files = Mutex([
      "flags.json": try #require(guide.blocks(of: "json").first),
      "aggregates.jsonl": guide.blocks(of: "jsonl")[1].replacing("\n ", with: ""),
    ])
    let shown = guide.blocks(of: "text")
    let outputs = try guide.blocks(of: "sh").flatMap { $0.replacing("\\\n ", with: "").split(separator: "\n") }.map {
      line in
      try run(String(line), files)
    }
    #expect(outputs.count == 8)
    #expect(outputs[1].errors == shown[0])
    #expect(outputs[2].text == shown[1])
    #expect(outputs[3].text.contains("(CUPED)") && outputs[3].text.contains("conversions count for 7d"))
    #expect(files.withLock { $0["report.html"]?.hasPrefix("<!doctype html>") } == true)
    #expect(files.withLock { $0["query.sql"]?.contains(#"SELECT "user_id" AS unit"#) } == true)
  }

  @Test("The events that the guide shows can be read")
  func readsEvents() throws {
    let events = try #require(guide.blocks(of: "jsonl").first)
    let more = events.replacing("ann", with: "bob").replacing("blue", with: "green")
    let run = try run("flagctl analyze --events e.jsonl", Mutex(["e.jsonl": events + more]), code: 1)
    #expect(run.text.contains("Events lost before they were sent: 17 (81.0 %), more than 1 %"))
  }

  private struct Output {
    var text = ""
    var errors = ""
  }

  /// Runs a command line, whose output may go into a file.
  private func run(_ line: String, _ files: borrowing Mutex<[String: String]>, code expected: Int32 = 0) throws
    -> Output
  {
    let parts = line.split(separator: " > ")
    let known = files.withLock { $0 }
    let output = Mutex(Output())
    let terminal = Terminal(
      file: { Data(try #require(known[$0]).utf8) },
      open: { path in
        var pieces = [try #require(known[path ?? ""])].makeIterator()
        return { pieces.next().map { Data($0.utf8) } }
      },
      write: { text in output.withLock { $0.text += text } },
      writeError: { text in output.withLock { $0.errors += text } }, now: { 0 })
    let code = FlagTool(terminal: terminal).run(parts[0].split(separator: " ").dropFirst().map(String.init))
    let run = output.withLock { $0 }
    #expect(code == expected, "\(line): \(run.errors)")
    if parts.count == 2 { files.withLock { $0[String(parts[1])] = run.text } }
    return run
  }
}
