import Foundation
import TestSupport
import Testing

@Suite("Screens, in a double of SwiftUI that runs", .needs(.compiler), .timeLimit(.minutes(10)))
struct ScreenTests {
  @Test("What people do on each screen works, by the works' rows")
  func runs() async throws {
    let build = try ProgramBuild("screens")
    try await build.module("SwiftUI", ProgramBuild.files(in: StandInSDK.sources.appending(path: "SwiftUI")))
    for name in ["Sources/FlagSwiftUI", "Sources/Console/FlagConsoleUI", "Examples/NewsReader"] {
      let folder = Checkout.root.appending(path: name)
      // What the package manager adds to a target with resources, and what the system's own Foundation does.
      let added = name == "Examples/NewsReader" ? ["ResourceBundle.swift", "UserDefaults.swift"] : []
      try await build.module(
        folder.lastPathComponent,
        ProgramBuild.files(in: folder) + added.map { StandInSDK.sources.appending(path: $0) })
    }
    let binding = try build.copy(
      "FlagComposition/Apple/FeatureFlagClient+SwiftUI.swift", importing: "FlagComposition", beside: "FlagDomain")
    let program = try await build.program(
      "Screens", [binding] + ProgramBuild.files(in: Checkout.tests.appending(path: "Screens")),
      modules: ["SwiftUI", "FlagSwiftUI", "FlagConsoleUI", "NewsReader"],
      targets: [
        "Sources/FlagDomain", "Sources/FlagComposition", "Sources/FlagProviders", "Sources/Console/FlagConsole",
        "Sources/Definitions/FlagDefinitions", "Sources/FeedFlags", "Sources/SettingsFlags", "Examples/SignIn",
        "Sources/FlagUserDefaults", "Sources/Internals/FlagFiles", "Sources/Internals/FlagFoundation",
        "Sources/Internals/FlagJSON", "Sources/Internals/FlagSupport", "Sources/Internals/C/FlagThreads",
      ])
    let run = try await onThread { try ChildProcess.run(program, []) }
    let lines = (run.output + run.errors).split(separator: "\n")
    for line in lines where line.contains("recorded an issue") { Issue.record(Comment(rawValue: String(line))) }
    #expect(run.status == 0)

    let passed = lines.filter { $0.contains("passed after") }.joined(separator: "\n")
    let missing = Self.rows.filter { row in !passed.contains("\(row):") && !passed.contains("\(row),") }
    #expect(missing == [])
  }

  /// The rows of five works about a screen, by the numbers of `sources.md`.
  private static let rows = [
    "M17", "M18", "R44", "R45", "R46", "R47", "R48", "U23", "U24", "U25", "U26", "O13", "O14", "O15", "O16", "O17",
    "O19",
  ]
}
