import FlagDomain
import FlagProviders
import FlagTesting
import Foundation
import Synchronization
import Testing

@Suite("JSON file provider")
struct JSONFileProviderTests {
  private let folder: TemporaryFolder
  private let watcher = ManualWatcher()
  private let errors = Recorder<FlagError>()

  init() throws { folder = try TemporaryFolder() }

  @Test("Meets the contract of every provider")
  func meetsContract() async throws {
    let file = try folder.file(
      "flags.json", #"{"feed": {"page-size": 20, "list": [1, {"s": "x"}]}, "feed.ranking": "new"}"#)
    var contract = ProviderContract(
      try provider(file), present: ["feed.page-size": 20, "feed.ranking": "new", "feed.list.1.s": "x"],
      absent: "feed.list.2")
    contract.change = .init(to: ["feed.page-size": 30, "feed.ranking": nil as FlagValue?, "feed.list.1.s": "y"]) {
      _ = try folder.file("flags.json", #"{"feed": {"page-size": 30, "list": [1, {"s": "y"}]}}"#)
      watcher.announce()
    }
    try await contract.check()
    #expect(errors.events.isEmpty)
  }

  @Test(
    "A broken file keeps the last good values, and says where it is broken",
    arguments: [
      ("{\"on\": tru", "line 1, column"), ("", "line 1, column 1"), ("{\n  \"on\" true}", "line 2, column 8"),
    ])
  func keepsGoodValues(text: String, place: String) throws {
    let file = try folder.file("flags.json", #"{"on": true}"#)
    let provider = try provider(file)
    _ = try folder.file("flags.json", text)
    watcher.announce()
    #expect(provider.snapshot().value(of: "on") == true)
    #expect(errors.events.map(\.code) == [.parseError])
    #expect(errors.events.first?.message.hasPrefix("\(file.path): \(place)") == true, "\(errors.events)")
    #expect(throws: FlagError.self) { try provider.reload() }
    _ = try folder.file("flags.json", #"{"on": false}"#)
    watcher.announce()
    #expect(provider.snapshot().value(of: "on") == false)
  }

  @Test("A file that is removed keeps the last good values, and says so")
  func survivesRemoval() throws {
    let file = try folder.file("flags.json", #"{"on": true}"#)
    let provider = try provider(file)
    try FileManager.default.removeItem(at: file)
    watcher.announce()
    #expect(provider.snapshot().value(of: "on") == true)
    #expect(errors.events.map(\.code) == [.general])
  }

  @Test("A file that is missing or broken from the start is an error", arguments: [nil, "[1,"])
  func refusesBadFiles(text: String?) throws {
    let file = try text.map { try folder.file("flags.json", $0) } ?? folder.url.appending(path: "missing.json")
    #expect(throws: FlagError.self) { try provider(file) }
  }

  @Test("Exactly the keys of what differs are told of")
  func tellsOfDifferences() throws {
    let file = try folder.file("flags.json", #"{"a": {"b": 1, "c": [1, 2]}, "d": 1}"#)
    let provider = try provider(file)
    let told = Recorder<ChangedKeys>()
    let subscription = provider.subscribe { told.record($0) }
    _ = try folder.file("flags.json", #"{"a": {"b": 1, "c": [1, 3]}, "d": 1, "x.y": 2}"#)
    watcher.announce()
    watcher.announce()
    #expect(told.events == [.some(["a", "a.c", "a.c.1", "x.y", "x\\.y"])])
    subscription.cancel()
  }

  @Test("A provider that is let go of stops watching")
  func stopsWatching() throws {
    let file = try folder.file("flags.json", "{}")
    _ = try provider(file)
    #expect(watcher.listeners == 0)
  }

  @Test("The system's watcher notices writing, replacing, removing and making again")
  func watches() async throws {
    let file = try folder.file("flags.json", #"{"step": 0}"#)
    let (failures, failed) = AsyncStream.makeStream(of: FlagError.self)
    let provider = try JSONFileProvider(contentsOf: file, onError: { failed.yield($0) })
    let (changes, changed) = AsyncStream.makeStream(of: ChangedKeys.self)
    let subscription = provider.subscribe { changed.yield($0) }
    var steps = changes.makeAsyncIterator()

    _ = try folder.file("flags.json", #"{"step": 1}"#)
    _ = await steps.next()
    #expect(provider.snapshot().value(of: "step") == 1)

    try Data(#"{"step": 2}"#.utf8).write(to: file, options: .atomic)
    _ = await steps.next()
    #expect(provider.snapshot().value(of: "step") == 2)

    try FileManager.default.removeItem(at: file)
    for await failure in failures where failure.code == .general { break }
    #expect(provider.snapshot().value(of: "step") == 2)

    _ = try folder.file("flags.json", #"{"step": 3}"#)
    _ = await steps.next()
    #expect(provider.snapshot().value(of: "step") == 3)
    subscription.cancel()
  }

  @Test("A folder that does not exist cannot be watched")
  func refusesMissingFolders() {
    let file = folder.url.appending(path: "missing/flags.json")
    #expect(throws: FlagError.self) { try FileWatcher().watch(file) {} }
  }

  private func provider(_ file: URL) throws(FlagError) -> JSONFileProvider {
    try JSONFileProvider(contentsOf: file, watcher: watcher, onError: { [errors] in errors.record($0) })
  }
}

/// Announces changes when a test says so.
private final class ManualWatcher: FileWatching {
  private let closures = Mutex<[Int: @Sendable () -> Void]>([:])

  var listeners: Int { closures.withLock { $0.count } }

  func watch(_ file: URL, _ onChange: @escaping @Sendable () -> Void) -> FlagSubscription {
    let id = closures.withLock { closures in
      closures[closures.count] = onChange
      return closures.count - 1
    }
    return FlagSubscription { [weak self] in self?.closures.withLock { _ = $0.removeValue(forKey: id) } }
  }

  func announce() { for onChange in closures.withLock({ $0.values }) { onChange() } }
}
