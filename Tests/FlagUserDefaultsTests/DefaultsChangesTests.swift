import FlagDomain
import FlagProviders
import FlagTesting
import FlagUserDefaults
import Foundation
import TestSupport
import Testing

@Suite("Changes of user defaults", .timeLimit(.minutes(15)))
final class DefaultsChangesTests {
  private let suite = "defaults-changes-\(UUID().uuidString)"
  private let clock = ManualClock()

  deinit {
    UserDefaults.standard.removePersistentDomain(forName: suite)
    UserDefaults.standard.synchronize()
  }

  @Test("A thousand notifications in a row lead to one read, which sees the last change")
  func joinsChanges() async throws {
    let provider = try UserDefaultsProvider(suiteName: suite, dictionary: nil, protectedData: nil, clock: clock)
    let changes = Locked<[FlagValue?]>([])
    let subscription = provider.subscribe { [weak provider] _ in
      let value = provider?.snapshot().value(of: "count")
      changes.withLock { $0.append(value) }
    }
    let defaults = try #require(UserDefaults(suiteName: suite))
    for number in 1...1000 {
      defaults.set(number, forKey: "count")
      notify()
    }
    await clock.waitForSleepers(1)
    #expect(clock.sleeping == 1 && changes.withLock { $0.isEmpty })
    clock.advance(by: .milliseconds(50))
    try await waitUntil { changes.withLock { !$0.isEmpty } }
    #expect(changes.withLock { $0 } == [1000])
    subscription.cancel()
  }

  @Test("A change that cannot be read leaves the values, and the status says why until one can be read")
  func saysFailures() async throws {
    let provider = try UserDefaultsProvider(suiteName: suite, dictionary: "flags", protectedData: nil, clock: clock)
    try provider.write(["size": 1])
    let statuses = Locked<[ProviderStatus]>([])
    let subscription = provider.subscribe { [weak provider] _ in
      if let status = provider?.providerStatus { statuses.withLock { $0.append(status) } }
    }
    let defaults = try #require(UserDefaults(suiteName: suite))
    let values: [(value: Any, error: FlagError.Code?)] = [("none", .typeMismatch), (["size": 2], nil)]
    for (value, code) in values {
      statuses.withLock { $0 = [] }
      defaults.set(value, forKey: "flags")
      notify()
      await clock.waitForSleepers(1)
      clock.advance(by: .milliseconds(50))
      try await waitUntil { statuses.withLock { !$0.isEmpty && $0.last?.error?.code == code } }
      #expect(provider.snapshot().value(of: "size") == (code == nil ? 2 : 1))
    }
    subscription.cancel()
  }

  @Test("A change while the last one is read is followed by another read")
  func losesNoChange() async throws {
    let store = UserDefaultsOverrideStore(suite: suite, prefix: "o.", protectedData: nil, clock: clock)
    let reads = Locked(0)
    let subscription = store.subscribe { _ in
      if reads.withLock({ $0 }) == 0 { notify() }
      reads.withLock { $0 += 1 }
    }
    notify()
    for count in 1...2 {
      await clock.waitForSleepers(1)
      clock.advance(by: .milliseconds(50))
      try await waitUntil { reads.withLock { $0 } == count }
    }
    subscription.cancel()
  }

  @Test("After the subscription has ended nothing is read, not even for a change that came before")
  func endsReading() async throws {
    let store = UserDefaultsOverrideStore(suite: suite, prefix: "o.", protectedData: nil, clock: clock)
    let ended = Locked(0)
    let kept = Locked(0)
    let first = store.subscribe { _ in ended.withLock { $0 += 1 } }
    let second = store.subscribe { _ in kept.withLock { $0 += 1 } }
    notify()
    await clock.waitForSleepers(2)
    first.cancel()
    clock.advance(by: .milliseconds(50))
    try await waitUntil { kept.withLock { $0 } == 1 }
    #expect(ended.withLock { $0 } == 0)
    second.cancel()
  }

  @Test("Only what the suite itself holds is an override, or a visitor's id: no registered defaults")
  func readsOwnDomain() throws {
    let (key, id) = ("flag-override.\(suite)", "id-\(suite)")
    UserDefaults.standard.register(defaults: [key: "true", id: "registered"])
    #expect(UserDefaults.standard.string(forKey: key) == "true")
    #expect(UserDefaults.standard.string(forKey: id) == "registered")
    let name = try #require(FlagKey(validating: suite))
    let store = UserDefaultsOverrideStore()
    #expect(try store.load()[name] == nil)
    #expect(try UserDefaultsAnonymousIDStore(key: id).load() == nil)
    #expect(try AnonymousIDs(in: UserDefaultsAnonymousIDStore(suite: suite, key: id)) { "own" }.id() == "own")
  }
}

/// Posts what the platform does after a change; Linux stays silent.
private func notify() {
  NotificationCenter.default.post(name: UserDefaults.didChangeNotification, object: nil)
}
