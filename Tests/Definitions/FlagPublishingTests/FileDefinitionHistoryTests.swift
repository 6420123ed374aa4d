import FlagDefinitions
import FlagDefinitionsTesting
import FlagDomain
import FlagProviders
import FlagPublishing
import Foundation
import TestSupport
import Testing

@Suite("The history of a file of definitions", .timeLimit(.minutes(15)))
struct FileDefinitionHistoryTests {
  @Test("Meets the contracts of every history and every store, also if the file is broken and mended outside")
  func meetsContract() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("flags.json", DefinitionStoreContract.document)
    try await DefinitionHistoryContract(try Self.history(file)).check()
    var contract = DefinitionStoreContract(try Self.history(file))
    contract.breakStore = { try Data("{".utf8).write(to: file, options: .atomic) }
    contract.mendStore = { try Data($0.utf8).write(to: file, options: .atomic) }
    try await contract.check()
  }

  @Test("A state that someone else wrote to the file is kept as changed outside, and is seen before it is replaced")
  func keepsOthers() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("flags.json", Self.document(0))
    let store = try Self.history(file)
    let first = try await store.head()
    try Data(Self.document(1).utf8).write(to: file, options: .atomic)
    let error = await #expect(throws: DefinitionStoreError.self) {
      try await store.publish(Array(Self.document(2).utf8), expecting: first, note: Self.note)
    }
    #expect(error?.code == .conflict)
    #expect(store.current?.text == Array(Self.document(1).utf8), "so that who tries again has it")
    try await store.publish(Array(Self.document(2).utf8), expecting: try await store.head(), note: Self.note)
    let history = try await store.history(limit: 10)
    #expect(
      history.map { "\($0.number) \($0.note.author): \($0.note.reason) \($0.timestamp)" } == [
        "3 kim: why 7", "2 unknown: changed outside 7", "1 unknown: as it was when its history began 7",
      ])
    #expect(try await store.text(of: 2) == Array(Self.document(1).utf8))
    #expect(try await Self.history(file).history(limit: 10) == history, "it is the same for the next one")
  }

  @Test("A request for the newest state gets its document at once, whoever wrote it")
  func readsWithHead() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("flags.json", Self.document(0))
    let (store, other) = (try Self.history(file), try Self.history(file))
    for number in 1...5 {
      try await other.publish(Array(Self.document(number).utf8), expecting: try await other.head(), note: Self.note)
      let head = try await store.head()
      #expect(store.current?.version == head?.revision.version)
      #expect(store.current?.text == Array(Self.document(number).utf8))
    }
  }

  @Test("If someone else writes the file while it is saved here, that is a conflict, and their text is a state")
  func meetsOtherWriter() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("flags.json", Self.document(0))
    let isArmed = Locked(false)
    // The time is asked for once the file was read, and before it is replaced.
    let store = try FileDefinitionHistory(following: file, polling: .seconds(60)) {
      let writes = isArmed.withLock { isArmed in
        defer { isArmed = false }
        return isArmed
      }
      if writes { Self.write(Self.document(1), to: file) }
      return 7
    }
    let failures = Locked<[String]>([])
    let subscription = store.subscribe { update in
      if case .failure(let error) = update { failures.withLock { $0.append("\(error)") } }
    }
    let head = try await store.head()
    isArmed.withLock { $0 = true }
    let error = await #expect(throws: DefinitionStoreError.self) {
      try await store.publish(Array(Self.document(2).utf8), expecting: head, note: Self.note)
    }
    #expect(error?.code == .conflict)
    #expect(
      try await store.history(limit: 10).map(\.note.reason) == ["changed outside", "as it was when its history began"])
    #expect(store.current?.text == Array(Self.document(1).utf8) && store.status.failure == nil)
    #expect(failures.withLock { $0 } == [])
    subscription.cancel()
  }

  private static func write(_ text: String, to file: URL) {
    do {
      try Data(text.utf8).write(to: file, options: .atomic)
    } catch {
      Issue.record(error)
    }
  }

  @Test("A text that cannot be served is no state, and is not replaced")
  func keepsNoBrokenText() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("flags.json", Self.document(0))
    let store = try Self.history(file)
    let head = try #require(try await store.head())
    try Data("{".utf8).write(to: file, options: .atomic)
    #expect(try await store.head() == head)
    let error = await #expect(throws: DefinitionStoreError.self) {
      try await store.publish(Array(Self.document(1).utf8), expecting: head, note: Self.note)
    }
    #expect(error?.code == .invalid)
    #expect(try Data(contentsOf: file) == Data("{".utf8))
    #expect(try await store.history(limit: 10) == [head.revision])
  }

  @Test(
    "If a program is killed while it saves, the document says whether the new state counts", arguments: [true, false])
  func survives(isWritten: Bool) async throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("flags.json", Self.document(0))
    _ = try Self.history(file)
    let states = FileDefinitionHistory.folder(beside: file)
    let second = try TemporaryFolder()
    let other = try second.file("flags.json", Self.document(0))
    let twin = try Self.history(other)
    try await twin.publish(Array(Self.document(1).utf8), expecting: try await twin.head(), note: Self.note)
    try FileManager.default.copyItem(
      at: FileDefinitionHistory.folder(beside: other).appending(path: "2.state"),
      to: states.appending(path: "2.pending"))
    if isWritten { try Data(Self.document(1).utf8).write(to: file, options: .atomic) }
    let history = try await Self.history(file).history(limit: 10)
    #expect(history.map(\.number) == (isWritten ? [2, 1] : [1]) && (history[0].note == Self.note) == isWritten)
    let left = try FileManager.default.contentsOfDirectory(atPath: states.path(percentEncoded: false))
    #expect(!left.contains("2.pending"))
    withExtendedLifetime((folder, second)) {}
  }

  @Test("Beside someone who writes the file without a rest, a history has a document from the beginning")
  func beginsBesideWriter() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("flags.json", Self.document(0))
    let isOver = Locked(false)
    let writer = DispatchGroup()
    DispatchQueue.global().async(group: writer) {
      var number = 0
      while !isOver.withLock({ $0 }) {
        number += 1
        #expect(throws: Never.self) { try Data(Self.document(number).utf8).write(to: file, options: .atomic) }
      }
    }
    for _ in 0..<50 { #expect(try Self.history(file).current != nil) }
    isOver.withLock { $0 = true }
    await withCheckedContinuation { done in writer.notify(queue: .global()) { done.resume() } }
  }

  @Test("A state that is none is an error with its path, and nothing is left of one that was not written to its end")
  func saysWhich() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("flags.json", Self.document(0))
    let states = FileDefinitionHistory.folder(beside: file)
    let store = try Self.history(file)
    // The next state is written under the same name.
    try Data("{\"auth".utf8).write(to: states.appending(path: ".2.pending.tmp"))
    try await store.publish(Array(Self.document(1).utf8), expecting: try await store.head(), note: Self.note)
    let left = try FileManager.default.contentsOfDirectory(atPath: states.path(percentEncoded: false))
    #expect(Set(left) == ["1.state", "2.state", "newest"])
    let broken = states.appending(path: "3.state")
    try Data().write(to: broken)
    let error = #expect(throws: DefinitionStoreError.self) { try Self.history(file) }
    #expect(error.map { "\($0)" }?.contains(broken.path(percentEncoded: false)) == true, "\(error as Any)")
  }

  @Test("Only the last states are kept, and numbers go on")
  func removesOldOnes() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("flags.json", Self.document(0))
    let store = try FileDefinitionHistory(following: file, keeping: 3) { 7 }
    for number in 1...5 {
      try await store.publish(Array(Self.document(number).utf8), expecting: try await store.head(), note: Self.note)
    }
    #expect(try await store.history(limit: 10).map(\.number) == [6, 5, 4])
    #expect(try await store.text(of: 3) == nil && store.current?.version == DefinitionVersion(rawValue: "6"))
  }

  private static let note = PublicationNote(author: "kim", reason: "why")

  private static func history(_ file: URL) throws -> FileDefinitionHistory {
    try FileDefinitionHistory(following: file, polling: .milliseconds(5)) { 7 }
  }

  private static func document(_ number: Int) -> String {
    #"{"flags": {"f": {"state": "ENABLED", "variants": {"on": \#(number)}, "defaultVariant": "on"}}}"#
  }
}

