import FeatureFlags
import FeedFlags
import FlagAnalysis
import FlagCLI
import FlagComposition
import FlagConsole
import FlagConsoleEditor
import FlagConsoleWeb
import FlagDefinitions
import FlagDefinitionsTesting
import FlagDomain
import FlagEditing
import FlagEvents
import FlagFiles
import FlagFleet
import FlagFoundation
import FlagGrowthBook
import FlagHTTP
import FlagJSON
import FlagLaunchDarkly
import FlagMacros
import FlagMocks
import FlagPatterns
import FlagProviders
import FlagPublishing
import FlagRemote
import FlagReview
import FlagServer
import FlagServices
import FlagStatistics
import FlagSupport
import FlagSyntax
import FlagTesting
import FlagTracking
import FlagTransport
import FlagUserDefaults
import Foundation
import TestSupport
import Testing

/// The examples of the modules' documentation pages.
@Suite("Pages of modules", .timeLimit(.minutes(15)))
struct ModulePages {
  /// The modules whose pages have an example that compiles everywhere.
  static let modules = [
    "FeatureFlags", "FlagAnalysis", "FlagCLI", "FlagComposition", "FlagConsole", "FlagConsoleEditor", "FlagConsoleWeb",
    "FlagDefinitions", "FlagDefinitionsTesting", "FlagDomain", "FlagEditing", "FlagEvents", "FlagFiles", "FlagFleet",
    "FlagFoundation", "FlagGrowthBook", "FlagHTTP", "FlagJSON", "FlagLaunchDarkly", "FlagMacros", "FlagMocks",
    "FlagPatterns", "FlagProviders", "FlagPublishing", "FlagRemote", "FlagReview", "FlagServer", "FlagServices",
    "FlagStatistics", "FlagSupport", "FlagSyntax", "FlagTesting", "FlagTracking", "FlagTransport", "FlagUserDefaults",
  ]

  /// Returns how the path of a module's page ends.
  private static func page(of module: String) -> String { "/\(module)/Documentation.docc/\(module).md" }

  /// Returns the path of a module's page.
  static func path(of module: String) -> String {
    do {
      return try Page.all(under: ["Sources"]).first { $0.path.hasSuffix(page(of: module)) }?.path ?? page(of: module)
    } catch {
      return page(of: module)
    }
  }

  private let pageSize = Flag("feed.page-size", default: 20, "How many posts a page holds.")
  private let password = "secret"
  private let token = "secret"
  private var catalog: FlagCatalog { FlagCatalog("feed") { pageSize } }

  @Test("Every target in Swift that others use has a page")
  func hasPage() throws {
    let others: Set = [
      "FeedFlags", "FlagBenchmarks", "FlagCounters", "FlagCurl", "FlagMacrosPlugin", "FlagThreads", "SettingsFlags",
      "flagctl",
    ]
    let manifest = try String(contentsOf: Page.root.appending(path: "Package.swift"), encoding: .utf8)
    let sources = manifest.components(separatedBy: "\n  \"Examples\": [")[0]
    let targets = Set(sources.matches(of: /[tT]arget\(\s*name: "(\w+)"/).map { String($0.1) })
    #expect(targets.isSuperset(of: others.subtracting(["FlagMacrosPlugin"])))
    for target in targets.subtracting(others) {
      #expect(try Page.all(under: ["Sources"]).contains { $0.path.hasSuffix(Self.page(of: target)) }, "\(target)")
    }
  }

  @Test("FlagDomain")
  func domain() {
    let pageSize = Flag("feed.page-size", default: 20, "How many posts a page holds.")
    let manager: any FeatureFlagManager = FixedFlags { $0.set(pageSize, to: 5) }
    #expect(manager.variation(for: pageSize) == 5)
  }

  @FlagSet("mail", "The inbox.")
  struct MailFlags {
    @Flag("How many mails a page holds.") var pageSize = 20
  }

  @Test("FlagMacros")
  func macros() {
    let mail = MailFlags(FixedFlags())
    #expect(mail.pageSize == 20)
    #expect(mail.$pageSize.key == "mail.page-size")
  }
}

extension ModulePages {
  private static func document(_ weight: Int) -> String {
    """
    {"flags": {"checkout": {"state": "ENABLED", "variants": {"on": true, "off": false}, "targeting": {
      "fractional": [["on", \(weight)], ["off", \(8 - weight)]]}}}}
    """
  }

  @Test("FlagDefinitions")
  func definitions() throws {
    let text = Array(
      """
      {"flags": {"new-profile": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off",
        "targeting": {"if": [{"==": [{"var": "countryCode"}, "es"]}, "on", null]}}}}
      """.utf8)
    let context = EvaluationContext(user: FlagUser(id: "ana", countryCode: "es"))
    let answer = try FlagDocument(parsing: text).evaluate("new-profile", in: context, at: 0)
    #expect(answer?.variant == "on")
  }

  @Test("FlagDefinitionsTesting")
  func definitionsTesting() async throws {
    try await DefinitionStoreContract(try InMemoryDefinitionStore(DefinitionStoreContract.document)).check()
  }

