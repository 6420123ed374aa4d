import FlagDomain
import FlagUserDefaults
import Foundation
import Testing

@Suite("Stores in user defaults", .timeLimit(.minutes(15)))
final class StoreTests {
  private let suite = "stores-\(UUID().uuidString)"

  deinit {
    UserDefaults.standard.removePersistentDomain(forName: suite)
    UserDefaults.standard.synchronize()
  }

  @Test("An entry of the defaults that someone else wrote harms no other, and can be cleared")
  func readsForeignEntries() throws {
    let store = UserDefaultsOverrideStore(suite: suite)
    try store.write(["good": true])
    let defaults = try #require(UserDefaults(suiteName: suite))
    defaults.set("no JSON", forKey: "flag-override.text")
    defaults.set(20, forKey: "flag-override.number")
    #expect(try store.load() == ["good": true, "text": "no JSON", "number": 20])
    try store.write(["text": nil, "number": nil])
    #expect(try store.load() == ["good": true])
  }

  @Test("Booleans and integers are stored as other code reads them, and a text that looks like one as JSON")
  func storesNatively() throws {
    let values: [FlagKey: FlagValue] = [
      "on": true, "off": false, "one": 1, "least": .int(Int128(Int64.min)), "most": .int(Int128(UInt64.max)),
      "text": "true", "half": 0.5, "null": .null,
    ]
    try UserDefaultsOverrideStore(suite: suite).write(values.mapValues(Optional.some))
    #expect(try UserDefaultsOverrideStore(suite: suite).load() == values)
    let defaults = try #require(UserDefaults(suiteName: suite))
    #expect(defaults.object(forKey: "flag-override.on") as? Bool == true)
    #expect(defaults.object(forKey: "flag-override.off") as? Bool == false)
    #expect(defaults.object(forKey: "flag-override.one") as? Int == 1)
    #expect(defaults.object(forKey: "flag-override.text") as? String == #""true""#)
  }

  @Test("Without a prefix nothing is loaded, written or cleared, since the app's settings would be overrides")
  func refusesEmptyPrefix() throws {
    let defaults = try #require(UserDefaults(suiteName: suite))
    defaults.set("es", forKey: "language")
    let store = UserDefaultsOverrideStore(suite: suite, prefix: "")
    #expect(throws: FlagError.self) { try store.load() }
    for values: [FlagKey: FlagValue?] in [["on": true], ["language": nil]] {
      let error = #expect(throws: FlagError.self) { try store.write(values) }
      #expect(error?.message.hasPrefix("expected a prefix that only overrides have") == true)
    }
    #expect(defaults.string(forKey: "language") == "es")
  }

  @Test("Changes of user defaults are reported if the platform does", .timeLimit(.minutes(15)))
  func tellsOfDefaults() async throws {
    let store = UserDefaultsOverrideStore(suite: suite)
    let (changes, changed) = AsyncStream.makeStream(of: FlagError?.self)
    let subscription = store.subscribe { changed.yield($0) }
    try UserDefaultsOverrideStore(suite: suite).write(["theirs": 1])
    // Linux stays silent; there the test tells instead.
    NotificationCenter.default.post(name: UserDefaults.didChangeNotification, object: nil)
    var iterator = changes.makeAsyncIterator()
    #expect(await iterator.next() == .some(nil))
    #expect(try store.load() == ["theirs": 1])
    subscription.cancel()
  }

  @Test("A default that is no text is an error")
  func refusesForeignDefaults() throws {
    try #require(UserDefaults(suiteName: suite)).set(5, forKey: "flag-anonymous-id")
    let error = #expect(throws: FlagError.self) { try UserDefaultsAnonymousIDStore(suite: suite).load() }
    #expect(error?.message == "expected an id as text under \"flag-anonymous-id\", found integer")
  }
}
