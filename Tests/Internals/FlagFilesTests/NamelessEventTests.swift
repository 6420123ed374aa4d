import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import FlagFiles

@Suite("Events that name nothing, as kqueue's", .timeLimit(.minutes(15)))
struct NamelessEventTests {
  private let folder: TemporaryFolder
  private let schedule = ManualSchedule()

  init() throws { folder = try TemporaryFolder() }

  @Test(
    "Flags of kqueue become events: a name in a directory, a writer that may go on, or a change",
    arguments: [
      (.write, true, .unnamed), (.link, true, .unnamed), ([.write, .extend], true, .unnamed),
      (.attributes, true, .changed), ([.write, .delete], true, .changed), (.revoke, true, .changed),
      (.write, false, .modified), (.extend, false, .modified), ([.write, .attributes], false, .modified),
      (.attributes, false, .changed), (.link, false, .changed), (.rename, false, .changed),
      ([.write, .delete], false, .changed),
    ] as [(WatchEvent.VnodeFlags, Bool, WatchEvent.Kind)])
  func readsFlags(flags: WatchEvent.VnodeFlags, isDirectory: Bool, kind: WatchEvent.Kind) {
    let event = WatchEvent(vnode: flags.rawValue, of: 3, isDirectory: isDirectory)
    #expect(event == WatchEvent(kind: kind, number: 3, name: ""))
  }

  @Test("A neighbor's changes are one look at the file after the settling time, which does not call the closure")
  func passesOverNeighbors() async throws {
    // By a process that is gone, so that no child of another test closes the file later.
    try await folder.run("printf 1 > flags.json")
    let url = folder.url("flags.json")
    let calls = Atomic(0)
    let watcher = try watch(url) { calls.add(1, ordering: .relaxed) }
    try await folder.run("for i in 1 2 3 4 5 6 7 8 9; do : > neighbor$i; done; mv neighbor1 moved; rm neighbor2")
    let look = try #require(await schedule.next())
    #expect(look.delay == .milliseconds(50))
    look.run()
    // The system's events for the last neighbors may arrive after the check, and are one more.
    while schedule.count > 0 { await schedule.next()?.run() }
    #expect(calls.load(ordering: .relaxed) == 1)
    try await folder.run("printf 2 > new; mv new flags.json")
    while calls.load(ordering: .relaxed) == 1 { await schedule.next()?.run() }
    watcher.close()
  }

  @Test("Writing in place is read once the settling time is over")
  func debouncesWriting() async throws {
    // By a process that is gone, so that no child of another test closes the file later.
    try await folder.run("printf 1 > flags.json")
    let url = folder.url("flags.json")
    let calls = Atomic(0)
    let watcher = try watch(url) { calls.add(1, ordering: .relaxed) }
    try await folder.run("exec 3> flags.json; for i in 1 2 3 4 5; do printf $i >&3; done")
    #expect(calls.load(ordering: .relaxed) == 1)
    while calls.load(ordering: .relaxed) == 1 {
      let look = try #require(await schedule.next())
      #expect(look.delay == .milliseconds(50))
      look.run()
    }
    // The system's event for the last write may arrive after the check, and is one more.
    while schedule.count > 0 { await schedule.next()?.run() }
    #expect((2...3).contains(calls.load(ordering: .relaxed)))
    watcher.close()
  }

  private func watch(_ url: URL, onChange: @escaping @Sendable () -> Void) throws -> FileWatcher {
    let system = WatcherSystem(watches: .nameless, schedule: schedule.schedule)
    return try FileWatcher(url.path, system: system) { _ in onChange() }
  }
}

@Suite("Files that may not be read for a while", .timeLimit(.minutes(15)))
struct DeniedFileTests {
  /// A file that may not be read, as a test says.
  private final class Denial: Sendable {
    let isOver = Atomic(false)
    let calls = Atomic(0)
  }

  private let folder: TemporaryFolder
  private let schedule = ManualSchedule()
  private let denial = Denial()
  private var calls: Int { denial.calls.load(ordering: .relaxed) }

  init() throws { folder = try TemporaryFolder() }

  @Test("A file that may not be read is tried after 1, 2, 4 seconds and at last every minute, until it may be")
  func triesAgain() async throws {
    let watcher = try await watch()
    for delay in [1, 2, 4, 8, 16, 32, 60, 60] {
      let attempt = try #require(await schedule.nextAttempt())
      #expect(attempt.delay == .seconds(delay))
      attempt.run()
    }
    #expect(calls == 1)
    denial.isOver.store(true, ordering: .relaxed)
    await schedule.nextAttempt()?.run()
    #expect(calls == 2)
    #expect(await schedule.hasNoAttempt())
    watcher.close()
  }

  @Test("An event while a file may not be read begins no second series of attempts")
  func triesOnce() async throws {
    let watcher = try await watch()
    let attempt = try #require(await schedule.nextAttempt())
    try folder.write("2", to: "flags.json")
    while calls == 1 { await schedule.next()?.run() }
    #expect(await schedule.hasNoAttempt())
    attempt.run()
    #expect(await schedule.nextAttempt()?.delay == .seconds(2))
    watcher.close()
  }

  @Test("A watcher that was closed makes no further attempt")
  func endsAttempts() async throws {
    let watcher = try await watch()
    let attempt = try #require(await schedule.nextAttempt())
    watcher.close()
    denial.isOver.store(true, ordering: .relaxed)
    attempt.run()
    #expect(await schedule.hasNoAttempt())
    #expect(calls == 1)
  }

  @Test(
    "A file that others may not read is recognized, and one that is missing or readable is none", .needs(.ordinaryUser))
  func recognizesDenial() throws {
    let url = try folder.write("1", to: "flags.json")
    let system = WatcherSystem()
    #expect(!system.isDenied(url.path) && !system.isDenied(url.path + "x"))
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: url.path)
    #expect(system.isDenied(url.path))
  }

  private func watch() async throws -> FileWatcher {
    // By a process that is gone, so that no child of another test closes the file later, which is an event.
    try await folder.run("printf 1 > flags.json")
    let url = folder.url("flags.json")
    let system = WatcherSystem(
      watches: .nameless, schedule: schedule.schedule,
      isDenied: { [denial] _ in !denial.isOver.load(ordering: .relaxed) })
    return try FileWatcher(url.path, system: system) { [denial] _ in denial.calls.add(1, ordering: .relaxed) }
  }
}
