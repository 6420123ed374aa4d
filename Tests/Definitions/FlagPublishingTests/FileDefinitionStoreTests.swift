import FlagDefinitions
import FlagDefinitionsTesting
import FlagDomain
import FlagPublishing
import Foundation
import TestSupport
import Testing

@Suite("A file as a store of definitions", .timeLimit(.minutes(15)))
struct FileDefinitionStoreTests {
  @Test("Meets the contract of every store")
  func meetsContract() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("flags.json", DefinitionStoreContract.document)
    var contract = DefinitionStoreContract(try FileDefinitionStore(following: file, polling: .milliseconds(5)))
    contract.breakStore = { try Data("{".utf8).write(to: file, options: .atomic) }
    contract.mendStore = { try Data($0.utf8).write(to: file, options: .atomic) }
    try await contract.check()
  }

  @Test("A file that is gone is a failure, and what was there is served until it is back")
  func survivesRemoval() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("flags.json", DefinitionStoreContract.document)
    var contract = DefinitionStoreContract(try FileDefinitionStore(following: file, polling: .milliseconds(5)))
    contract.breakStore = { try FileManager.default.removeItem(at: file) }
    contract.mendStore = { try Data($0.utf8).write(to: file) }
    try await contract.check()
  }

  @Test("Of two stores on one file, as two processes have, neither loses what the other wrote")
  func sharesFile() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("flags.json", #"{"flags": {}}"#)
    let stores = try [FileDefinitionStore(following: file), FileDefinitionStore(following: file)]
    await withTaskGroup(of: Void.self) { group in
      for (number, store) in stores.enumerated() {
        group.addTask { for index in 0..<10 { await Self.add("f\(number)-\(index)", to: store) } }
      }
    }
    let document = try FlagDocument(parsing: Data(contentsOf: file))
    #expect(Set(document.keys) == Set((0..<20).map { "f\($0 / 10)-\($0 % 10)" }))
  }

  @Test("Reading it again finds what the file has now, or says why it cannot be served")
  func refreshes() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("flags.json", #"{"flags": {}}"#)
    let store = try FileDefinitionStore(following: file)
    try Data(DefinitionStoreContract.document.utf8).write(to: file, options: .atomic)
    try await store.refresh()
    #expect(store.current?.text == Array(DefinitionStoreContract.document.utf8))
    try Data("{".utf8).write(to: file, options: .atomic)
    let error = await #expect(throws: DefinitionStoreError.self) { try await store.refresh() }
    #expect(error?.code == .invalid)
  }

  @Test("A file that is missing or broken makes no store", arguments: [nil, "{"])
  func refuses(text: String?) throws {
    let folder = try TemporaryFolder()
    let file = try text.map { try folder.file("flags.json", $0) } ?? folder.url.appending(path: "flags.json")
    let error = #expect(throws: DefinitionStoreError.self) { try FileDefinitionStore(following: file) }
    #expect(error?.code == (text == nil ? .unreadable : .invalid))
    #expect(error?.store == file.path)
  }

  @Test("When a write is refused, the status already says what the file is now", arguments: ["{", nil])
  func knowsWhatIsThere(text: String?) async throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("flags.json", DefinitionStoreContract.document)
    let store = try FileDefinitionStore(following: file)
    let version = store.current?.version
    if let text {
      try Data(text.utf8).write(to: file, options: .atomic)
    } else {
      try FileManager.default.removeItem(at: file)
    }
    await #expect(throws: DefinitionStoreError.self) {
      try await store.replace(with: Array(#"{"flags": {}}"#.utf8), expecting: version)
    }
    #expect(store.status.failure != nil && store.current?.version == version)
  }

  @Test("A file of another format is written as any other")
  func writesFormat() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("flags.txt", "a = on")
    let store = try FileDefinitionStore(following: file, format: LineFormat())
    try await store.replace(with: Array("a = on\nb = off".utf8), expecting: store.current?.version)
    #expect(store.current?.document.keys == ["a", "b"])
    await #expect(throws: DefinitionStoreError.self) {
      try await store.replace(with: Array("nothing".utf8), expecting: store.current?.version)
    }
  }

  /// Adds a flag, again and again until nobody else was faster.
  private static func add(_ key: String, to store: FileDefinitionStore) async {
    while true {
      guard let current = store.current else { return }
      let flags = (current.document.keys + [key]).map { #""\#($0)": {"state": "ENABLED", "variants": {"on": true}}"# }
      do throws(DefinitionStoreError) {
        try await store.replace(
          with: Array("{\"flags\": {\(flags.joined(separator: ","))}}".utf8), expecting: current.version)
        return
      } catch {
        guard error.code == .conflict else {
          Issue.record("\(error)")
          return
        }
        // The other's write may not have been seen yet.
        await Task.yield()
      }
    }
  }
}