@Suite("Test users in a file")
struct FileTestUserStoreTests {
  @Test("Users are kept as lines beside the document, in order, for every process")
  func keeps() async throws {
    let folder = try TemporaryFolder()
    let file = FileTestUserStore.file(beside: folder.url.appending(path: "flags.json"))
    #expect(file.lastPathComponent == "flags.users.jsonl")
    let (one, other) = (FileTestUserStore(file), FileTestUserStore(file))
    try await one.refresh()
    #expect(one.current.isEmpty && !FileManager.default.fileExists(atPath: file.path(percentEncoded: false)))
    let ana = TestUser(name: "Ana", attributes: ["targetingKey": "ana", "countryCode": "es"])
    try await one.change { $0 + [ana] }
    try await other.change { $0 + [TestUser(name: "Ben", attributes: [:])] }
    try await one.refresh()
    #expect(one.current.map(\.name) == ["Ana", "Ben"] && one.current[0] == ana)
    #expect(
      try String(contentsOf: file, encoding: .utf8)
        == #"{"context":{"countryCode":"es","targetingKey":"ana"},"name":"Ana"}"# + "\n"
        + #"{"context":{},"name":"Ben"}"# + "\n")
  }

  @Test("A file that has no test users in it is said with its line, and is not replaced")
  func refuses() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("flags.users.jsonl", "{}\n[1]\n")
    let store = FileTestUserStore(file)
    for change in [{ try await store.refresh() }, { try await store.change { _ in [] } }] as [() async throws -> Void] {
      let error = await #expect(throws: FlagError.self) { try await change() }
      #expect(error?.message.hasSuffix("line 2: expected an object of attributes, found array") == true)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == "{}\n[1]\n")
  }

