import Foundation
import TestSupport
import Testing

/// The folder of the package.
private let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent()

@Suite("Code for Apple's systems", .timeLimit(.minutes(15)), .oneAtATime)
struct TypeCheckTests {
  @Test("Views are right for SwiftUI's interface as a stand-in has it, and so is a view that uses them")
  func checksViews() async throws {
    let folder = try StandInFolder()
    defer { folder.remove() }
    #expect(try await folder.makeModule("SwiftUI") == "")
    let console = ["FlagConsoleView", "FlagDetailView", "ConsoleScreen"].map { Self.source("FlagConsoleUI/\($0)") }
    #expect(try await folder.check(console) == "")
    #expect(try await folder.check(console.map(folder.copyForTV)) == "")
    let binding = try folder.copy(
      Self.source("FlagComposition/Apple/FeatureFlagClient+SwiftUI"), importing: Self.client)
    let toggle = try folder.write("Toggle.swift", Self.toggle)
    #expect(try await folder.check([binding, toggle]) == "")
    let variation = Self.source("FlagSwiftUI/Variation")
    #expect(try await folder.check([variation, try folder.write("View.swift", Self.view)]) == "")
    // So that the test cannot pass because nothing was looked at.
    let wrong = try folder.write("Wrong.swift", Self.view.replacing("count: size", with: "count: true"))
    #expect(try await folder.check([variation, wrong]).contains("cannot convert value of type 'Bool'"))
  }

  @Test(
    "Publishers give the first value inside sink and all others on the main queue, and main-actor code may take them")
  func runsPublishers() async throws {
    let folder = try StandInFolder()
    defer { folder.remove() }
    // As an older module, of whose closures the compiler has the actor checked when they run.
    #expect(try await folder.makeModule("Combine", ["-swift-version", "5", "-emit-object"]) == "")
    let publishers = try folder.copy(
      Self.source("FlagComposition/Apple/FlagObserving+Combine"), importing: Self.client)
    let program = package.appending(path: "Tests/FlagSwiftUITests/StandIns/Publishing.swift").path
    let run = try await folder.run([publishers, program])
    #expect(
      run == """
        inside sink: [0] ["0 light"]
        in order: true
        on main: true
        in order, on a queue: true
        before the main queue runs: []
        later, on main: true
        after the end: true

        """)
  }

  @Test("Certificates are right for Security's interface as a stand-in has it, and a misspelled name is seen")
  func checksCertificates() async throws {
    let folder = try StandInFolder()
    defer { folder.remove() }
    #expect(try await folder.makeModule("Security") == "")
    let files = [
      "URLSessionTransport", "Exchange", "HTTPTransport", "TransportError", "TransportRequest",
      "Certificates/TransportCertificates", "Certificates/ChallengeAnswer",
    ]
    let sources = files.map { Self.source("FlagTransport/\($0)") }
    let path = Self.source("FlagTransport/Certificates/SessionDelegate+Security")
    let text = try String(contentsOfFile: path, encoding: .utf8)
      .replacing("  import Security\n", with: "  import FoundationNetworking\n  import Security\n")
    let mac = "#if os(macOS) || targetEnvironment(macCatalyst)"
    #expect(text.contains(mac))
    let onMac = text.replacing(mac, with: "#if true")
    func check(_ text: String, _ others: [String] = []) async throws -> String {
      let file = try folder.write("Checked.swift", text)
      return try await folder.check(sources + others + [file], of: "FlagTransport")
    }
    #expect(try await check(text) == "")
    #expect(try await check(onMac) == "")
    // A method of a delegate is optional: one with another name would never be called, and nobody would say so.
    let challenges = try folder.write("TaskChallenges.swift", Self.taskChallenges)
    let delegate = onMac.replacing("extension SessionDelegate {", with: Self.challengedDelegate)
    #expect(try await check(delegate, [challenges]) == "")
    let misnamed = delegate.replacing("didReceive challenge", with: "received challenge")
    #expect(try await check(misnamed, [challenges]).contains("required by protocol 'TaskChallenges'"))
    let names = /\b(?:(?:Sec|CF)\w+(?=\()|(?:k|err)Sec\w+|NSURL\w+|serverTrust|authenticationMethod)\b/
    let used = Set(onMac.matches(of: names).map(\.output))
    var misspelled = onMac.replacing("self.init(trust:", with: "self.init(trustX:")
      .replacing("self.init(identity:", with: "self.init(identityX:")
    for name in used { misspelled = misspelled.replacing(try Regex("\\b\(name)\\b"), with: "\(name)X") }
    let messages = try await check(misspelled)
    #expect(used.filter { !messages.contains("'\($0)X'") } == [])
    #expect(["trustX:", "identityX:"].filter { !messages.contains("have '\($0)") } == [])
    #expect(used.count > 10)
  }

  @Test("Every file for Apple's systems is looked at here")
  func knowsFiles() throws {
    let sources = package.appending(path: "Sources")
    let files = try #require(FileManager.default.enumerator(atPath: sources.path)).compactMap { $0 as? String }
      .filter { $0.hasSuffix(".swift") }
    let apple = try files.filter { file in
      let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
      return ["SwiftUI", "Combine", "Security"].contains { text.contains("canImport(\($0))") }
    }
    #expect(
      Set(apple) == [
        "FlagConsoleUI/FlagConsoleView.swift", "FlagConsoleUI/FlagDetailView.swift",
        "FlagConsoleUI/ConsoleScreen.swift", "FlagSwiftUI/Variation.swift",
        "FlagComposition/Apple/FeatureFlagClient+SwiftUI.swift", "FlagComposition/Apple/FlagObserving+Combine.swift",
        "FlagTransport/Certificates/SessionDelegate+Security.swift",
      ])
  }

  private static let client = "FlagComposition"

  private static func source(_ name: String) -> String { package.appending(path: "Sources/\(name).swift").path }

  /// The delegate's method as Apple documents it.
  private static let taskChallenges = """
    import FoundationNetworking

    protocol TaskChallenges {
      func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)
    }

    """

  /// A delegate without the methods that Foundation on Linux gives to every one.
  private static let challengedDelegate = """
    final class ChallengedDelegate: TaskChallenges {
      let certificates: TransportCertificates? = nil
      func refuse(_ task: URLSessionTask, _ error: TransportError) {}

    """

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

  private static let toggle = """
    import FlagComposition
    import FlagDomain
    import SwiftUI

    let showsLikes = Flag("shows-likes", default: true, "Likes.")

    struct LikesToggle: View {
      let client: FeatureFlagClient
      var body: some View {
        let isOn: Binding<Bool> = client.binding(of: showsLikes) { error in print(error.message) }
        Toggle("Likes", isOn: isOn)
      }
    }

    """
}

