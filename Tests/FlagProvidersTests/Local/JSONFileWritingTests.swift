import FlagDomain
import FlagJSON
import FlagProviders
import FlagTesting
import Foundation
import TestSupport
import Testing

@Suite("Writing to a JSON file", .timeLimit(.minutes(15)))
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
        "a.c": 3, "list": [1, "x", []], "x": ["y": ["z": true]], "null": .null,
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
      ("list.3", 1, "expected an index from 0 to 2 for list.3"),
      ("list.-1", 1, "expected an index from 0 to 2 for list.-1"),
      ("list.0", nil, "expected an index from 0 to 1 for list.0"),
      (
        "group", 3,
        "expected an object for group, found integer: it would replace the 2 field(s) there, which must be removed first"
      ),
      (
        "group", .some(.null),
        "expected an object for group, found null: it would replace the 2 field(s) there, which must be removed first"
      ),
    ] as [(FlagKey, FlagValue?, String)])
  func refuses(key: FlagKey, value: FlagValue?, message: String) throws {
    let old: FlagValue = ["on": true, "list": [1, 2], "group": ["x": 1, "y": 2]]
    let provider = try provider(#"{"on": true, "list": [1, 2], "group": {"x": 1, "y": 2}}"#)
    let path = folder.url.appending(path: "flags.json").path
    #expect(throws: FlagError(.general, "\(path): \(message)", key: key)) { try provider.write(["a": 1, key: value]) }
    #expect(provider.snapshot().value(of: "a") == nil)
    #expect(try FlagValue.written(in: folder) == old)
  }

  @Test("What is written is read back as it was, by the next start, too")
  func roundTrips() throws {
    let provider = try provider("{}")
    let values: [FlagKey: FlagValue] = [
      "past": try Date.distantPast.flagValue, "decimal": try Decimal(string: "1.10")?.flagValue ?? .null,
      "large": .int(Int128(UInt64.max)), "small": 1e-300, "text": "a\0b\u{1}\u{2028}\u{FFFE}\r",
      "deep": (0..<254).reduce(1) { value, _ in [value] }, "null": .null, "caf\u{e9}": 1,
    ]
    try provider.write(values.mapValues { $0 })
    let again = try JSONFileProvider(contentsOf: folder.url.appending(path: "flags.json"))
    for (key, value) in values { #expect(again.snapshot().value(of: key) == value, "\(key)") }
    #expect(try again.snapshot().value(of: "past")?.decode(as: Date.self) == .distantPast)
    #expect(try again.snapshot().value(of: "decimal")?.decode(as: Decimal.self) == Decimal(string: "1.1"))
  }

  @Test(
    "A write inserts, replaces and removes its own members in the way of their neighbours",
    arguments: [
      ("{\n  \"a\": 1.10,\n  \"c\": 2e0\n}\n", ["b": 3], "{\n  \"a\": 1.10,\n  \"b\": 3,\n  \"c\": 2e0\n}\n"),
      ("{\"a\":1.10,\"c\":2e0}", ["d.e": 3], "{\"a\":1.10,\"c\":2e0,\"d\": {\"e\":3}}"),
      (
        "{\n\t\"a\": {\n\t\t\"x\": 1.0\n\t}\n}", ["a.y": [1]],
        "{\n\t\"a\": {\n\t\t\"x\": 1.0,\n\t\t\"y\": [\n\t\t  1\n\t\t]\n\t}\n}"
      ),
      ("{\"a\": 1.10, \"b\": 2, \"c\": 3e0}", ["a": nil], "{\"b\": 2, \"c\": 3e0}"),
      ("{\"a\": 1.10, \"b\": 2, \"c\": 3e0}", ["b": nil, "c": nil], "{\"a\": 1.10}"),
      ("{\"a\": 1.10, \"b\": 2, \"b\": 3, \"c\": 4}", ["b": 5], "{\"a\": 1.10, \"b\": 2, \"b\": 5, \"c\": 4}"),
      ("{\"a\": 1.10, \"b\": 2, \"b\": 3, \"c\": 4}", ["b": nil], "{\"a\": 1.10, \"c\": 4}"),
      ("{\"l\": [1.0, 2, {\"x\": 3.0}]}", ["l.1": 5, "l.3": 6], "{\"l\": [1.0, 5, {\"x\": 3.0}, 6]}"),
      ("{\"l\": [1.0, 2, 3]}", ["l.2": nil, "l.1": nil], "{\"l\": [1.0]}"),
      ("{\"a\": 1.10}", ["a": 1.1], "{\"a\": 1.10}"),
      ("{\"b\": 1.0, \"d\": 2.0}", ["a": 0, "b": nil, "c": 3, "e": 4], "{\"a\": 0, \"c\": 3, \"d\": 2.0, \"e\": 4}"),
      ("{}", ["a.b": 1], "{\n  \"a\": {\n    \"b\": 1\n  }\n}"),
    ] as [(String, [FlagKey: FlagValue?], String)])
  func changesOwnBytes(old: String, values: [FlagKey: FlagValue?], new: String) throws {
    try provider(old).write(values)
    #expect(try String(contentsOf: folder.url.appending(path: "flags.json"), encoding: .utf8) == new)
  }

  @Test("Random writes leave the file with the values that the provider has, and other numerals as they are")
  func writesAtRandom() throws {
    var random = SeededGenerator(seed: 40)
    for _ in 0..<300 {
      let provider = try provider(#"{"keep": 1.10, "g": {"keep": 2.50, "a": 1}, "l": [1], "z": 3e0}"#)
      for _ in 0..<5 {
        let keys: [FlagKey] = ["a", "g.a", "g.b", "g.b.c", "l.0", "l.1", "h.i", "zz", "keep2"]
        let values: [FlagValue?] = [1, "x", nil, [:], [1.5], ["c": 1]]
        var changes: [FlagKey: FlagValue?] = [:]
        for key in keys.shuffled(using: &random).prefix(3) {
          changes.updateValue(values.randomElement(using: &random) ?? nil, forKey: key)
        }
        do throws(FlagError) {
          try provider.write(changes)
        } catch {
          #expect(error.code == .general)
        }
      }
      let text = try String(contentsOf: folder.url.appending(path: "flags.json"), encoding: .utf8)
      #expect(text.contains("1.10") && text.contains("2.50") && text.contains("3e0"))
      let again = try JSONFileProvider(contentsOf: folder.url.appending(path: "flags.json"))
      for key: FlagKey in ["a", "g", "l", "h", "zz", "keep2"] {
        #expect(again.snapshot().value(of: key) == provider.snapshot().value(of: key), "\(text)")
      }
    }
  }

  @Test("A group gives way to a value when it is removed by name, and an object to another object")
  func replacesGroups() throws {
    let provider = try provider(#"{"misc": {"plain": 5}}"#)
    try provider.write(["misc": ["other": 6]])
    #expect(try FlagValue.written(in: folder) == ["misc": ["other": 6]])
    try provider.write(nil, for: "misc")
    try provider.write(3, for: "misc")
    #expect(try FlagValue.written(in: folder) == ["misc": 3])
  }

  @Test("Removing leaves no empty objects around, and removes what stands under the whole key, too")
  func leavesNoEmptyParents() throws {
    let provider = try provider(
      #"{"a": {"b": {"c": 1}}, "a.b.c": 2, "rows": [{"x": 1}, {"y": 2}], "list": [1, 2, 3], "on": true}"#)
    try provider.write(["a.b.c": nil, "rows.0.x": nil, "list.1": nil, "list.2": nil, "on.x": nil, "new.x": nil])
    #expect(provider.snapshot().value(of: "a.b.c") == nil)
    #expect(try FlagValue.written(in: folder) == ["rows": [[:], ["y": 2]], "list": [1], "on": true])
  }

  @Test("A write makes a file that was deleted again, with the last good values", arguments: [true, false])
  func makesFileAgain(isFollowed: Bool) throws {
    let file = try folder.file("flags.json", #"{"a": {"b": 1}, "c": 2}"#)
    let provider =
      try isFollowed ? JSONFileProvider(following: file) { _ in } : JSONFileProvider(contentsOf: file)
    try FileManager.default.removeItem(at: file)
    try provider.write(3, for: "c")
    #expect(try FlagValue.written(in: folder) == ["a": ["b": 1], "c": 3])
    #expect(provider.snapshot().value(of: "a.b") == 1)
  }

  @Test("A file that need not exist is made by the first write", arguments: [true, false])
  func makesFile(isFollowed: Bool) throws {
    let file = folder.url.appending(path: "flags.json")
    let errors = Recorder<FlagError>()
    let provider =
      try isFollowed
      ? JSONFileProvider(following: file, name: "ours", isRequired: false) { errors.record($0) }
      : JSONFileProvider(contentsOf: file, name: "ours", isRequired: false)
    #expect(provider.name == "ours" && provider.snapshot().value(of: "a.b") == nil)
    try provider.write(1, for: "a.b")
    #expect(try FlagValue.written(in: folder) == ["a": ["b": 1]])
    #expect(errors.events == [])
  }

  @Test("A wrong container on a flag's way is a mismatch of that flag")
  func tellsOfWrongContainers() throws {
    let snapshot = try provider(#"{"misc": 3, "list": [1]}"#).snapshot()
    let error = FlagError(.typeMismatch, "expected an object or an array at \"misc\", found integer")
    #expect(throws: error) { try snapshot.answer(for: "misc.plain", in: EvaluationContext()) }
    #expect(throws: FlagError.self) { try snapshot.answer(for: "list.1", in: EvaluationContext()) }
    #expect(try snapshot.answer(for: "other.plain", in: EvaluationContext()) == nil)
  }

  @Test("A key of 400 names, which would make the file too deep to be read, is refused")
  func refusesDepth() throws {
    let provider = try provider(#"{"on": true}"#)
    let key = try #require(FlagKey(validating: Array(repeating: "a", count: 400).joined(separator: ".")))
    let error = #expect(throws: FlagError.self) { try provider.write(1, for: key) }
    #expect(error?.code == .typeMismatch)
    #expect(provider.snapshot().value(of: key) == nil)
    try provider.reload()
    #expect(provider.snapshot().value(of: "on") == true)
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

  @Test("200 and 200 writes by two providers, each from four threads, leave 400 values")
  func losesNoWrite() async throws {
    let file = try folder.file("flags.json", "{}")
    try await withThrowingTaskGroup { group in
      for name in ["a", "b"] {
        let provider = try JSONFileProvider(contentsOf: file)
        for thread in 0..<4 {
          group.addTask {
            for number in 0..<50 {
              try provider.write(true, for: FlagKey(validating: "\(name).\(thread).n\(number)") ?? "never")
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let provider = try JSONFileProvider(contentsOf: file)
    for name in ["a", "b"] {
      for key in (0..<200).map({ "\(name).\($0 / 50).n\($0 % 50)" }) {
        #expect(provider.snapshot().value(of: FlagKey(validating: key) ?? "never") == true, "\(key)")
      }
    }
  }

  @Test("A value that was written is never undone by an older reading of the file")
  func neverGoesBack() throws {
    let file = try folder.file("flags.json", #"{"step": 0}"#)
    let errors = Recorder<FlagError>()
    let provider = try JSONFileProvider(following: file, polling: .milliseconds(5)) { errors.record($0) }
    let received = Recorder<FlagValue?>()
    let subscription = provider.subscribe { [weak provider] _ in received.record(provider?.snapshot().value(of: "step"))
    }
    for step in 1...200 {
      try provider.write(.int(Int128(step)), for: "step")
      #expect(provider.snapshot().value(of: "step") == .int(Int128(step)))
    }
    #expect(received.events == (1...200).map { .int(Int128($0)) })
    #expect(errors.events == [])
    subscription.cancel()
  }

  @Test("A subscriber may write during a notification, and is notified of that")
  func writesWhileTold() throws {
    let provider = try provider(#"{"a": 0}"#)
    let received = Recorder<ChangedKeys>()
    let subscription = provider.subscribe { [weak provider] keys in
      received.record(keys)
      if keys.contains("a") { #expect(throws: Never.self) { try provider?.write(1, for: "b") } }
    }
    try provider.write(1, for: "a")
    #expect(received.events == [.some(["a"]), .some(["b"])])
    subscription.cancel()
  }

  private func provider(_ text: String) throws -> JSONFileProvider {
    try JSONFileProvider(contentsOf: folder.file("flags.json", text))
  }
}

extension FlagValue {
  /// Returns what the file of a folder holds.
  fileprivate static func written(in folder: TemporaryFolder) throws -> FlagValue {
    let data = try Data(contentsOf: folder.url.appending(path: "flags.json"))
    return try FlagValue.reading(json: data)
  }
}
