import FlagComposition
import FlagDefinitions
import FlagDomain
import FlagProviders
import Foundation
import Testing

@Suite("Reports")
struct ReportTests {
  private let flag = Flag("reported", default: "", "")
  private let error = FlagError(.general, "out of order", key: "reported", provider: "broken")

  @Test("A resolution reports as a read does, and a failure is reported once for both")
  func reportsAlike() throws {
    for isReadFirst in [true, false] {
      let reporter = RecordingReporter()
      let flags = try compose(reporter: reporter) { failing("broken") }
      if isReadFirst { _ = flags.manager.variation(for: flag) }
      _ = flags.inspector.resolution(of: flag)
      _ = flags.manager.variation(for: flag)
      _ = flags.inspector.answers(for: flag)
      _ = flags.overrides.overrideState(of: flag)
      #expect(reporter.errors == [error])
    }
  }

  @Test("Asking for every provider's answer, or for the list of waiting flags, swallows no report")
  func swallowsNone() throws {
    let reporter = RecordingReporter()
    let flags = try compose(reporter: reporter) { failing("broken") }
    _ = flags.inspector.answers(for: flag)
    _ = flags.overrides.overrideState(of: flag)
    _ = flags.overrides.keysAwaitingRestart
    #expect(reporter.errors == [])
    _ = flags.manager.variation(for: flag)
    #expect(reporter.errors == [error])
  }

  @Test("A failure is not reported again after changes of something else, nor at each read of a request")
  func reportsOnce() throws {
    let reporter = RecordingReporter()
    let memory = InMemoryProvider()
    let flags = try compose(reporter: reporter) {
      failing("broken"); memory
    }
    for number in 0..<1_000 {
      memory.write(.int(Int128(number)), for: "unrelated")
      _ = flags.manager.variation(for: flag)
    }
    let request = flags.manager(for: FlagUser(id: "ann"))
    for _ in 0..<100 { _ = request.variation(for: flag) }
    #expect(reporter.errors == [error])
  }

  @Test("A failure of a provider's next snapshot is reported again")
  func reportsPerSnapshot() throws {
    let reporter = RecordingReporter()
    let memory = InMemoryProvider([flag.key: 1])
    let flags = try compose(reporter: reporter) { memory }
    _ = flags.manager.variation(for: flag)
    memory.write(2, for: flag.key)
    _ = flags.manager.variation(for: flag)
    #expect(reporter.errors.map(\.message) == ["expected String, found integer 1", "expected String, found integer 2"])
  }

