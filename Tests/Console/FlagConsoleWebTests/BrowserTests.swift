import FlagConsole
import FlagDomain
import FlagServer
import Foundation
import TestSupport
import Testing

@testable import FlagConsoleWeb

@Suite("Console in a browser", .computing, .timeLimit(.minutes(15)), .needs(.browser), .needs(.thoroughRun))
struct BrowserTests {
  @Test(
    "Found, searched, switched, edited, saved, seen in many tabs, by keys alone, and without a barrier or an error",
    arguments: ["session", "saving", "visits", "life", "forms", "ruletext", "rules", "places", "story", "tasks"])
  func holds(script: String) async throws {
    let run = try await Self.run(script, try BuildFolder.product("flagctl").path)
    #expect(run.output.hasSuffix("all went well\n") && run.status == 0, "\(run.output)\(run.errors)")
  }

  @Test("Below a path of another server: groups, sources, marks and questions, with and without the script")
  func isMounted() async throws {
    let place = try ConsolePlace(path: "/admin/flags", origin: nil)
    let web = try WebFixture(catalogs: Self.catalogs, at: place) { options in
      options.mark = { row in
        switch row.groups.first {
        case "Feed": FlagMark("Server", row.isOverridden ? .purple : .blue)
        default: FlagMark.Tint(rawValue: row.summary).map { FlagMark("Client", $0) }
        }
      }
    }
    let server = try HTTPServer(web.service)
    let link = "http://127.0.0.1:\(server.port)/admin/flags/start?token=token"
    let run = try await Self.run("mounted", link)
    #expect(run.output.hasSuffix("all went well\n") && run.status == 0, "\(run.output)\(run.errors)")
    await server.stop()
  }

  /// Runs a script that drives the browser.
  private static func run(_ name: String, _ subject: String) async throws -> (
    output: String, errors: String, status: Int32
  ) {
    let script = packageFolder.appending(path: "Tests/Console/FlagConsoleWebTests/Browser/\(name).py").path
    let chromium = try #require(InstalledProgram.chromium).path
    return try await onThread {
      // A browser that hangs leaves the other tests their time.
      try ChildProcess.run(VirtualEnvironment.browser.python, [script, subject, chromium] + pictures, killedAfter: 240)
    }
  }

  /// The folder for screenshots; nil for none.
  private static var pictures: [String] {
    [ProcessInfo.processInfo.environment["FLAGS_PICTURES"]].compactMap { $0 }
  }

  private static let catalogs = [
    FlagCatalog("feed", FlagMetadata("What is read.", displayName: "Feed")) {
      Flag("page-size", default: 20, FlagMetadata("Posts on a page.", displayName: "Page size"))
      Flag("new-profile", default: false, FlagMetadata("The new profile.", displayName: "New profile"))
      FlagCatalog(
        "video",
        FlagMetadata(
          "Moving pictures in the feed.", displayName: "Video posts", presentation: .init(groupStyle: .navigation))
      ) {
        Flag("autoplay", default: true, FlagMetadata("Plays videos at once.", displayName: "Autoplay"))
        Flag("captions", default: false, FlagMetadata("Shows what is said.", displayName: "Captions"))
      }
    },
    FlagCatalog("settings", FlagMetadata("Settings.", displayName: "Settings")) {
      Flag("engine", default: false, FlagMetadata("red", displayName: "Engine", requiresRestart: true))
      Flag("brakes", default: false, FlagMetadata("orange", displayName: "Brakes", requiresRestart: true))
      Flag("motto", default: "", FlagMetadata("green", displayName: "Motto"))
      Flag("one", default: 1, FlagMetadata("teal"))
      Flag("two", default: 2.5, FlagMetadata("pink"))
      Flag("three", default: ["a"], FlagMetadata("gray"))
      Flag("four", default: "x", FlagMetadata("none", isLocked: true))
    },
  ]
}