  @Test(
    "Lines are contexts with names, or attributes alone",
    arguments: [
      (#"{"name": "A", "context": {"a": 1}}"#, "A"), (#"{"targetingKey": "t", "a": 1}"#, "t"), (#"{"a": 1}"#, "User 1"),
      (#"{"name": "n", "a": 1}"#, "User 1"), ("\n\r\n {\"context\": {\"targetingKey\": \"x\"}}\r\n", "x"),
    ])
  func reads(line: String, name: String) throws { #expect(try TestUser.reading(lines: line).map(\.name) == [name]) }

  @Test("Users without a name get a number that nobody has; the same user is named as before")
  func numbersUsers() throws {
    let lines = "{\"name\": \"User 2\", \"context\": {}}\n{\"a\": 1}\n{\"a\": 2}\n"
    let users = try TestUser.reading(lines: lines)
    #expect(users.map(\.name) == ["User 2", "User 3", "User 4"])
    let more = try TestUser.reading(lines: "{\"a\": 5}\n{\"a\": 2}", besides: users)
    #expect(more.map(\.name) == ["User 1", "User 4"])
  }

  @Test("There are at most a thousand users, and a mebibyte of them")
  func isBounded() throws {
    let many = String(repeating: "{}\n", count: 1001)
    #expect(throws: FlagError.self) { try TestUser.reading(lines: many) }
    #expect(try TestUser.reading(lines: String(many.dropLast(3))).count == 1000)
    let long = #"{"a": ""# + String(repeating: "a", count: 1 << 20) + #""}"#
    #expect(throws: FlagError.self) { try TestUser.reading(lines: long) }
  }
}