  @Test("What is wrong with a document is reported when it comes into use, once")
  func reportsFindings() throws {
    let reporter = RecordingReporter()
    let broken = #"{"flags":{"bad":{"state":"ENABLED","variants":{},"defaultVariant":"on"}}}"#
    let provider = InHouseProvider(try FlagDocument(parsing: Data(broken.utf8)))
    let flags = try compose(reporter: reporter) { provider }
    let found = reporter.errors
    #expect(!found.isEmpty && found.allSatisfy { $0.provider == "in-house" && $0.message.contains("bad") })
    _ = flags.manager.variation(for: flag)
    #expect(reporter.errors == found)
    provider.update(with: try FlagDocument(parsing: Data(#"{"flags":{}}"#.utf8)))
    #expect(reporter.errors.dropLast() == found[...])
    #expect(reporter.errors.last?.message.hasPrefix("warning: the document has no flags, in place of ") == true)
  }

  @Test(
    "What is wrong with a document is reported once, however often its provider's status changes, and once more if it comes back"
  )
  func reportsFindingsOncePerDocument() throws {
    let reporter = RecordingReporter()
    let provider = StatedProvider()
    let flags = try compose(reporter: reporter) { provider }
    for isSettled in [true, false, true] {
      provider.change { $0.status = ProviderStatus(.fresh, isSettled: isSettled) }
    }
    #expect(reporter.errors == [provider.finding])
    provider.change { $0.isBroken = false }
    provider.change { $0.isBroken = true }
    #expect(reporter.errors == [provider.finding, provider.finding])
    withExtendedLifetime(flags) {}
  }

  @Test("A set that the client was not given is reported once, and so is a catalog without flags")
  func reportsUnlisted() throws {
    let reporter = RecordingReporter()
    let flags = try FeatureFlagClient(
      catalogs: [FlagCatalog("app") { flag }, FlagCatalog("empty") {}], configuration: .init { $0.reporter = reporter }
    ) {}
    #expect(reporter.errors.map(\.message) == ["expected a catalog with flags, found none in \"empty\""])
    let others = [Flag("other.a", default: 0, ""), Flag("other.b", default: 0, ""), Flag("third", default: 0, "")]
    for other in others + others {
      _ = flags.manager.variation(for: other)
      _ = flags.snapshots.snapshot().variation(for: other)
    }
    _ = flags.manager.variation(for: flag)
    #expect(reporter.errors.dropFirst().map(\.key) == ["other.a", "third"])
    #expect(reporter.errors.dropFirst().allSatisfy { $0.code == .flagNotFound && $0.message.contains("catalogs") })
  }

  @Test("A plug-in's flag is one of the client's catalogs from its registration to its removal")
  func knowsPlugIns() throws {
    let reporter = RecordingReporter()
    let extra = Flag("plug-in.extra", default: 0, "")
    let flags = try FeatureFlagClient(
      catalogs: [FlagCatalog("app") { flag }], configuration: .init { $0.reporter = reporter }
    ) {}
    try flags.registry.add(FlagCatalog("plug-in") { extra })
    _ = flags.manager.variation(for: extra)
    #expect(reporter.errors == [])
    flags.registry.removeCatalog(named: "plug-in")
    _ = flags.manager.variation(for: extra)
    #expect(reporter.errors.map(\.key) == [extra.key])
  }

  @Test(
    "Flags that share an environment variable are reported when the client is made", arguments: [true, false])
  func reportsSharedVariables(isLaunch: Bool) throws {
    let reporter = RecordingReporter()
    let variables = EnvironmentProvider(prefix: "APP", variables: ["APP_A_B": "true", "APP_NONE": "1"])
    _ = try FeatureFlagClient(
      catalogs: [
        FlagCatalog("app") {
          Flag("a.b", default: false, ""); Flag("a-b", default: false, "")
        }
      ],
      configuration: .init {
        $0.reporter = reporter
        $0.launch = isLaunch ? [variables] : []
      }
    ) {
      isLaunch ? [] : [variables]
    }
    #expect(
      reporter.errors.map(\.message) == [
        "APP_A_B is the variable of several flags: a-b, a.b", "expected the variable of a flag, found APP_NONE",
      ])
  }

  @Test("What is reported of a file's document names the file")
  func namesFile() throws {
    let reporter = RecordingReporter()
    let file = FileManager.default.temporaryDirectory.appending(path: "flags-\(UUID().uuidString).json")
    try Data(#"{"flags": {"bad": 1}}"#.utf8).write(to: file)
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: file) } }
    let provider = try InHouseProvider(contentsOf: file)
    _ = try compose(reporter: reporter) { provider }
    let start = "\(file.path):1:19: error: $.flags.bad: "
    #expect(reporter.errors.count { $0.message.hasPrefix(start) } == 1)
  }
}

/// A provider with a status, and an error in its content.
private final class StatedProvider: FlagProvider {
  struct State: Sendable {
    var status = ProviderStatus(.fresh, isSettled: true)
    var isBroken = true
  }

  private struct Snapshot: ProviderSnapshot {
    let findings: [FlagError]
    func answer(for key: FlagKey, in context: EvaluationContext) -> FlagAnswer? { nil }
  }

  let name = "stated"
  let finding = FlagError(.parseError, "1:1: error: $: broken", provider: "stated")
  private let state = Locked(State())
  private let subscribers = FlagSubscribers<ChangedKeys>()

  var providerStatus: ProviderStatus { state.withLock { $0.status } }
  func snapshot() -> any ProviderSnapshot { Snapshot(findings: state.withLock { $0.isBroken ? [finding] : [] }) }

  func change(_ edit: (inout State) -> Void) {
    state.withLock { edit(&$0) }
    subscribers.notify(.some([]))
  }

  func subscribe(_ onChange: @escaping @Sendable (ChangedKeys) -> Void) -> FlagSubscription {
    subscribers.subscribe(onChange)
  }
}
