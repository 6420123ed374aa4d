import FlagComposition
import FlagDomain
import FlagProviders
import Testing

@Suite("Overrides")
struct OverrideTests {
  private let flag = Flag("overridable", default: false, "A switch.")
  private let store = RecordingStore()
  private let provider = InMemoryProvider(name: "service")

  private func flags() throws -> FeatureFlagClient {
    let provider = provider
    return try compose(overrides: store) { provider }
  }

  @Test("A switch has four states")
  func hasFourStates() throws {
    let flags = try flags()
    var states: [String] = []
    func note() { states.append("\(flags.overrides.overrideState(of: flag))") }
    note()
    try flags.overrides.override(flag, with: true)
    note()
    provider.write(true, for: flag.key)
    try flags.overrides.override(flag, with: false)
    note()
    try flags.overrides.clearOverride(of: flag)
    note()
    #expect(states == ["off", "overridden on", "overridden off", "on"])
  }

  @Test("An override knows the value that the flag would have without it")
  func knowsOriginal() throws {
    let flags = try flags()
    provider.write(true, for: flag.key)
    try flags.overrides.override(flag, with: false)
    #expect(flags.overrides.overrideState(of: flag) == .overridden(false, original: true))
    #expect(flags.inspector.resolution(of: flag) == FlagResolution(false, reason: .override, provider: "overrides"))
  }

  @Test("An update of a provider does not remove an override")
  func survivesUpdates() throws {
    let flags = try flags()
    try flags.overrides.override(flag, with: true)
    provider.write(false, for: flag.key)
    #expect(flags.manager.variation(for: flag))
  }

  @Test("An override comes before a computed value")
  func precedesComputed() throws {
    let computed = Flag("overridable", default: 0, "") { _ in 1 }
    let flags = try flags()
    try flags.overrides.override(computed, with: 2)
    #expect(flags.manager.variation(for: computed) == 2)
    #expect(flags.overrides.overrideState(of: computed) == .overridden(2, original: 1))
  }

  @Test("Overrides are stored; clearing deletes what is stored")
  func stores() throws {
    let flags = try flags()
    try flags.overrides.setOverrides([flag.key: true, "unknown": "kept"])
    #expect(store.stored == [flag.key: true, "unknown": "kept"])
    try flags.overrides.clearOverride(of: flag)
    #expect(store.stored == ["unknown": "kept"])
    try flags.overrides.clearOverrides()
    #expect(store.stored == [:])
    #expect(flags.overrides.overrides == [:])
  }

  @Test("Stored overrides count from the next start")
  func loads() throws {
    let store = RecordingStore([flag.key: true])
    let flags = try compose(overrides: store) {}
    #expect(flags.manager.variation(for: flag))
    #expect(flags.overrides.overrides == [flag.key: true])
  }

  @Test("A write that fails is an error, and changes nothing")
  func keepsOnFailure() throws {
    let flags = try flags()
    try flags.overrides.override(flag, with: true)
    let full = FlagError(.general, "disk full")
    store.fail(with: full)
    #expect(throws: full) { try flags.overrides.override(flag, with: false) }
    #expect(throws: full) { try flags.overrides.clearOverrides() }
    #expect(flags.manager.variation(for: flag))
    #expect(flags.overrides.overrides == [flag.key: true])
  }

  @Test("A store that cannot be read is reported, and the flags work without it")
  func reportsUnreadableStore() throws {
    let unreadable = FlagError(.parseError, "line 3")
    let reporter = RecordingReporter()
    let flags = try compose(reporter: reporter, overrides: RecordingStore(failing: unreadable)) {}
    #expect(reporter.errors == [unreadable])
    #expect(!flags.manager.variation(for: flag))
  }

  @Test("An override of another type is reported and ignored, in reads and in streams")
  func ignoresMismatch() async throws {
    let reporter = RecordingReporter()
    let flags = try compose(reporter: reporter, overrides: RecordingStore([flag.key: "yes"])) {
      InMemoryProvider([flag.key: true])
    }
    #expect(flags.manager.variation(for: flag))
    #expect(flags.overrides.overrideState(of: flag) == .original(true))
    #expect(reporter.errors.map(\.code) == [.typeMismatch])
    #expect(reporter.errors.map(\.provider) == ["overrides"])
    var values = flags.observer.values(of: flag).makeAsyncIterator()
    #expect(await values.next() == true)
  }

  @Test("A flag that needs a restart keeps its running value until then, and is on the list")
  func waitsForRestart() throws {
    let restart = Flag("needs-restart", default: 1, FlagMetadata(requiresRestart: true))
    let catalog = FlagCatalog("app") {
      restart; flag
    }
    let flags = try FeatureFlagClient(catalogs: [catalog], overrides: store) {}
    try flags.overrides.override(restart, with: 2)
    try flags.overrides.override(flag, with: true)
    #expect(flags.manager.variation(for: restart) == 1)
    #expect(flags.overrides.keysAwaitingRestart == ["needs-restart"])

    let restarted = try FeatureFlagClient(catalogs: [catalog], overrides: store) {}
    #expect(restarted.manager.variation(for: restart) == 2)
    #expect(restarted.overrides.keysAwaitingRestart == [])
    try restarted.overrides.clearOverride(of: restart)
    #expect(restarted.manager.variation(for: restart) == 2)
    #expect(restarted.overrides.keysAwaitingRestart == ["needs-restart"])
    try restarted.overrides.override(restart, with: 2)
    #expect(restarted.overrides.keysAwaitingRestart == [])
  }

