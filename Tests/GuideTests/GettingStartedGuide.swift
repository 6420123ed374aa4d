import FeatureFlags
import FlagDefinitions
import FlagMocks
import FlagServices
import FlagTesting
import Foundation
import Synchronization
import Testing

/// The guide's module, under a name of its own: another guide has a set of the same name.
enum Start {
  @FlagSet("search", "The search screen.")
  struct SearchFlags {
    @Flag("The number of results on a page.") var pageSize = 20
    @Flag("Searches the archive, too.") var includesArchive = false
  }

  struct SearchModel: Sendable {
    private let flags: SearchFlags
    init(flags manager: any FeatureFlagManager) { flags = SearchFlags(manager) }
    var title: String { flags.includesArchive ? "Everything" : "First \(flags.pageSize)" }
  }
}

@Suite("Guide to getting started")
struct GettingStartedGuide {
  typealias SearchFlags = Start.SearchFlags
  typealias SearchModel = Start.SearchModel

  private let definitions = """
    { "flags": {
        "search.includes-archive": {
          "state": "ENABLED", "variants": { "on": true, "off": false }, "defaultVariant": "off",
          "targeting": { "if": [{ "in": ["beta", { "var": "segments" }] }, "on", null] } } } }
    """

  @Test("The app prints what the guide shows")
  func holds() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "start-guide-\(UUID().uuidString).json")
    try Data(definitions.utf8).write(to: file)
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: file) } }
    #expect(try Self.run(file) == ["First 20", "Everything"])
  }

  @Test("Without its file, or with a broken one, the app runs with its defaults, and says why in one line")
  func runsWithoutFile() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "start-guide-\(UUID().uuidString).json")
    let missing = try Self.run(file)
    #expect(missing.filter { $0.contains(file.path) }.count == 1 && missing.filter { $0 == "First 20" }.count == 2)
    #expect(missing.count == 3)
    try Data("{".utf8).write(to: file)
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: file) } }
    let broken = try Self.run(file)
    #expect(broken.filter { $0.contains("\(file.path):1:2") }.count == 1 && broken.count == 3)
  }

  private static func run(_ flagsFile: URL) throws -> [String] {
    let lines = Lines()
    try Lines.$current.withValue(lines) { try runApp(flagsFile) }
    return lines.all
  }

  private static func runApp(_ flagsFile: URL) throws {
    func URL(filePath: String) -> Foundation.URL { flagsFile }

    struct PrintingReporter: FlagErrorReporter {
      func report(_ error: FlagError) { print("\(error)") }
    }

    let file = URL(filePath: "flags.json")
    let flags = try FeatureFlagClient(
      catalogs: [SearchFlags.catalog],
      configuration: .init {
        $0.launch = [LaunchArgumentsProvider()]
        $0.reporter = PrintingReporter()
      }
    ) {
      try InHouseProvider(following: file)
    }
    let search = SearchModel(flags: flags.manager)
    print(search.title)
    flags.authenticator.setUser(FlagUser(id: "ana", segments: ["beta"]))
    print(search.title)
  }

  @Test("A document that was fetched and a mock of a service are sources, too")
  func takesOtherSources() async throws {
    let (bundled, fetched) = (Data(#"{"flags": {}}"#.utf8), Data(definitions.replacing("off\",", with: "on\",").utf8))
    let lines = Lines()
    try await Lines.$current.withValue(lines) { try await useSources(bundled: bundled, fetched: fetched) }
    #expect(lines.all == ["50, false", "100, true"])
  }

  private func useSources(bundled: Data, fetched: Data) async throws {
    let definitions = try InHouseProvider(data: bundled)
    let launchDarkly = MockLaunchDarkly(["search.page-size": 50])
    let flags = try FeatureFlagClient(catalogs: [SearchFlags.catalog]) {
      definitions
      RemoteProvider(launchDarkly)
    }
    let search = SearchFlags(flags.manager)
    let statuses = await flags.ready(timeout: .seconds(2))
    print("\(search.pageSize), \(search.includesArchive)")
    try definitions.update(with: fetched)
    launchDarkly.update(["search.page-size": 100])
    print("\(search.pageSize), \(search.includesArchive)")

    #expect(statuses.values.allSatisfy { $0.state == .ready })
    #expect(throws: FlagDocumentError.self) { try definitions.update(with: Data("{".utf8)) }
    #expect(search.includesArchive)
  }

  @Test("A configuration has the store of overrides, the launch arguments and the reporter")
  func configures() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "start-guide-\(UUID().uuidString)")

    struct PrintingReporter: FlagErrorReporter {
      func report(_ error: FlagError) { print("\(error)") }
    }

    let configuration = FeatureFlagClient.Configuration {
      $0.overrides = FileOverrideStore(folder.appending(path: "overrides.json"))
      $0.launch = [LaunchArgumentsProvider()]
      $0.reporter = PrintingReporter()
    }
    let flags = try FeatureFlagClient(catalogs: [SearchFlags.catalog], configuration: configuration) {}
    #expect(SearchModel(flags: flags.manager).title == "First 20")
  }

  @Test("A beta user searches the archive")
  func searchesArchive() {
    let flags = TestFlags { $0.set(SearchFlags.flags.includesArchive, to: true) }
    #expect(SearchModel(flags: flags).title == "Everything")
  }
}

/// The lines that an app prints.
private final class Lines: Sendable {
  @TaskLocal static var current = Lines()
  private let lines = Mutex<[String]>([])

  func add(_ line: String) { lines.withLock { $0.append(line) } }
  var all: [String] { lines.withLock { $0 } }
}

private func print(_ line: String) { Lines.current.add(line) }
