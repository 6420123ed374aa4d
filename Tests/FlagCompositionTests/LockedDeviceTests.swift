import FlagComposition
import FlagDefinitions
import FlagDomain
import FlagProviders
import FlagTesting
import FlagUserDefaults
import Foundation
import Testing

@Suite("An app that is launched before the device is unlocked")
final class LockedDeviceTests {
  private let suite = "locked-device-\(UUID().uuidString)"
  private let flag = Flag("share", default: "none", "")

  deinit {
    UserDefaults.standard.removePersistentDomain(forName: suite)
    UserDefaults.standard.synchronize()
  }

  private func start(
    _ protectedData: ProtectedData?, _ reporter: RecordingReporter? = nil
  ) throws -> FeatureFlagClient {
    let document = """
      {"flags": {"share": {"state": "ENABLED", "variants": {"a": "a", "b": "b", "c": "c", "d": "d"},
        "targeting": {"fractional": [["a", 1], ["b", 1], ["c", 1], ["d", 1]]}}}}
      """
    let ids = AnonymousIDs(in: UserDefaultsAnonymousIDStore(suite: suite, protectedData: protectedData))
    return try FeatureFlagClient(
      catalogs: [],
      configuration: .init {
        $0.anonymousIDs = ids
        $0.overrides = UserDefaultsOverrideStore(suite: suite, protectedData: protectedData)
        $0.reporter = reporter
      }
    ) {
      InHouseProvider(try FlagDocument(parsing: Data(document.utf8)), now: { 0 })
    }
  }

  @Test("The visitor keeps the id and the share, and the overrides; until then no share is given")
  func keepsVisitor() throws {
    let before = try start(nil)
    let share = before.manager.variation(for: flag)
    #expect(["a", "b", "c", "d"].contains(share))
    try before.overrides.override(Flag("other", default: 0, ""), with: 7)
    let content = UserDefaults.standard.persistentDomain(forName: suite) ?? [:]
    #expect(content.count == 2)

    // As on iOS, the defaults are empty until then.
    UserDefaults.standard.removePersistentDomain(forName: suite)
    UserDefaults.standard.synchronize()
    let (protectedData, reporter) = (ProtectedData(isAvailable: false), RecordingReporter())
    let flags = try start(protectedData, reporter)
    let locked = flags.inspector.resolution(of: flag)
    #expect(locked.value == "none" && locked.errors.isEmpty)
    #expect(reporter.errors.prefix(2).map(\.code) == [.providerNotReady, .providerNotReady])
    #expect(throws: FlagError.self) { try flags.overrides.override(Flag("other", default: 0, ""), with: 8) }
    #expect((UserDefaults.standard.persistentDomain(forName: suite) ?? [:]).isEmpty)

    UserDefaults.standard.setPersistentDomain(content, forName: suite)
    UserDefaults.standard.synchronize()
    protectedData.becomeAvailable()
    #expect(flags.manager.variation(for: flag) == share)
    #expect(flags.manager.variation(for: Flag("other", default: 0, "")) == 7)
    let after = UserDefaults.standard.persistentDomain(forName: suite) ?? [:]
    #expect(after as? [String: String] == content as? [String: String])
  }

  @Test("An id that the app has set by then stays")
  func keepsOwnID() throws {
    let protectedData = ProtectedData(isAvailable: false)
    let flags = try start(protectedData)
    flags.context.setAnonymousID("own")
    let share = flags.manager.variation(for: flag)
    protectedData.becomeAvailable()
    #expect(share != "none" && flags.manager.variation(for: flag) == share)
    flags.context.setAnonymousID(nil)
    #expect(flags.manager.variation(for: flag) == "none")
  }
}

@Suite("A visitor's id that cannot be read when the client is made", .timeLimit(.minutes(15)))
struct UnreadableIDTests {
  private let store = UnreadableIDStore()
  private let clock = ManualClock()
  private let reporter = RecordingReporter()
  private let flag = Flag("roll", default: false, "")

  private func start() throws -> FeatureFlagClient {
    let document = """
      {"flags": {"roll": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off",
        "targeting": {"fractional": [["on", 100]]}}}}
      """
    return try FeatureFlagClient(
      catalogs: [],
      configuration: .init {
        $0.anonymousIDs = AnonymousIDs(in: store) { "new" }
        $0.reporter = reporter
        $0.clock = clock
      }
    ) {
      InHouseProvider(try FlagDocument(parsing: Data(document.utf8)), now: { 0 })
    }
  }

  @Test("It is read again after 1, 2, 4 seconds and so on, then every minute, until it can be read")
  func retries() async throws {
    let flags = try start()
    #expect(!flags.manager.variation(for: flag))
    for (attempt, delay) in [1, 1, 2, 4, 8, 16, 32, 60, 60].enumerated() {
      await clock.waitForSleeper(for: .seconds(delay))
      #expect(store.loads == attempt + 1)
      clock.advance(by: .seconds(delay))
    }
    await clock.waitForSleeper(for: .seconds(60))
    #expect(reporter.errors.map(\.message) == ["locked"])
    store.unlock("old")
    clock.advance(by: .seconds(60))
    for await value in flags.observer.values(of: flag) where value { break }
    clock.advance(by: .seconds(600))
    #expect(clock.sleeping == 0 && store.loads == 11)
  }

  @Test("It is read again when the user changes", arguments: [FlagUser(id: "ann"), nil])
  func followsUser(user: FlagUser?) throws {
    let flags = try start()
    flags.authenticator.setUser(user)
    #expect(store.loads == 2)
    store.unlock("old")
    flags.authenticator.setUser(user)
    flags.authenticator.setUser(nil)
    #expect(flags.manager.variation(for: flag))
    #expect(store.loads == 3 && store.id == "old")
    #expect(reporter.errors.map(\.message) == ["locked"])
  }

  @Test("Another reason is reported, and an id is made where there proves to be none")
  func reportsReasons() throws {
    let flags = try start()
    store.fail("no text")
    for _ in 0..<2 { flags.authenticator.setUser(nil) }
    #expect(reporter.errors.map(\.message) == ["locked", "no text"])
    store.unlock(nil)
    flags.authenticator.setUser(nil)
    #expect(flags.manager.variation(for: flag) && store.id == "new")
  }

  @Test("An app that sets or removes the id ends the attempts", arguments: ["own", nil])
  func heedsApp(id: String?) throws {
    let flags = try start()
    flags.context.setAnonymousID(id)
    store.unlock("old")
    flags.authenticator.setUser(nil)
    #expect(flags.manager.variation(for: flag) == (id != nil))
    #expect(store.loads == 1)
  }

  @Test("A client that is released ends the attempts")
  func endsWithClient() async throws {
    var flags: FeatureFlagClient? = try start()
    await clock.waitForSleepers(1)
    flags = nil
    #expect(flags == nil && clock.sleeping == 0)
  }
}

/// A store of an id that cannot be read at first.
private final class UnreadableIDStore: AnonymousIDStore {
  private let state = Locked((loads: 0, id: String?.none, problem: String?.some("locked")))

  var loads: Int { state.withLock { $0.loads } }
  var id: String? { state.withLock { $0.id } }
  func fail(_ problem: String) { state.withLock { $0.problem = problem } }
  func unlock(_ id: String?) { state.withLock { ($0.id, $0.problem) = (id, nil) } }

  func load() throws(FlagError) -> String? {
    try state.withLock { state throws(FlagError) in
      state.loads += 1
      if let problem = state.problem { throw FlagError(.general, problem) }
      return state.id
    }
  }

  func store(_ id: String?) throws(FlagError) { state.withLock { $0.id = id } }
}