  @Test("The state can be asked for by key, for flags of the catalogs")
  func hasStatesByKey() throws {
    let names = Flag("names", default: ["a"], "")
    let flags = try FeatureFlagClient(
      catalogs: [
        FlagCatalog("app") {
          flag; names
        }
      ], overrides: store
    ) {}
    try flags.overrides.setOverrides([flag.key: true])
    #expect(flags.overrideState(forKey: "overridable") == .overridden(true, original: false))
    #expect(flags.overrideState(forKey: "names") == .original(["a"]))
    #expect(flags.overrideState(forKey: "unknown") == nil)
  }

  @Test("A provider that gives the reason of overrides makes none")
  func knowsOverridesFromReasons() throws {
    let flags = try compose { StubProvider { _, _ in FlagAnswer(true, reason: .override) } }
    #expect(flags.overrides.overrideState(of: flag) == .original(true))
  }

  @Test("A variable of the environment overrides for one run, where no argument does")
  func honoursEnvironment() throws {
    let environment = EnvironmentProvider(variables: ["OVERRIDABLE": "true"])
    let flags = try FeatureFlagClient(
      catalogs: [], configuration: .init { $0.launch = [LaunchArgumentsProvider(["app"]), environment] }
    ) {}
    #expect(flags.inspector.resolution(of: flag).provider == "environment")
    #expect(flags.overrides.overrideState(of: flag) == .overridden(true, original: false))
  }

  @Test("What the program was launched with comes before everything")
  func honoursLaunch() throws {
    let store = RecordingStore([flag.key: false])
    let launch = LaunchArgumentsProvider(["app", "--overridable=true"])
    let flags = try FeatureFlagClient(
      catalogs: [],
      configuration: .init {
        $0.overrides = store
        $0.launch = [launch]
      }
    ) {}
    #expect(
      flags.inspector.resolution(of: flag) == FlagResolution(true, reason: .override, provider: "launch arguments"))
  }

  @Test("A value that the flag cannot have, and a key that no catalog has, are errors in code; then nothing is changed")
  func refusesImpossible() throws {
    let flags = try FeatureFlagClient(catalogs: [FlagCatalog("app") { flag }], overrides: store) {}
    let mismatch = #expect(throws: FlagError.self) {
      try flags.overrides.setOverrides([flag.key: "yes", "unknown": 1])
    }
    #expect(mismatch.map { [$0.code, $0.key] as [AnyHashable?] } == [FlagError.Code.typeMismatch, flag.key])
    let unknown = #expect(throws: FlagError.self) { try flags.overrides.setOverrides([flag.key: true, "unknown": 1]) }
    #expect(unknown.map { [$0.code, $0.key] as [AnyHashable?] } == [FlagError.Code.flagNotFound, FlagKey("unknown")])
    #expect(throws: FlagError.self) { try flags.overrides.setOverride("yes", of: flag) }
    #expect(store.stored == [:])
    try flags.overrides.setOverrides(["unknown": nil])
    try flags.overrides.override(Flag("elsewhere", default: 1, ""), with: 2)
    #expect(store.stored == ["elsewhere": 2])
  }

  @Test("What the program is launched or was left with, and no flag can have, is reported at the start, by one rule")
  func reportsImpossible() throws {
    let reporter = RecordingReporter()
    let arguments = ["app", "--flag", "unknown=1", "-overridable", "perhaps", "--not-a-flag=2"]
    _ = try FeatureFlagClient(
      catalogs: [FlagCatalog("app") { flag }],
      configuration: .init {
        $0.overrides = RecordingStore([flag.key: "stored", "gone": 1])
        $0.launch = [
          LaunchArgumentsProvider(arguments),
          EnvironmentProvider(prefix: "APP", variables: ["APP_OVERRIDABLE": "maybe", "APP_OTHER": "1", "PATH": "/"]),
        ]
        $0.reporter = reporter
      }
    ) {}
    #expect(
      reporter.errors.map { "\($0.provider ?? "-"): \($0.code): \($0.message)" } == [
        "launch arguments: TYPE_MISMATCH: expected Bool, found string \"perhaps\"",
        "environment: TYPE_MISMATCH: expected Bool, found string \"maybe\"",
        "overrides: TYPE_MISMATCH: expected Bool, found string \"stored\"",
        "launch arguments: FLAG_NOT_FOUND: expected the key of a flag behind --flag, found \"unknown\"",
        "environment: FLAG_NOT_FOUND: expected the variable of a flag, found APP_OTHER",
        "overrides: FLAG_NOT_FOUND: expected the key of a flag of the catalogs",
      ])
  }

  @Test("A store that overrides during each of its own writes gets an error in the end; the writes continue")
  func refusesNested() throws {
    let store = NestingStore()
    let flags = try compose(overrides: store) {}
    store.overrides.withLock { $0 = flags.overrides }
    try flags.overrides.override(flag, with: true)
    #expect(store.failures.withLock { $0 }.map(\.code) == [.general])
    #expect(flags.manager.variation(for: flag))
    try flags.overrides.override(flag, with: false)
    #expect(store.failures.withLock { $0 }.count == 2)
  }

  private final class NestingStore: FlagOverrideStore {
    let overrides = Locked<(any FlagOverriding)?>(nil)
    let failures = Locked<[FlagError]>([])

    func load() -> [FlagKey: FlagValue] { [:] }
    func write(_ values: [FlagKey: FlagValue?]) throws(FlagError) {
      do throws(FlagError) {
        try overrides.withLock { $0 }?.setOverrides(["nested": 1])
      } catch {
        failures.withLock { $0.append(error) }
      }
    }
  }
}
