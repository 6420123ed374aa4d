import FlagDomain
import FlagProviders
import Foundation
import Testing

@Suite("Override stores")
struct OverrideStoreTests {
  private static let values: [FlagKey: FlagValue?] = [
    "a": true, "b": [1, 2.5, nil, "x\n\"y\""], "c": .some(.null), "d": .int(Int128(UInt64.max)), "e": ["k": [:]],
  ]

  @Test("What is written is loaded by the next start; what is cleared is gone", arguments: Store.allCases)
  func keeps(kind: Store) throws {
    try kind.use { make in
      #expect(try make().load() == [:])
      try make().write(Self.values)
      #expect(try make().load() == Self.values.compactMapValues { $0 })
      try make().write(["a": nil, "b": nil, "unknown": nil])
      #expect(try make().load().keys.sorted() == ["c", "d", "e"])
    }
  }

  @Test("A store writes over what another one wrote before", arguments: Store.allCases)
  func continues(kind: Store) throws {
    try kind.use { make in
      let store = make()
      try store.write(["a": 1])
      try store.write(["b": 2])
      #expect(try make().load() == ["a": 1, "b": 2])
    }
  }

  @Test("A file that cannot be read is an error that says where; a write moves it aside")
  func keepsUnreadableFile() throws {
    try Store.inTemporaryFolder { folder in
      let file = folder.appending(path: "overrides.json")
      try Data("{\"a\": true,\n nope}".utf8).write(to: file)
      let store = FileOverrideStore(file)
      let error = #expect(throws: FlagError.self) { try store.load() }
      #expect(error?.code == .parseError && error?.message.contains("line 2, column 2") == true)
      try store.write(["b": 1])
      #expect(try FileOverrideStore(file).load() == ["b": 1])
      let aside = try String(contentsOf: file.appendingPathExtension("unreadable"), encoding: .utf8)
      #expect(aside.hasSuffix("nope}"))
    }
  }

  @Test("A file that cannot be written is an error, and what was stored stands")
  func refusesUnwritableFile() throws {
    try Store.inTemporaryFolder { folder in
      let store = FileOverrideStore(folder.appending(path: "missing/overrides.json"))
      #expect(throws: FlagError.self) { try store.write(["a": 1]) }
      let stored = try store.load()
      #expect(stored == [:])
    }
  }

  @Test("A number that JSON cannot hold is refused, and what came with it", arguments: Store.allCases)
  func refusesInfinity(kind: Store) throws {
    try kind.use { make in
      let store = make()
      #expect(throws: FlagError.self) { try store.write(["a": [.double(.infinity)], "b": 1]) }
      let stored = try make().load()
      #expect(stored == [:])
    }
  }

  @Test("An entry of the defaults that someone else wrote harms no other, and can be cleared")
  func readsForeignEntries() throws {
    let suite = "override-store-tests-\(UUID().uuidString)"
    defer { UserDefaults().removePersistentDomain(forName: suite) }
    let store = UserDefaultsOverrideStore(suite: suite)
    try store.write(["good": true])
    let defaults = try #require(UserDefaults(suiteName: suite))
    defaults.set("no JSON", forKey: "flag-override.text")
    defaults.set(20, forKey: "flag-override.number")
    #expect(try store.load() == ["good": true, "text": "no JSON", "number": 20])
    try store.write(["text": nil, "number": nil])
    #expect(try store.load() == ["good": true])
  }

  @Test("A suite of user defaults is honoured: the standard ones and other suites see nothing of it")
  func keepsToSuite() throws {
    try Store.userDefaults.use { make in
      try make().write(["only-here": true])
      let standard = try UserDefaultsOverrideStore().load()
      let other = try UserDefaultsOverrideStore(suite: "override-store-tests-other").load()
      #expect(standard["only-here"] == nil && other["only-here"] == nil)
    }
  }

  enum Store: CaseIterable {
    case file, userDefaults

    func use(_ body: (() -> any FlagOverrideStore) throws -> Void) throws {
      switch self {
      case .file:
        try Self.inTemporaryFolder { folder in
          try body { FileOverrideStore(folder.appending(path: "overrides.json")) }
        }
      case .userDefaults:
        let suite = "override-store-tests-\(UUID().uuidString)"
        defer { UserDefaults().removePersistentDomain(forName: suite) }
        try body { UserDefaultsOverrideStore(suite: suite) }
      }
    }

    static func inTemporaryFolder(_ body: (URL) throws -> Void) throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: "override-store-tests-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer {
        do { try FileManager.default.removeItem(at: folder) } catch { Issue.record(error) }
      }
      try body(folder)
    }
  }
}