  @Test("FlagPublishing")
  func publishing() async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "flags.json")
    try Data(Self.document(1).utf8).write(to: file)
    let text = Array(Self.document(2).utf8)
    let store = try FileDefinitionHistory(following: file, now: { 0 })
    let note = PublicationNote(author: "ana", reason: "more users")
    let head = try await store.publish(text, expecting: store.head(), note: note)
    #expect(head.revision.number == 2)
  }

  @Test("FlagEditing")
  func editing() throws {
    let edit = DefinitionEdit.delete("checkout")
    let text = try edit.applying(to: Array(Self.document(1).utf8))
    #expect(try FlagDocument(parsing: text).keys.isEmpty)
  }

  @Test("FlagReview")
  func review() throws {
    let old = try StoredDefinitions(parsing: Array(Self.document(1).utf8))
    let new = try StoredDefinitions(parsing: Array(Self.document(2).utf8))
    let comparison = try DefinitionComparison(from: old, to: new)
    let effect = comparison.effect(of: "checkout", at: 0)
    #expect(effect.share == 0.125)
  }

  @Test("FlagEvents")
  func events() {
    let conversion = Conversion(name: "purchase", unit: "ann")
    let event = TrackedEvent(id: "41e3", time: EventTime(milliseconds: 0), content: .conversion(conversion))
    #expect("\(event.time)" == "1970-01-01T00:00:00.000Z")
  }

  @Test("FlagStatistics")
  func statistics() throws {
    let control = try ProportionStatistics(count: 1000, successes: 100)
    let treatment = try ProportionStatistics(count: 1000, successes: 160)
    let difference = try MeanDifference(of: treatment, over: control)
    #expect(abs(difference.effect(on: .relative) - 0.6) < 1e-12)
    #expect(SequentialTest().pValue(of: difference) < 0.05)
    #expect((difference.confidenceInterval(on: .relative)?.lower ?? 0) > 0.25)
  }

  @Test("FlagAnalysis")
  func analysis() throws {
    let metric = try Metric("purchase:sum:up", isGuardrail: false)
    #expect(metric == Metric("purchase", .sum, .increase))
  }
}

extension ModulePages {
  @Test("FeatureFlags")
  func featureFlags() throws {
    let flags = try FeatureFlagClient(catalogs: [FeedFlags.catalog]) {
      InMemoryProvider(["feed.page-size": 5])
    }
    #expect(FeedFlags(flags.manager).pageSize == 5)
  }

  @Test("FlagSupport")
  func support() throws {
    let time = try #require(Timestamp("2026-11-22T06:19:25Z"))
    #expect(time.secondsSince1970 == 1_795_328_365)
  }

  @Test("FlagProviders")
  func providers() throws {
    let provider = InMemoryProvider(name: "settings", ["feed.page-size": 5])
    let answer = try provider.snapshot().answer(for: "feed.page-size", in: EvaluationContext())
    #expect(answer?.value == 5)
  }

  @Test("FlagServices")
  func services() async throws {
    struct OwnService: RemoteFlagService {
      let name = "own"

      func fetch(for user: FlagUser?) async throws(FlagError) -> RemoteAnswers {
        RemoteAnswers(["feed.page-size": FlagAnswer(user == nil ? 5 : 20)])
      }
    }
    let provider = RemoteProvider(OwnService(), clock: ManualClock())
    try await provider.waitUntilReady()
    #expect(try provider.snapshot().answer(for: "feed.page-size", in: EvaluationContext())?.value == 5)
  }

  @Test("FlagRemote")
  func remote() throws {
    // A port without a listener.
    let url = try #require(URL(string: "http://127.0.0.1:9/flags.json"))
    var options = ServiceOptions()
    options.credentials = .bearer(token)
    let store = try HTTPDefinitionStore(url, options: options)
    let provider = DefinitionStoreProvider(store)
    #expect(provider.name == "definitions")
  }

  @Test("FlagLaunchDarkly")
  func launchDarkly() throws {
    // A port without a listener.
    let relay = try #require(URL(string: "http://127.0.0.1:9"))
    let server = try LaunchDarklyProvider(sdkKey: token, at: .relay(relay))
    #expect(server.name == "LaunchDarkly")

    let app = try RemoteProvider(launchDarklyMobileKey: token, at: .relay(relay))
    let ann = FlagUser(id: "ann", contexts: ["organization": ["key": "acme", "plan": "pro"]])
    app.setContext(EvaluationContext(user: ann))
    // Another name than the server's, so that one client may ask both.
    #expect(app.name == "LaunchDarkly mobile")
  }

  @Test("FlagFleet")
  func fleet() throws {
    let settings = try EtcdSettings(endpoints: ["https://etcd-0:2379"], user: "server", password: password)
    #expect(settings.prefix == "/flags")
  }

  @Test("FlagGrowthBook")
  func growthBook() throws {
    let host = try #require(URL(string: "http://127.0.0.1:9"))
    let provider = try GrowthBookProvider(clientKey: "sdk-abc123", host: host)
    #expect(provider.name == "GrowthBook")
  }

