import FlagDomain
import FlagProviders
import FlagUserDefaults
import Foundation
import TestSupport
import Testing

@Suite("Stores of visitors' ids", .timeLimit(.minutes(15)))
struct AnonymousIDStoreTests {
  @Test("An id is made once, kept for the next start, renewed and forgotten", arguments: Kind.allCases)
  func keeps(kind: Kind) throws {
    try kind.use { make in
      let ids = AnonymousIDs(in: make())
      #expect(try make().load() == nil)
      try ids.forget()
      let id = try ids.id()
      #expect(try ids.id() == id)
      #expect(try AnonymousIDs(in: make()).id() == id)
      let other = try ids.renew()
      #expect(try AnonymousIDs(in: make()).id() == other && other != id)
      try ids.forget()
      #expect(try make().load() == nil)
      #expect(try AnonymousIDs(in: make()) { "third" }.id() == "third")
    }
  }

  @Test("All who ask for the first id at once are given the same", arguments: Kind.allCases)
  func agrees(kind: Kind) async throws {
    for _ in 0..<20 {
      try await kind.use { folder, suite in
        let ids = Recorder<String>()
        try await onThreads(8) { _ in ids.record(try AnonymousIDs(in: kind.store(in: folder, suite)).id()) }
        #expect(Set(ids.events) == [try kind.store(in: folder, suite).load()])
      }
    }
  }

  #if compiler(>=6.3) && (os(macOS) || os(Linux))
    @Test("Processes that start at once end with one id", arguments: Kind.allCases)
    func agreesAcrossProcesses(kind: Kind) async throws {
      try await kind.use { folder, suite in
        await withTaskGroup { group in
          for number in 0..<4 {
            group.addTask {
              await #expect(processExitsWith: .success) {
                [kind = kind as Kind, folder = folder.path as String, suite = suite as String, number = number as Int]
                in
                limitThisProcess()
                let folder = URL(filePath: folder)
                let id = try AnonymousIDs(in: kind.store(in: folder, suite)).id()
                try Data(id.utf8).write(to: folder.appending(path: "seen-\(number)"))
              }
            }
          }
        }
        let seen = try (0..<4).map { try String(contentsOf: folder.appending(path: "seen-\($0)"), encoding: .utf8) }
        #expect(Set(seen) == [try kind.store(in: folder, suite).load()])
      }
    }
  #endif

  @Test("The file is the user's alone, and holds the id in a line")
  func writesLine() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "id")
    #expect(try FileAnonymousIDStore(file).storeIfNone("a b") == "a b")
    #expect(try String(contentsOf: file, encoding: .utf8) == "a b\n")
    #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o600)
  }

  @Test("An id that could not be read back is refused", arguments: [" a", "a\n", "", "\t"])
  func refusesIDs(id: String) throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "id")
    #expect(throws: FlagError.self) { try FileAnonymousIDStore(file).store(id) }
    #expect(try FileAnonymousIDStore(file).load() == nil)
  }

  @Test("A file that cannot be used is named by the error, and left alone")
  func namesFile() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "id")
    try Data([0xff, 0xfe]).write(to: file)
    let store = FileAnonymousIDStore(file)
    for use in [{ _ = try store.load() }, { _ = try store.storeIfNone("id") }] {
      let error = #expect(throws: FlagError.self) { try use() }
      #expect(error?.localizedDescription.contains("\(file.path): expected an id in UTF-8") == true)
    }
    #expect(try Data(contentsOf: file) == Data([0xff, 0xfe]))
    #expect(throws: FlagError.self) { try FileAnonymousIDStore(file.appending(path: "id")).store("id") }
  }

  enum Kind: String, CaseIterable, Codable {
    case file, userDefaults

    func store(in folder: URL, _ suite: String) -> any AnonymousIDStore {
      switch self {
      case .file: FileAnonymousIDStore(folder.appending(path: "id"))
      case .userDefaults: UserDefaultsAnonymousIDStore(suite: suite, lock: folder.appending(path: "id"))
      }
    }

    func use(_ body: (URL, String) throws -> Void) throws {
      let folder = try TemporaryFolder()
      let suite = "anonymous-ids-\(UUID().uuidString)"
      defer { UserDefaults().removePersistentDomain(forName: suite) }
      try body(folder.url, suite)
    }

    func use(_ body: (URL, String) async throws -> Void) async throws {
      let folder = try TemporaryFolder()
      let suite = "anonymous-ids-\(UUID().uuidString)"
      defer { UserDefaults().removePersistentDomain(forName: suite) }
      try await body(folder.url, suite)
    }

    func use(_ body: (() -> any AnonymousIDStore) throws -> Void) throws {
      try use { (folder: URL, suite: String) in try body { store(in: folder, suite) } }
    }
  }
}
