import FlagComposition
import FlagDefinitions
import FlagDomain
import FlagProviders
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
