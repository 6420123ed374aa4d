import FlagDomain
import FlagProviders
import FlagTesting
import FlagUserDefaults
import Foundation
import TestSupport
import Testing

@Suite("User defaults provider")
final class UserDefaultsProviderTests {
  private let suiteName = "flags-\(UUID().uuidString)"
  private let provider: UserDefaultsProvider

  init() throws { provider = try UserDefaultsProvider(suiteName: suiteName) }

  deinit {
    UserDefaults.standard.removePersistentDomain(forName: suiteName)
    UserDefaults.standard.synchronize()
  }

  @Test("Meets the contract of every provider")
  func meetsContract() async throws {
    let values: [FlagKey: FlagValue] = [
      "bool": true, "int": 1, "double": 2.5, "string": "text", "list": [1, [true, "x"]], "record": ["a": ["b": 0]],
      "null": .null, "nulls": [.null, ["a": .null]],
      "large": .int(Int128(Int64.max)),
    ]
    try provider.write(values.mapValues { $0 })
    var contract = ProviderContract(provider, present: values, absent: "off")
    contract.change = .init(to: ["bool": false, "int": nil as FlagValue?]) { [provider] in
      try provider.write(["bool": false, "int": nil as FlagValue?])
    }
    try await contract.check()
  }

  @Test("Data that is JSON is read as that where the app says so, and stays the data of any other flag")
  func readsJSON() throws {
    struct Layout: Codable, Equatable { var columns: Int }
    let defaults = try #require(UserDefaults(suiteName: suiteName))
    defaults.set(try JSONEncoder().encode(Layout(columns: 2)), forKey: "layout")
    defaults.set(try JSONEncoder().encode("trace"), forKey: "level")
    defaults.set(Data([0xff, 0x00]), forKey: "bytes")
    defaults.synchronize()
    let json = try UserDefaultsProvider(suiteName: suiteName, readsJSON: true).snapshot()
    #expect(json.value(of: "layout") == ["columns": 2] && json.value(of: "level") == "trace")
    #expect(json.value(of: "bytes") == .string("/wA="))
    try provider.reload()
    #expect(provider.snapshot().value(of: "level") == .string(Data("\"trace\"".utf8).base64EncodedString()))
    let writing = try UserDefaultsProvider(suiteName: suiteName, readsJSON: true)
    try writing.write(["level": "debug", "layout": ["columns": 3]])
    #expect(writing.snapshot().value(of: "level") == "debug")
    #expect(try UserDefaultsProvider(suiteName: suiteName).snapshot().value(of: "layout") == ["columns": 3])
  }

  @Test("What was written is there for another provider of the suite, and only there")
  func persists() throws {
    let values: [FlagKey: FlagValue] = [
      "bool": true, "int": 1, "double": 2.5, "list": [1, [false, "x"]], "record": ["a": ["b": 0]],
    ]
    try provider.write(values.mapValues { $0 })
    let again = try UserDefaultsProvider(suiteName: suiteName)
    for (key, value) in values { #expect(again.snapshot().value(of: key) == value) }
    #expect(UserDefaults.standard.object(forKey: "list") == nil)
    try provider.write(nil, for: "int")
    #expect(UserDefaults(suiteName: suiteName)?.object(forKey: "int") == nil)
  }

  @Test(
    "A write with a value that cannot be stored changes nothing",
    arguments: [.int(Int128.max), ["a": [.int(Int128.max)]], (0..<257).reduce(1) { value, _ in [value] }] as [FlagValue]
  )
  func refusesValues(value: FlagValue) throws {
    #expect {
      try provider.write(["good": true, "bad": value])
    } throws: { error in
      (error as? FlagError)?.code == .typeMismatch && (error as? FlagError)?.key == "bad"
    }
    #expect(provider.snapshot().value(of: "good") == nil)
    #expect(UserDefaults(suiteName: suiteName)?.object(forKey: "good") == nil)
  }

  @Test("Changes by others show after a reload, dates and data as their text")
  func reloads() throws {
    let defaults = try #require(UserDefaults(suiteName: suiteName))
    defaults.set(Date(timeIntervalSinceReferenceDate: 1), forKey: "date")
    defaults.set(Data([0, 255, 7]), forKey: "data")
    defaults.set(1, forKey: "not a key")
    #expect(provider.snapshot().value(of: "date") == nil)
    try provider.reload()
    #expect(provider.snapshot().value(of: "date") == "2001-01-01T00:00:01Z")
    #expect(provider.snapshot().value(of: "data") == "AP8H")
  }