/// A folder with modules that stand in for Apple's, beside those that were built with the tests.
private struct StandInFolder {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "standin-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  func remove() {
    do { try FileManager.default.removeItem(at: folder) } catch { Issue.record(error) }
  }

  func write(_ name: String, _ text: String) throws -> String {
    let file = folder.appending(path: name)
    try Data(text.utf8).write(to: file)
    return file.path
  }

  /// Copies a file of a module, which then is outside of it and has to import it.
  func copy(_ path: String, importing module: String) throws -> String {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let end = try #require(text.firstIndex(of: "\n"))
    return try write(URL(filePath: path).lastPathComponent, text[...end] + "public import \(module)\n" + text[end...])
  }

  /// Copies a file as the compiler reads it for tvOS, which takes the other branch of each condition for that system.
  func copyForTV(_ path: String) throws -> String {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let there = text.replacing("#if os(tvOS)", with: "#if true").replacing("#if !os(tvOS)", with: "#if false")
    #expect(!there.contains("os("), "\(path) has a condition that is not looked at")
    return try write("tv-" + URL(filePath: path).lastPathComponent, there)
  }

  /// Compiles a stand-in, and returns what the compiler says.
  func makeModule(_ name: String, _ options: [String] = ["-swift-version", "6"]) async throws -> String {
    let source = package.appending(path: "Tests/FlagSwiftUITests/StandIns/\(name).swift").path
    let module = folder.appending(path: "\(name).swiftmodule").path
    let object = folder.appending(path: "\(name).o").path
    return try await compile(
      ["-emit-module", "-module-name", name, source, "-emit-module-path", module] + options
        + (options.contains("-emit-object") ? ["-o", object] : []))
  }

  /// Type-checks files, and returns what the compiler says.
  func check(_ files: [String]) async throws -> String {
    try await compile(["-swift-version", "6", "-typecheck"] + (try search) + files)
  }

  /// Type-checks files of a module of the package as they are built, and returns what the compiler says.
  func check(_ files: [String], of module: String) async throws -> String {
    // As the package manager names the package: after its folder.
    let name = package.lastPathComponent.lowercased().replacing(/\W/, with: "_")
    let features = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"].flatMap {
      ["-enable-upcoming-feature", $0]
    }
    let options = ["-swift-version", "6", "-typecheck", "-package-name", name, "-module-name", module] + features
    return try await compile(options + (try search) + files)
  }

  /// Compiles files with the stand-in for Combine, runs them, and returns what they print.
  func run(_ files: [String]) async throws -> String {
    let modules = try Self.modules
    let build = modules.deletingLastPathComponent()
    // Of each source one: the folder also keeps the objects of sources that have been renamed since.
    let objects = try ["FlagDomain", "FlagComposition", "FlagThreads"].flatMap { target in
      let sources = try #require(
        FileManager.default.enumerator(atPath: package.appending(path: "Sources/\(target)").path))
      return sources.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") || $0.hasSuffix(".c") }.map {
        build.appending(path: "\(target).build/\(URL(filePath: $0).lastPathComponent).o").path
      }
    }
    let program = folder.appending(path: "program").path
    let messages = try await compile(
      ["-swift-version", "6", "-enable-upcoming-feature", "InternalImportsByDefault", "-module-name", "Program"]
        + (try search) + files + objects + [folder.appending(path: "Combine.o").path, "-o", program])
    #expect(messages == "")
    return try await onThread {
      let run = try ChildProcess.run(URL(filePath: program), [])
      return run.output + run.errors + (run.status == 0 ? "" : "status \(run.status)\n")
    }
  }

  private var search: [String] {
    get throws {
      let threads = package.appending(path: "Sources/FlagThreads/include").path
      return ["-I", folder.path, "-I", try Self.modules.path, "-I", threads]
    }
  }

  private func compile(_ arguments: [String]) async throws -> String {
    try await onThread {
      let run = try ChildProcess.run(URL(filePath: "/usr/bin/env"), ["swiftc", "-parse-as-library"] + arguments)
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
