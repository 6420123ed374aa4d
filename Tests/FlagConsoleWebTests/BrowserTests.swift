import Foundation
import TestSupport
import Testing

/// The folder of the package.
private let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent()
/// Where `.ci/run` installs what drives a browser.
private let python = package.appending(path: ".build/browser/bin/python3").path
/// The browser, as Debian's package installs it.
private let chromium = "/usr/bin/chromium"

@Suite(
  "Console in a browser", .timeLimit(.minutes(15)),
  .enabled(
    if: [python, chromium].allSatisfy(FileManager.default.isExecutableFile),
    "\(python) or \(chromium) is missing; .ci/run installs both"))
struct BrowserTests {
  @Test("Found, searched, switched, edited, saved, in two windows, by keys alone, and without a barrier or an error")
  func holds() async throws {
    let tool = try Self.flagctl.path
    let run = try await onThread {
      try ChildProcess.run(URL(filePath: python), [Self.script, tool, chromium])
    }
    #expect(run.output.hasSuffix("all went well\n") && run.status == 0, "\(run.output)\(run.errors)")
  }

  private static let script = package.appending(path: "Tests/FlagConsoleWebTests/Browser/session.py").path

  /// The tool as it was built beside the tests.
  private static var flagctl: URL {
    get throws {
      var folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      while folder.path.count > 1 {
        let candidate = folder.appending(path: "flagctl")
        if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
        folder.deleteLastPathComponent()
      }
      throw ChildProcess.Failure(description: "flagctl was not built beside the tests: run swift build first")
    }
  }
}