  @Test("Meets the contract of every provider: with one dictionary for all values")
  func keepsDictionary() async throws {
    let provider = try UserDefaultsProvider(suiteName: suiteName, dictionary: "toggles")
    try provider.write(["feed.page-size": 20, "on": true, "none": .some(.null)])
    let defaults = try #require(UserDefaults(suiteName: suiteName))
    #expect(defaults.dictionary(forKey: "toggles")?.keys.sorted() == ["feed", "none", "on"])
    #expect(self.provider.snapshot().value(of: "on") == nil)
    var contract = ProviderContract(
      provider, present: ["feed.page-size": 20, "on": true, "none": .null], absent: "feed.ranking")
    contract.failing = ("on.x", .typeMismatch)
    contract.change = .init(to: ["feed.page-size": nil as FlagValue?, "on": false, "list": [1]]) {
      try provider.write(["feed.page-size": nil as FlagValue?, "on": false, "list": [1]])
    }
    try await contract.check()
    #expect(try UserDefaultsProvider(suiteName: suiteName, dictionary: "toggles").snapshot().value(of: "list") == [1])
    try provider.write(["on": nil, "list": nil, "none": nil])
    #expect(UserDefaults(suiteName: suiteName)?.object(forKey: "toggles") == nil)
  }

  @Test("What others have in the dictionary stays; what is no dictionary is an error")
  func keepsForeignEntries() throws {
    let provider = try UserDefaultsProvider(suiteName: suiteName, dictionary: "toggles")
    let defaults = try #require(UserDefaults(suiteName: suiteName))
    defaults.set(["theirs": Data([1]), "group": ["a": 1]], forKey: "toggles")
    try provider.write(["ours": 1, "group.b": 2])
    let entries = UserDefaults(suiteName: suiteName)?.dictionary(forKey: "toggles")
    #expect(entries?["theirs"] as? Data == Data([1]))
    #expect((entries?["group"] as? [String: Any])?.keys.sorted() == ["a", "b"])
    #expect(throws: FlagError.self) { try provider.write(3, for: "group") }
    defaults.set(5, forKey: "toggles")
    let error = #expect(throws: FlagError.self) { try provider.reload() }
    #expect(error?.message == "expected a dictionary under \"toggles\", found integer")
    #expect(provider.snapshot().value(of: "ours") == 1)
  }

  @Test("A default that is a dictionary is reached into; one without parts is in no other flag's way")
  func descends() throws {
    try provider.write(["feed": ["page-size": 20], "misc": 3])
    try provider.write(["feed.page-size": 30, "misc.plain": 4])
    #expect(
      ["feed", "feed.page-size", "misc", "misc.plain"].map { provider.snapshot().value(of: $0) } == [
        ["page-size": 30], 30, 3, 4,
      ])
    #expect(UserDefaults(suiteName: suiteName)?.integer(forKey: "misc.plain") == 4)
    #expect(try provider.snapshot().answer(for: "misc.other", in: EvaluationContext()) == nil)
    #expect(throws: FlagError.self) { try provider.snapshot().answer(for: "feed.page-size.x", in: EvaluationContext()) }
  }

  @Test("The standard defaults can be used")
  func usesStandardDefaults() throws {
    let key = try #require(FlagKey(validating: suiteName))
    let provider = try UserDefaultsProvider()
    defer { UserDefaults.standard.removeObject(forKey: suiteName) }
    // Elsewhere than on Apple's platforms, another process of this name may undo it at the same moment.
    let isStored = try (0..<100).contains { _ in
      try provider.write(5, for: key)
      return UserDefaults.standard.integer(forKey: suiteName) == 5
    }
    #expect(isStored)
    #expect(provider.snapshot().value(of: key) == 5 && provider.name == "defaults")
    try provider.write(nil, for: key)
    #expect(provider.snapshot().value(of: key) == nil)
  }

  @Test("Changes by others are noticed where the platform reports them", .timeLimit(.minutes(15)))
  func noticesChanges() async throws {
    let (changes, changed) = AsyncStream.makeStream(of: ChangedKeys.self)
    let subscription = provider.subscribe { changed.yield($0) }
    let defaults = try #require(UserDefaults(suiteName: suiteName))
    defaults.set(1, forKey: "theirs")
    // Linux stays silent; there the test tells instead.
    NotificationCenter.default.post(name: UserDefaults.didChangeNotification, object: defaults)
    var iterator = changes.makeAsyncIterator()
    #expect(await iterator.next() == .some(["theirs"]))
    #expect(provider.snapshot().value(of: "theirs") == 1)
    subscription.cancel()
  }
}
