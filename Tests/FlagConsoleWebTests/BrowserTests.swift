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
      let folders = sequence(first: URL(filePath: CommandLine.arguments[0])) { $0.deletingLastPathComponent() }
      let candidates = folders.prefix { $0.path != "/" }.map { $0.appending(path: "flagctl") }
      let built = candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) }
      return try #require(built, "flagctl was not built beside the tests: run swift build first")
    }
  }
}
