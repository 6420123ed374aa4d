import Foundation
import TestSupport
import Testing

@Suite("Publishers, over a stand-in of Combine that runs", .whenAsked, .timeLimit(.minutes(20)))
struct PublisherTests {
  @Test("They give the first value inside sink and all others on the main queue, and main-actor code may take them")
  func runs() async throws {
    let build = try ProgramBuild("publishers")
    // As an older module, of whose closures the compiler has the actor checked when they run.
    try await build.module(
      "Combine", [StandInSDK.sources.appending(path: "Combine/Combine.swift")], language: "5")
    let publishers = try build.copy(
      "FlagComposition/Apple/FlagObserving+Combine.swift", importing: "FlagComposition", beside: "Combine")
    let program = try await build.program(
      "Program", [publishers, Checkout.tests.appending(path: "Publishing.swift")], modules: ["Combine"],
      targets: [
        "Sources/FlagDomain", "Sources/Internals/FlagSupport", "Sources/FlagComposition",
        "Sources/Internals/C/FlagThreads",
      ])
    let run = try await onThread { try ChildProcess.run(program, []) }
    #expect(
      run.output + run.errors == """
        inside sink: [0] ["0 light"]
        in order: true
        on main: true
        in order, on a queue: true
        before the main queue runs: []
        later, on main: true
        after the end: true

        """)
    #expect(run.status == 0)
  }
}
