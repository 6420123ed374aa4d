import Foundation
import TestSupport
import Testing

@Suite("Publishers, over a stand-in of Combine that runs", .whenAsked, .timeLimit(.minutes(20)))
struct PublisherTests {
  @Test("They give the first value inside sink and all others on the main queue, and main-actor code may take them")
  func runs() async throws {
    let folder = try BuildFolder.root.appending(path: "apple/publishers")
    if FileManager.default.fileExists(atPath: folder.path) { try FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // As an older module, of whose closures the compiler has the actor checked when they run.
    let combine = folder.appending(path: "Combine")
    let module = try await Compiler.run(
      "swiftc",
      [
        "-parse-as-library", "-swift-version", "5", "-emit-module", "-emit-object", "-module-name", "Combine",
        StandInSDK.sources.appending(path: "Combine/Combine.swift").path,
        "-emit-module-path", combine.path + ".swiftmodule", "-o", combine.path + ".o",
      ])
    #expect(module == "")

    // The package's own file, outside of its module, which it then has to import.
    let own = Checkout.root.appending(path: "Sources/FlagComposition/Apple/FlagObserving+Combine.swift")
    let text = try String(contentsOf: own, encoding: .utf8)
    let publishers = folder.appending(path: "Publishers.swift")
    try text.replacing(
      "import Combine\n", with: "import Combine\n  public import FlagComposition\n", maxReplacements: 1
    )
    .write(to: publishers, atomically: false, encoding: .utf8)

    let program = folder.appending(path: "program")
    let threads = Checkout.root.appending(path: "Sources/Internals/C/FlagThreads/include").path
    let messages = try await Compiler.run(
      "swiftc",
      [
        "-parse-as-library", "-swift-version", "6", "-enable-upcoming-feature", "InternalImportsByDefault",
        "-module-name", "Program", "-I", folder.path, "-I", try BuildFolder.modules.path, "-I", threads,
        publishers.path, Checkout.tests.appending(path: "Publishing.swift").path, combine.path + ".o",
      ] + (try Self.objects) + ["-o", program.path])
    #expect(messages == "")
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

  /// The objects of the targets that the program links: of each source one, since the folder also keeps those of
  /// sources that have been renamed since.
  private static var objects: [String] {
    get throws {
      try ["FlagDomain", "Internals/FlagSupport", "FlagComposition", "Internals/C/FlagThreads"].flatMap { folder in
        let root = Checkout.root.appending(path: "Sources/\(folder)")
        let sources = try FileManager.default.subpathsOfDirectory(atPath: root.path)
        return try sources.filter { $0.hasSuffix(".swift") || $0.hasSuffix(".c") }.map {
          try BuildFolder.root.appending(
            path: "\(root.lastPathComponent).build/\(URL(filePath: $0).lastPathComponent).o"
          ).path
        }
      }
    }
  }
}
