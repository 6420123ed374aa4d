import FlagDomain
import FlagProviders
import FlagUserDefaults
import Foundation
import TestSupport
import Testing

@Suite("A device that was not unlocked since it was started", .timeLimit(.minutes(15)))
struct ProtectedDataTests {
  private let device = LockedDefaults()

  @Test("A visitor's id is neither read as missing nor made anew, and is there once the device is unlocked")
  func keepsID() throws {
    let store = UserDefaultsAnonymousIDStore(suite: device.suite, protectedData: device.protectedData)
    let ids = AnonymousIDs(in: store) { "new" }
    try UserDefaultsAnonymousIDStore(suite: device.suite).store("old")
    try device.lock()
    for _ in 0..<3 { #expect(throws: FlagError.self) { try ids.id() } }
    #expect(throws: FlagError.self) { try ids.renew() }
    #expect(throws: FlagError.self) { try ids.forget() }
    let error = #expect(throws: FlagError.self) { try store.storeIfNone("new") }
    #expect(error?.code == .providerNotReady)
    let read = Locked<[String]>([])
    let subscription = store.subscribe { read.withLock { $0.append((try? ids.id()) ?? "none") } }
    try device.unlock()
    #expect(read.withLock { $0 } == ["old"])
    #expect(try ids.id() == "old")
    device.protectedData.becomeAvailable()
    #expect(read.withLock { $0.count } == 1, "Once is enough")
    subscription.cancel()
  }

  @Test("A file that cannot be read is no new visitor's, and is read again once the device is unlocked")
  func keepsFile() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "id")
    try FileAnonymousIDStore(file).store("old")
    // A link to itself fails for the administrator, too, unlike a file without permissions.
    try FileManager.default.moveItem(at: file, to: folder.url.appending(path: "kept"))
    try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: file.path)
    let store = FileAnonymousIDStore(file, protectedData: device.protectedData)
    let ids = AnonymousIDs(in: store) { "new" }
    #expect(throws: FlagError.self) { try ids.id() }
    let read = Locked<[String]>([])
    let subscription = store.subscribe { read.withLock { $0.append((try? ids.id()) ?? "none") } }
    try FileManager.default.removeItem(at: file)
    try FileManager.default.moveItem(at: folder.url.appending(path: "kept"), to: file)
    device.protectedData.becomeAvailable()
    #expect(read.withLock { $0 } == ["old"])
    subscription.cancel()
  }

  @Test("Overrides are neither lost nor read as cleared, and those who follow them read them once it is unlocked")
  func keepsOverrides() throws {
    let store = UserDefaultsOverrideStore(suite: device.suite, protectedData: device.protectedData)
    try UserDefaultsOverrideStore(suite: device.suite).write(["a": 1, "b": 2])
    try device.lock()
    #expect(throws: FlagError.self) { try store.load() }
    #expect(throws: FlagError.self) { try store.write(["a": nil, "c": 3]) }
    let loads = Locked<[[FlagKey: FlagValue]]>([])
    let subscription = store.subscribe { _ in
      do throws(FlagError) {
        let loaded = try store.load()
        loads.withLock { $0.append(loaded) }
      } catch {
        Issue.record(error)
      }
    }
    try device.unlock()
    #expect(loads.withLock { $0 } == [["a": 1, "b": 2]])
    try store.write(["c": 3])
    #expect(try store.load() == ["a": 1, "b": 2, "c": 3])
    subscription.cancel()
  }

  @Test("A provider has no values until then, and writes over none", arguments: [nil, "toggles"])
  func keepsValues(dictionary: String?) throws {
    try UserDefaultsProvider(suiteName: device.suite, dictionary: dictionary).write(["a": 1, "b": 2])
    try device.lock()
    let provider = try UserDefaultsProvider(
      suiteName: device.suite, dictionary: dictionary, protectedData: device.protectedData)
    #expect(provider.snapshot().value(of: "a") == nil)
    #expect(throws: FlagError.self) { try provider.reload() }
    #expect(throws: FlagError.self) { try provider.write(["c": 3]) }
    let changes = Locked<[ChangedKeys]>([])
    let subscription = provider.subscribe { change in changes.withLock { $0.append(change) } }
    try device.unlock()
    let noticed = changes.withLock { $0 }
    #expect(noticed == [ChangedKeys(["a", "b"])])
    try provider.write(["c": 3])
    let again = try UserDefaultsProvider(suiteName: device.suite, dictionary: dictionary).snapshot()
    #expect(["a", "b", "c"].map { again.value(of: $0) } == [1, 2, 3])
    subscription.cancel()
  }

  @Test("Available data is reported at once, but not to a cancelled subscription")
  func tellsOnce() {
    let calls = Locked<[String]>([])
    let data = ProtectedData(isAvailable: false)
    let store = UserDefaultsAnonymousIDStore(suite: device.suite, protectedData: data)
    let kept = store.subscribe { calls.withLock { $0.append("kept") } }
    let cancelled = store.subscribe { calls.withLock { $0.append("cancelled") } }
    cancelled.cancel()
    #expect(!data.isAvailable)
    data.becomeAvailable()
    #expect(data.isAvailable)
    let late = store.subscribe { calls.withLock { $0.append("late") } }
    #expect(calls.withLock { $0 } == ["kept", "late"])
    kept.cancel()
    late.cancel()
  }
}

/// A suite of defaults that reads as empty while its device is locked, as on iOS.
private final class LockedDefaults: Sendable {
  let suite = "locked-defaults-\(UUID().uuidString)"
  let protectedData = ProtectedData(isAvailable: false)
  private let hidden = Locked<Data?>(nil)

  deinit {
    UserDefaults.standard.removePersistentDomain(forName: suite)
    UserDefaults.standard.synchronize()
  }

  func lock() throws {
    let content = UserDefaults.standard.persistentDomain(forName: suite) ?? [:]
    let data = try PropertyListSerialization.data(fromPropertyList: content, format: .binary, options: 0)
    hidden.withLock { $0 = data }
    UserDefaults.standard.removePersistentDomain(forName: suite)
    UserDefaults.standard.synchronize()
  }

  /// Shows what was hidden, and expects that nothing was written meanwhile.
  func unlock() throws {
    #expect((UserDefaults.standard.persistentDomain(forName: suite) ?? [:]).isEmpty)
    let data = try #require(hidden.withLock { $0 })
    let content = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
    UserDefaults.standard.setPersistentDomain(try #require(content), forName: suite)
    UserDefaults.standard.synchronize()
    protectedData.becomeAvailable()
  }
}
