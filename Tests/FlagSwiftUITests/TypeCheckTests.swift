import Foundation
import TestSupport
import Testing

/// The folder of the package.
private let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent()

@Suite("Code for SwiftUI", .timeLimit(.minutes(15)))
struct TypeCheckTests {
  @Test("It is right for SwiftUI's interface as a stand-in has it, and so is a view that uses it")
  func isTypeChecked() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "standin-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { do { try FileManager.default.removeItem(at: folder) } catch { Issue.record(error) } }
    let standIn = package.appending(path: "Tests/FlagSwiftUITests/StandIns/SwiftUI.swift").path
    let module = folder.appending(path: "SwiftUI.swiftmodule").path
    #expect(
      try await Self.compile(["-emit-module", "-module-name", "SwiftUI", standIn, "-emit-module-path", module]) == "")
    let check = ["-typecheck", "-I", folder.path, "-I", try Self.modules.path]
    let console = ["FlagConsoleView", "ConsoleScreen"].map { Self.source("FlagConsoleUI/\($0)") }
    #expect(try await Self.compile(check + console) == "")
    let variation = Self.source("FlagSwiftUI/Variation")
    let (view, wrong) = (folder.appending(path: "View.swift"), folder.appending(path: "Wrong.swift"))
    try Data(Self.view.utf8).write(to: view)
    try Data(Self.view.replacing("count: size", with: "count: true").utf8).write(to: wrong)
    #expect(try await Self.compile(check + [variation, view.path]) == "")
    // So that the test cannot pass because nothing was looked at.
    #expect(try await Self.compile(check + [variation, wrong.path]).contains("cannot convert value of type 'Bool'"))
  }

  private static func source(_ name: String) -> String { package.appending(path: "Sources/\(name).swift").path }

  private static let view = """
    import FlagDomain
    import SwiftUI

    let pageSize = Flag("page-size", default: 20, "Posts on a page.")

    struct Posts: View {
      let count: Int
      var body: some View { EmptyView() }
    }

    struct FeedView: View {
      @Variation(pageSize) private var size
      var body: some View { Posts(count: size) }
    }

    struct FeedScreen: View {
      let manager: any FeatureFlagManager
      var body: some View { FeedView().flags(manager) }
    }

    """

  /// Returns what the compiler says.
  private static func compile(_ arguments: [String]) async throws -> String {
    try await onThread {
      let run = try ChildProcess.run(
        URL(filePath: "/usr/bin/env"), ["swiftc", "-swift-version", "6", "-parse-as-library"] + arguments)
      return run.output + run.errors
    }
  }

  /// Where the modules are that were built with the tests.
  private static var modules: URL {
    get throws {
      let folders = sequence(first: URL(filePath: CommandLine.arguments[0])) { $0.deletingLastPathComponent() }
      let modules = folders.prefix { $0.path != "/" }.map { $0.appending(path: "Modules") }
      let built = modules.first {
        FileManager.default.fileExists(atPath: $0.appending(path: "FlagDomain.swiftmodule").path)
      }
      return try #require(built, "FlagDomain's module was not built beside the tests")
    }
  }
}
