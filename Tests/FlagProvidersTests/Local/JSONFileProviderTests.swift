import FlagDomain
import FlagProviders
import FlagTesting
import Foundation
import TestSupport
import Testing

@Suite("JSON file provider", .timeLimit(.minutes(15)))
struct JSONFileProviderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("Meets the contract of every provider")
  func meetsContract() async throws {
    let file = try folder.file(
      "flags.json", #"{"feed": {"page-size": 20, "list": [1, {"s": "x"}]}, "feed.ranking": "new"}"#)
    let provider = try JSONFileProvider(contentsOf: file)
    var contract = ProviderContract(
      provider, present: ["feed.page-size": 20, "feed.ranking": "new", "feed.list.1.s": "x"], absent: "feed.size")
    contract.failing = ("feed.list.2", .typeMismatch)
    contract.change = .init(to: ["feed.page-size": 30, "feed.ranking": nil as FlagValue?, "feed.list.1.s": "y"]) {
      _ = try folder.file("flags.json", #"{"feed": {"page-size": 30, "list": [1, {"s": "y"}]}}"#)
      try provider.reload()
    }
    try await contract.check()
  }

  @Test(
    "A broken file keeps the last good values, and says where it is broken",
    arguments: [
      ("{\"on\": tru", "line 1, column"), ("", "line 1, column 1"), ("{\n  \"on\" true}", "line 2, column 8"),
    ])
  func keepsGoodValues(text: String, place: String) throws {
    let file = try folder.file("flags.json", #"{"on": true}"#)
    let provider = try JSONFileProvider(contentsOf: file)
    _ = try folder.file("flags.json", text)
    let error = #expect(throws: FlagError.self) { try provider.reload() }
    #expect(error?.code == .parseError && error?.message.hasPrefix("\(file.path): \(place)") == true, "\(error)")
    #expect(provider.snapshot().value(of: "on") == true)
    _ = try folder.file("flags.json", #"{"on": false}"#)
    try provider.reload()
    #expect(provider.snapshot().value(of: "on") == false)
  }

  @Test("A file that is missing or broken from the start is an error", arguments: [nil, "[1,"], [true, false])
  func refusesBadFiles(text: String?, isFollowed: Bool) throws {
    let file = try text.map { try folder.file("flags.json", $0) } ?? folder.url.appending(path: "missing/flags.json")
    let error = #expect(throws: FlagError.self) {
      _ = try isFollowed ? JSONFileProvider(following: file) { _ in } : JSONFileProvider(contentsOf: file)
    }
    let words = text == nil ? "expected a file that can be read: it does not exist" : "line 1, column 4"
    #expect(error?.message.hasPrefix("\(file.path): \(words)") == true, "\(error)")
  }

  @Test(
    "An optional file that is broken from the start is reported once, has no values, and is taken when it is mended")
  func startsWithBrokenFile() async throws {
    let file = try folder.file("flags.json", "[1,")
    let (changes, changed) = AsyncStream.makeStream(of: ChangedKeys.self)
    let errors = Recorder<FlagError>()
    let provider = try JSONFileProvider(following: file, isRequired: false) { errors.record($0) }
    #expect(errors.events.count == 1 && provider.snapshot().value(of: "on") == nil)
    let subscription = provider.subscribe { changed.yield($0) }
    try Data(#"{"on": true}"#.utf8).write(to: file, options: .atomic)
    var updates = changes.makeAsyncIterator()
    #expect(await updates.next() == .some(["on"]))
    #expect(errors.events.count == 1 && provider.snapshot().value(of: "on") == true)
    subscription.cancel()
  }

  @Test("Exactly the keys that differ are announced")
  func tellsOfDifferences() throws {
    let provider = try JSONFileProvider(
      contentsOf: folder.file("flags.json", #"{"a": {"b": 1, "c": [1, 2]}, "d": 1}"#))
    let received = Recorder<ChangedKeys>()
    let subscription = provider.subscribe { received.record($0) }
    _ = try folder.file("flags.json", #"{"a": {"b": 1, "c": [1, 3]}, "d": 1, "x.y": 2}"#)
    try provider.reload()
    try provider.reload()
    #expect(received.events == [.some(["a", "a.c", "a.c.1", "x.y", "x\\.y"])])
    subscription.cancel()
  }

  @Test("A file that is followed is read again when it changes, is removed, breaks, and is made again")
  func follows() async throws {
    let file = try folder.file("flags.json", #"{"step": 0}"#)
    let (failures, failed) = AsyncStream.makeStream(of: FlagError.self)
    let (changes, changed) = AsyncStream.makeStream(of: ChangedKeys.self)
    let provider = try JSONFileProvider(following: file, polling: .milliseconds(5)) { failed.yield($0) }
    let subscription = provider.subscribe { changed.yield($0) }
    var steps = changes.makeAsyncIterator()
    var errors = failures.makeAsyncIterator()

    _ = try folder.file("flags.json", #"{"step": 1}"#)
    #expect(await steps.next() == .some(["step"]))
    #expect(provider.snapshot().value(of: "step") == 1)

    try FileManager.default.removeItem(at: file)
    #expect(await errors.next()?.message == "\(file.path): expected a file that can be read: it does not exist")
    try Data("{".utf8).write(to: file, options: .atomic)
    #expect(await errors.next()?.code == .parseError)
    #expect(provider.snapshot().value(of: "step") == 1)

    try Data(#"{"step": 2}"#.utf8).write(to: file, options: .atomic)
    #expect(await steps.next() == .some(["step"]))
    #expect(provider.snapshot().value(of: "step") == 2)
    subscription.cancel()
  }

  @Test("A provider that is let go of is gone, while it follows a file")
  func isLetGoOf() throws {
    weak var gone: JSONFileProvider?
    do {
      let provider = try JSONFileProvider(following: folder.file("flags.json", "{}")) { _ in }
      gone = provider
      #expect(gone != nil)
      _ = consume provider
    }
    #expect(gone == nil)
  }

  @Test("A provider that is read once stays as it is")
  func readsOnce() throws {
    let provider = try JSONFileProvider(contentsOf: folder.file("flags.json", #"{"step": 0}"#))
    _ = try folder.file("flags.json", #"{"step": 1}"#)
    #expect(provider.snapshot().value(of: "step") == 0)
  }
}
