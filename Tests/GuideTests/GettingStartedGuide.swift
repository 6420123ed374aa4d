import FeatureFlags
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

  private static func run(_ flagsFile: URL) throws -> [String] {
    let lines = Mutex<[String]>([])
    @Sendable func print(_ line: String) { lines.withLock { $0.append(line) } }
    func URL(filePath: String) -> Foundation.URL { flagsFile }

    let file = URL(filePath: "flags.json")
    let flags = try FeatureFlagClient(
      catalogs: [SearchFlags.catalog], configuration: .init { $0.launch = [LaunchArgumentsProvider()] }
    ) {
      try InHouseProvider(following: file) { error in print("\(error)") }
    }
    let search = SearchModel(flags: flags.manager)
    print(search.title)
    flags.authenticator.setUser(FlagUser(id: "ana", segments: ["beta"]))
    print(search.title)
    return lines.withLock { $0 }
  }

  @Test("A configuration has the store of overrides, the launch arguments and the reporter")
  func configures() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "start-guide-\(UUID().uuidString)")

    struct PrintingReporter: FlagErrorReporter {
      func report(_ error: FlagError) { print(error) }
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
