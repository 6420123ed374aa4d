import FlagComposition
import FlagDomain
import FlagProviders
import Foundation
import TestSupport
import Testing

@Suite("Overrides that several programs share", .timeLimit(.minutes(15)))
final class SharedOverridesTests {
  private let flag = Flag("shared.count", default: 0, "A number.")
  private let folder = FileManager.default.temporaryDirectory.appending(path: "shared-overrides-\(UUID().uuidString)")
  private var file: URL { folder.appending(path: "overrides.json") }

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

  deinit { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }

  @Test("What another store changes in the file is a change like any other, while the program runs")
  func notices() async throws {
    let flags = try compose(overrides: FileOverrideStore(file, polling: .milliseconds(5))) {}
    let other = FileOverrideStore(file)
    var changes = flags.observer.changes().makeAsyncIterator()
    var values = flags.observer.values(of: flag).makeAsyncIterator()
    #expect(await values.next() == 0)
    let before = flags.snapshots.snapshot()
    try other.write([flag.key: 1, "another": true])
    #expect(
      await changes.next() == FlagChange(keys: .some([flag.key.name, "another"]), causes: [.override]))
    #expect(await values.next() == 1)
    #expect(flags.inspector.resolution(of: flag) == FlagResolution(1, reason: .override, provider: "overrides"))
    #expect(flags.overrides.overrides == [flag.key: 1, "another": true])
    #expect([before, flags.snapshots.snapshot()].map { $0.variation(for: flag) } == [0, 1])
    try other.write(["another": nil])
    #expect(await changes.next() == FlagChange(keys: .some(["another"]), causes: [.override]))
    try FileManager.default.removeItem(at: file)
    #expect(await changes.next() == FlagChange(keys: .some([flag.key.name]), causes: [.override]))
    #expect(await values.next() == 0)
    try flags.overrides.override(flag, with: 2)
    #expect(try other.load() == [flag.key: 2])
  }

  @Test("The file is followed for as long as anything of the client is held")
  func followsForPort() async throws {
    let observer = try compose(overrides: FileOverrideStore(file, polling: .milliseconds(5))) {}.observer
    try FileOverrideStore(file).write([flag.key: 1])
    for await value in observer.values(of: flag) where value == 1 { break }
  }

  @Test("What others override of a flag that needs a restart waits for it, and is on the list")
  func waitsForRestart() throws {
    let restart = Flag("needs-restart", default: 1, FlagMetadata(requiresRestart: true))
    let store = TellingStore()
    let flags = try FeatureFlagClient(catalogs: [FlagCatalog("app") { restart }], overrides: store) {}
    #expect(flags.manager.variation(for: restart) == 1)
    store.stored.withLock { $0 = [restart.key: 2] }
    store.notify(nil)
    #expect(flags.manager.variation(for: restart) == 1)
    #expect(flags.overrides.keysAwaitingRestart == [restart.key])
  }

  @Test("When nothing of the client is held any more, the store is no longer followed")
  func endsFollowing() throws {
    let store = TellingStore()
    do {
      let flags = try compose(overrides: store) {}
      #expect(store.isFollowed && flags.overrides.overrides == [:])
    }
    #expect(!store.isFollowed)
  }

  @Test("Two clients that override at once lose nothing of each other's, and end with the same")
  func converges() async throws {
    let clients = try ["a", "b"].map { name in
      (name: name, flags: try compose(overrides: FileOverrideStore(file, polling: .milliseconds(5))) {})
    }
    try await withThrowingTaskGroup { group in
      for (name, flags) in clients {
        group.addTask {
          try await onThread {
            for number in 0..<100 {
              let key = try #require(FlagKey(validating: "\(name).n\(number)"))
              try flags.overrides.setOverrides([key: .int(Int128(number))])
              // One's own override is never undone by an older reading of the file.
              #expect(flags.overrides.overrides[key] == .int(Int128(number)))
            }
          }
        }
      }
      try await group.waitForAll()
    }
    for (_, flags) in clients {
      let changes = flags.observer.changes()
      if flags.overrides.overrides.count == 200 { continue }
      for await _ in changes where flags.overrides.overrides.count == 200 { break }
    }
    #expect(try FileOverrideStore(file).load() == clients[0].flags.overrides.overrides)
    #expect(clients[0].flags.overrides.overrides == clients[1].flags.overrides.overrides)
  }

  #if compiler(>=6.3) && (os(macOS) || os(Linux))
    @Test("Overrides reach another process, and its overrides arrive")
    func spansProcesses() async throws {
      let flags = try compose(overrides: FileOverrideStore(file, polling: .milliseconds(5))) {}
      let answer = Flag("answer", default: "", "")
      await withTaskGroup { [path = file.path] group in
        group.addTask {
          await #expect(processExitsWith: .success) { [path = path as String] in
            limitThisProcess()
            let question = Flag("question", default: "", "")
            let flags = try compose(overrides: FileOverrideStore(URL(filePath: path))) {}
            try flags.overrides.setOverrides(["answer": "here"])
            for await text in flags.observer.values(of: question) where text == "there?" { break }
            try flags.overrides.setOverrides(["answer": "yes"])
          }
        }
        for await text in flags.observer.values(of: answer) where text == "here" { break }
        #expect(throws: Never.self) { try flags.overrides.setOverrides(["question": "there?"]) }
        for await text in flags.observer.values(of: answer) where text == "yes" { break }
      }
      #expect(try FileOverrideStore(file).load() == ["answer": "yes", "question": "there?"])
    }
  #endif

  @Test("While the file is broken the overrides stay, and that is reported once")
  func keepsGoodOverrides() async throws {
    let reporter = TellingReporter()
    let flags = try compose(reporter: reporter, overrides: FileOverrideStore(file, polling: .milliseconds(5))) {}
    try flags.overrides.override(flag, with: 1)
    var errors = reporter.errors.stream.makeAsyncIterator()
    for texts in [["{"], ["{", "[]"]] {
      for text in texts { try Data(text.utf8).write(to: file, options: .atomic) }
      let error = await errors.next()
      #expect(error?.code == .parseError)
      #expect(error?.localizedDescription.contains("\(file.path): ") == true)
      #expect(flags.manager.variation(for: flag) == 1)
    }
    try Data(#"{"shared.count": 2}"#.utf8).write(to: file, options: .atomic)
    for await value in flags.observer.values(of: flag) where value == 2 { break }
    reporter.errors.continuation.finish()
    #expect(await errors.next() == nil)
  }

  @Test("All overrides are cleared in the file, those included that were not noticed yet")
  func clears() throws {
    let store = TellingStore()
    let flags = try compose(overrides: store) {}
    try flags.overrides.override(flag, with: 1)
    store.stored.withLock { $0["unnoticed"] = 1 }
    try flags.overrides.clearOverrides()
    #expect(store.stored.withLock { $0 } == [:])
  }

  @Test("A store may report changes within its own write, which count when that has returned")
  func tellsWithinWrites() throws {
    let store = TellingStore()
    let flags = try compose(overrides: store) {}
    store.adds.withLock { $0 = ["other": 2] }
    try flags.overrides.override(flag, with: 1)
    #expect(flags.overrides.overrides == [flag.key: 1, "other": 2])
    #expect(flags.manager.variation(for: flag) == 1)
  }

  @Test("A store that cannot be followed, or no longer, is reported, and works")
  func reportsBlindness() throws {
    let (refusal, end) = (FlagError(.general, "no watch"), FlagError(.general, "no watch any more"))
    let reporter = RecordingReporter()
    let store = TellingStore(refusal)
    let flags = try compose(reporter: reporter, overrides: store) {}
    try flags.overrides.override(flag, with: 1)
    #expect(flags.manager.variation(for: flag) == 1)
    let followed = TellingStore()
    let others = try compose(reporter: reporter, overrides: followed) {}
    followed.notify(end)
    #expect(reporter.errors == [refusal, end])
    #expect(others.overrides.overrides == [:])
  }

  @Test("Those who hear of others' overrides, or of a failure, may override in turn")
  func allowsOverridesInTurn() throws {
    let store = TellingStore()
    let reporter = OverridingReporter()
    let flags = try compose(reporter: reporter, overrides: store) {}
    reporter.overrides.withLock { $0 = flags.overrides }
    store.failure.withLock { $0 = FlagError(.general, "unreadable") }
    store.notify(nil)
    #expect(flags.overrides.overrides == ["reported": true])
  }
}

