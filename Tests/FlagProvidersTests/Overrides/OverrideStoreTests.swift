import FlagDomain
import FlagJSON
import FlagProviders
import FlagUserDefaults
import Foundation
import TestSupport
import Testing

@Suite("Override stores", .timeLimit(.minutes(15)))
struct OverrideStoreTests {
  private static let values: [FlagKey: FlagValue?] = [
    "a": true, "b": [1, 2.5, .null, "x\n\"y\""], "c": .some(.null), "d": .int(Int128(UInt64.max)), "e": ["k": [:]],
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

  @Test(
    "A broken file is an error that says where; a write keeps a copy of it",
    arguments: ["{\"a\": true,\n nope}", "", "[]"])
  func keepsBrokenFile(text: String) throws {
    try Store.inTemporaryFolder { folder in
      let file = folder.appending(path: "overrides.json")
      try Data(text.utf8).write(to: file)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
      let store = FileOverrideStore(file)
      let error = #expect(throws: FlagError.self) { try store.load() }
      #expect(error?.code == .parseError && error?.message.hasPrefix("\(file.path): ") == true)
      if text.hasSuffix("nope}") { #expect(error?.message.contains("line 2, column 2") == true) }
      try store.write(["b": 1])
      #expect(try FileOverrideStore(file).load() == ["b": 1])
      let aside = file.appendingPathExtension("unreadable")
      #expect(try String(contentsOf: aside, encoding: .utf8) == text)
      #expect(try FileManager.default.attributesOfItem(atPath: aside.path)[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test(
    "A file that cannot be read is left alone, and neither loaded nor written",
    arguments: Store.Obstacle.allCases.filter(\.isEffective))
  func leavesUnreadableFile(obstacle: Store.Obstacle) throws {
    try Store.inTemporaryFolder { folder in
      let file = folder.appending(path: "overrides.json")
      let store = FileOverrideStore(file)
      try store.write(["a": 1])
      try obstacle.put(in: folder)
      #expect(throws: FlagError.self) { try store.load() }
      let error = #expect(throws: FlagError.self) { try store.write(["b": 2]) }
      #expect(error?.code == .general)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(!names.contains("overrides.json.unreadable"))
      try obstacle.remove(from: folder)
      #expect(try store.load() == ["a": 1])
    }
  }

  @Test("200 and 200 writes by two stores leave 400 overrides")
  func losesNoWrite() async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "overrides.json")
    try await withThrowingTaskGroup { group in
      for name in ["a", "b"] {
        group.addTask {
          let store = FileOverrideStore(file)
          for number in 0..<200 {
            try store.writePatiently([FlagKey(validating: "\(name).n\(number)") ?? "never": true])
          }
        }
      }
      try await group.waitForAll()
    }
    let stored = try FileOverrideStore(file).load()
    #expect(
      Set(stored.keys)
        == Set(["a", "b"].flatMap { name in (0..<200).compactMap { FlagKey(validating: "\(name).n\($0)") } }))
    let names = try Set(FileManager.default.contentsOfDirectory(atPath: folder.url.path))
    #expect(names == ["overrides.json"])
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

  @Test("What is too deep to be read back is refused, and what is not is read back", arguments: Store.allCases)
  func refusesDepth(kind: Store) throws {
    func nested(_ levels: Int) -> FlagValue { (0..<levels).reduce(1) { value, _ in [value] } }
    try kind.use { make in
      let store = make()
      try store.write(["kept": 1, "deep": nested(255)])
      let error = #expect(throws: FlagError.self) { try store.write(["other": 2, "deeper": nested(300)]) }
      #expect(error?.code == .typeMismatch && error?.key == "deeper")
      let stored = try make().load()
      #expect(stored == ["kept": 1, "deep": nested(255)])
    }
  }

  @Test("A date before all others can be overridden, and is read back", arguments: Store.allCases)
  func keepsDates(kind: Store) throws {
    try kind.use { make in
      try make().write(["since": Date.distantPast.flagValue])
      let stored = try make().load()
      #expect(try stored["since"]?.decode(as: Date.self) == .distantPast)
    }
  }

  @Test("What a store wrote or parsed last is not parsed again; what others write is")
  func parsesOnce() throws {
    try Store.inTemporaryFolder { folder in
      let file = folder.appending(path: "overrides.json")
      let parsed = Locked(0)
      let store = FileOverrideStore(file) { data throws(FlagError) in
        parsed.withLock { $0 += 1 }
        return try FlagValue.reading(json: data)
      }
      try store.write(["a": 1.0, "b": "\u{e9}"])
      try store.write(["a": nil, "c": [.null, 1e300]])
      #expect(try store.load() == ["b": "\u{e9}", "c": [.null, 1e300]] && parsed.withLock { $0 } == 0)
      try FileOverrideStore(file).write(["theirs": true])
      #expect(try store.load()["theirs"] == true && parsed.withLock { $0 } == 1)
      try store.write(["b": nil])
      #expect(try store.load() == ["c": [.null, 1e300], "theirs": true] && parsed.withLock { $0 } == 1)
      try Data("{}".utf8).write(to: file)
      #expect(try store.load() == [:] && parsed.withLock { $0 } == 2)
    }
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

    /// The reason why a file cannot be read.
    enum Obstacle: CaseIterable {
      case loop, directory, permission

      /// Whether it stops this user from reading.
      var isEffective: Bool { self != .permission || geteuid() != 0 }

      func put(in folder: URL) throws {
        let file = folder.appending(path: "overrides.json")
        if self != .permission {
          try FileManager.default.moveItem(at: file, to: folder.appending(path: "kept"))
        }
        switch self {
        case .loop: try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: file.path)
        case .directory: try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        case .permission: try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: file.path)
        }
      }

      func remove(from folder: URL) throws {
        let file = folder.appending(path: "overrides.json")
        if self == .permission {
          return try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        }
        try FileManager.default.removeItem(at: file)
        try FileManager.default.moveItem(at: folder.appending(path: "kept"), to: file)
      }
    }

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

extension FileOverrideStore {
  /// Writes, and retries after a timeout of the lock, which a busy machine can cause.
  fileprivate func writePatiently(_ values: [FlagKey: FlagValue?]) throws(FlagError) {
    while true {
      do throws(FlagError) {
        return try write(values)
      } catch {
        guard error.message.contains("others have held its lock") else { throw error }
      }
    }
  }
}