  @Test("FlagTracking")
  func tracking() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tracking-page-\(UUID().uuidString)")
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
    let file = folder.appending(path: "events.jsonl")
    let provider = InMemoryProvider()
    let tracker = try EventTracker(in: folder, to: FileSink(file))
    let flags = try FeatureFlagClient(catalogs: [catalog], exposures: tracker) { provider }
    let conversions = flags.conversions(to: tracker)
    conversions.track("purchase")
    await tracker.setOptedOut(true)
    #expect(try await tracker.waitingEvents().isEmpty)
  }

  @Test("FlagMocks")
  func mocks() async throws {
    let provider = RemoteProvider(MockLaunchDarkly(["new-profile": true]), clock: ManualClock())
    try await provider.waitUntilReady()
    #expect(try provider.snapshot().answer(for: "new-profile", in: EvaluationContext())?.value == true)
  }

  @Test("FlagComposition")
  func composition() throws {
    let flags = try FeatureFlagClient(catalogs: [catalog]) {
      InMemoryProvider(["feed.page-size": 5])
    }
    #expect(flags.manager.variation(for: pageSize) == 5)
    try flags.overrides.override(pageSize, with: 3)
    #expect(flags.manager.variation(for: pageSize) == 3)
  }

  @Test("FlagTesting")
  func testing() {
    let flags = TestFlags { $0.set(pageSize, to: 2) }
    #expect(flags.variation(for: pageSize) == 2)
    #expect(flags.reads.contains("feed.page-size"))
  }
}

extension ModulePages {
  @Test("FlagConsole, FlagConsoleEditor and FlagConsoleWeb")
  func console() async throws {
    let flags = try FeatureFlagClient(catalogs: [catalog]) {}
    let console = try ConsoleModel(
      catalogs: flags.catalogs, ConsoleModel.Ports(snapshots: flags.snapshots, overriding: flags.overrides))
    #expect(console.list(FlagQuery("page size")).rows.count == 1)

    try edits(flags, InMemoryDefinitionStore(#"{"flags": {}}"#))

    let pages = try FlagConsolePages(console, at: "/admin/flags", origin: "https://example.com", access: .server)
    let response = await pages.response(to: .init("GET", "/admin/flags/", fields: [.init("Host", "example.com")]))
    #expect(response.status == 200)
  }

  private func edits(_ flags: FeatureFlagClient, _ store: InMemoryDefinitionStore) throws {
    let editor = DefinitionEditor(store)
    let console = try ConsoleModel(
      catalogs: flags.catalogs, ConsoleModel.Ports(snapshots: flags.snapshots, overriding: flags.overrides),
      editor: editor)
    #expect(console.list().total == 1)
  }

  @Test("FlagServer, FlagHTTP and FlagTransport")
  func wire() throws {
    let pattern = RoutePattern("/flags/{key}")
    #expect(pattern.match(["flags", "new-profile"]) == ["key": "new-profile"])

    var parser = EventStreamParser()
    let events = try parser.append(Array("id: 7\ndata: changed\n\n".utf8))
    #expect(events.map(\.data) == ["changed"])

    let url = try #require(URL(string: "https://flags.example.com/flags.json"))
    let request = TransportRequest(.get, url)
    #expect("\(request)" == "GET flags.example.com")
  }

  @Test("FlagJSON, FlagSyntax and FlagPatterns")
  func texts() throws {
    let value = try FlagValue(json: Array(#"{"sizes": [10, 2.5]}"#.utf8))
    #expect(value == ["sizes": [10, 2.5]])

    var lexer = SwiftLexer(Array("var limit = 20".utf8))
    var words: [String] = []
    while let token = lexer.next() { words.append(token.text) }
    #expect(words == ["var", "limit", "=", "20"])

    let mobile = try Pattern("^(phone|tablet)-[0-9]{2,4}$", isCaseInsensitive: true)
    #expect(mobile.matches("Tablet-250"))
  }

  @Test("FlagFiles")
  func files() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "files-page-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
    let url = folder.appending(path: "file")
    let file = SharedFile(url)
    try file.update({ $0 }) { old throws(FileError) in (old ?? Data()) + Data("one\n".utf8) }
    #expect(try file.read() == Data("one\n".utf8))
  }

  @Test("FlagFoundation")
  func foundation() throws {
    let folder = try TemporaryFolder()
    let error = #expect(throws: (any Error).self) { try Data(contentsOf: folder.url.appending(path: "missing")) }
    #expect(error?.words.isEmpty == false)
  }

  @Test("FlagUserDefaults")
  func userDefaults() throws {
    let suite = "module-pages-\(UUID().uuidString)"
    defer { UserDefaults().removePersistentDomain(forName: suite) }
    let overrides = UserDefaultsOverrideStore(suite: suite)
    try overrides.write(["feed.page-size": 5])
    #expect(try overrides.load() == ["feed.page-size": 5])
  }

  @Test("FlagCLI")
  func tool() {
    let terminal = Terminal(
      file: { _ in Data(Self.document(1).utf8) }, open: { _ in { nil } }, write: { _ in }, writeError: { _ in },
      now: { 0 })
    let tool = FlagTool(terminal: terminal)
    #expect(tool.run(["validate", "flags.json"]) == 0)
  }
}