/// A store that others write to, too.
private final class TellingStore: FlagOverrideStore {
  let stored = Locked<[FlagKey: FlagValue]>([:])
  /// The overrides that other programs add during the next write.
  let adds = Locked<[FlagKey: FlagValue]>([:])
  let failure = Locked<FlagError?>(nil)
  private let refusal: FlagError?
  private let listener = Locked<(@Sendable (FlagError?) -> Void)?>(nil)

  init(_ refusal: FlagError? = nil) { self.refusal = refusal }

  var isFollowed: Bool { listener.withLock { $0 != nil } }

  func notify(_ error: FlagError?) {
    let listener = listener.withLock { $0 }
    listener?(error)
  }

  func load() throws(FlagError) -> [FlagKey: FlagValue] {
    if let failure = failure.withLock({ $0 }) { throw failure }
    return stored.withLock { $0 }
  }

  func write(_ values: [FlagKey: FlagValue?]) {
    let added = adds.withLock { $0 }
    stored.withLock { stored in
      for (key, value) in values { stored[key] = value }
      stored.merge(added) { _, new in new }
    }
    if !added.isEmpty { notify(nil) }
  }

  func subscribe(_ onChange: @escaping @Sendable (FlagError?) -> Void) throws(FlagError) -> FlagSubscription {
    if let refusal { throw refusal }
    listener.withLock { $0 = onChange }
    return FlagSubscription { [weak self] in self?.listener.withLock { $0 = nil } }
  }
}

/// Tells what fails as it comes.
private final class TellingReporter: FlagErrorReporter {
  let errors = AsyncStream.makeStream(of: FlagError.self)
  func report(_ error: FlagError) { errors.continuation.yield(error) }
}

/// Overrides a flag whenever something fails.
private final class OverridingReporter: FlagErrorReporter {
  let overrides = Locked<(any FlagOverriding)?>(nil)

  func report(_ error: FlagError) {
    #expect(throws: Never.self) { try overrides.withLock { $0 }?.setOverrides(["reported": true]) }
  }
}
