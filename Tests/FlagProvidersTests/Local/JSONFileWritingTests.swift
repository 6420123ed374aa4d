import FlagDomain
import FlagProviders
import FlagTesting
import Foundation
import Testing

@Suite("Writing to a JSON file")
struct JSONFileWritingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("Meets the contract of every provider")
  func meetsContract() async throws {
    let provider = try provider(#"{"a": {"b": 1}, "a.c": 2, "list": [1, 2]}"#)
    var contract = ProviderContract(provider, present: ["a.b": 1, "a.c": 2, "list.1": 2], absent: "d")
    contract.change = .init(
      to: ["a.b": nil as FlagValue?, "a.c": 3, "list.1": "x", "list.2": [], "x.y.z": true, "null": .some(.null)]
    ) {
      try provider.write([
        "a.b": nil as FlagValue?, "a.c": 3, "list.1": "x", "list.2": [], "x.y.z": true, "null": .some(.null),
      ])
    }
    try await contract.check()
    #expect(
      try FlagValue.written(in: folder) == [
        "a": [:], "a.c": 3, "list": [1, "x", []], "x": ["y": ["z": true]], "null": nil,
      ])
  }

  @Test("What others have written to the file stays")
  func keepsForeignChanges() throws {
    let provider = try provider(#"{"ours": 1}"#)
    _ = try folder.file("flags.json", #"{"ours": 1, "theirs": 2}"#)
    try provider.write(3, for: "ours")
    #expect(try FlagValue.written(in: folder) == ["ours": 3, "theirs": 2])
    #expect(provider.snapshot().value(of: "theirs") == 2)
  }

  @Test(
    "A write that leads nowhere changes nothing",
    arguments: [
      ("on.x", 1, "expected an object or a list around x of on.x, found boolean"),
      ("list.3", 1, "expected a place from 0 to 2 for list.3"),
      ("list.-1", 1, "expected a place from 0 to 2 for list.-1"),
      ("list.0", nil, "expected a place from 0 to 1 for list.0"),
    ] as [(FlagKey, FlagValue?, String)])
  func refuses(key: FlagKey, value: FlagValue?, message: String) throws {
    let provider = try provider(#"{"on": true, "list": [1, 2]}"#)
    #expect(throws: FlagError(.general, message, key: key)) { try provider.write(["a": 1, key: value]) }
    #expect(provider.snapshot().value(of: "a") == nil)
    #expect(try FlagValue.written(in: folder) == ["on": true, "list": [1, 2]])
  }

  @Test("A file that cannot be read or written is an error, and memory stays as it is")
  func refusesBrokenFiles() throws {
    let provider = try provider(#"{"on": true}"#)
    _ = try folder.file("flags.json", "{broken")
    #expect(throws: FlagError.self) { try provider.write(false, for: "on") }
    #expect(provider.snapshot().value(of: "on") == true)
    #expect(try Data(contentsOf: folder.url.appending(path: "flags.json")) == Data("{broken".utf8))
    _ = try folder.file("flags.json", #"{"on": true}"#)
    #expect(throws: FlagError.self) { try provider.write(.double(.nan), for: "on") }
    #expect(provider.snapshot().value(of: "on") == true)
  }

  @Test("Writes from several threads are all there in the end")
  func writesConcurrently() async throws {
    let provider = try provider("{}")
    try await withThrowingTaskGroup { group in
      for number in 0..<50 {
        group.addTask { try provider.write(true, for: FlagKey("key-\(number % 10).\(number)") ?? "never") }
      }
      try await group.waitForAll()
    }
    for number in 0..<50 {
      #expect(provider.snapshot().value(of: FlagKey("key-\(number % 10).\(number)") ?? "never") == true)
    }
  }

  private func provider(_ text: String) throws -> JSONFileProvider {
    try JSONFileProvider(contentsOf: folder.file("flags.json", text), watcher: nil)
  }
}

extension FlagValue {
  /// Returns what the file of a folder holds.
  fileprivate static func written(in folder: TemporaryFolder) throws -> FlagValue {
    try JSONDecoder().decode(FlagValue.self, from: Data(contentsOf: folder.url.appending(path: "flags.json")))
  }
}
