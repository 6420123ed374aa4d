import Dispatch
import FlagDomain
import Foundation

@testable import FlagFiles

/// Watches files through the system, and hands its events on as those of a system that names nothing: a change in a
/// directory is one of some name, and a change of a file one by a writer that may not be done.
final class NamelessWatches: WatchSystem {
  private let system: SystemWatches
  private let files: FileNumbers

  init(_ onEvents: @escaping @Sendable ([WatchEvent]) -> Void) throws(FileError.Reason) {
    let files = FileNumbers()
    self.files = files
    system = try SystemWatches { events in onEvents(events.map(files.unnamed)) }
  }

  func add(directory: String) throws(FileError.Reason) -> Int32 { try system.add(directory: directory) }

  func add(file: String) throws(FileError.Reason) -> Int32 { files.insert(try system.add(file: file)) }

  func remove(_ number: Int32) { system.remove(number) }

  /// The numbers of the watches of files.
  private final class FileNumbers: Sendable {
    private let numbers = Locked<Set<Int32>>([])

    func insert(_ number: Int32) -> Int32 {
      numbers.withLock { _ = $0.insert(number) }
      return number
    }

    func unnamed(_ event: WatchEvent) -> WatchEvent {
      guard event.kind == .changed, let number = event.number else { return event }
      let isFile = numbers.withLock { $0.contains(number) }
      let kind: WatchEvent.Kind = isFile ? .modified : event.name.isEmpty ? .changed : .unnamed
      return WatchEvent(kind: kind, number: number, name: "")
    }
  }
}

extension SharedWatches {
  /// Which events a test's watchers receive.
  enum Kind: String, CaseIterable, Sendable {
    case system, nameless

    var watches: SharedWatches { self == .system ? .instance : .nameless }
  }

  /// One for all tests: there are few instances of inotify.
  static let nameless = SharedWatches { onEvents throws(FileError.Reason) in try NamelessWatches(onEvents) }
}

/// Keeps what a watcher wants to have run later, until a test runs it.
final class ManualSchedule: Sendable {
  /// Something that is to run after a delay.
  struct Entry: Sendable {
    let delay: Duration
    let run: @Sendable () -> Void
  }

  private let (entries, continuation) = AsyncStream.makeStream(of: Entry.self)
  private let pending = Locked(0)

  /// The number of entries that were not taken yet.
  var count: Int { pending.withLock { $0 } }

  /// Waits for the next entry.
  func next() async -> Entry? {
    for await entry in entries {
      pending.withLock { $0 -= 1 }
      return entry
    }
    return nil
  }

  /// Waits for the next attempt to read a file, and runs what is there because of events: nameless ones come from every
  /// directory on the way to the file, in which other tests work, too.
  func nextAttempt() async -> Entry? {
    while let entry = await next() {
      if entry.delay >= .seconds(1) { return entry }
      entry.run()
    }
    return nil
  }

  /// Runs what is there because of events, and returns whether no attempt was among it.
  func hasNoAttempt() async -> Bool {
    var hasNone = true
    while count > 0, let entry = await next() {
      if entry.delay >= .seconds(1) { hasNone = false } else { entry.run() }
    }
    return hasNone
  }

  var schedule: @Sendable (Duration, DispatchQueue, @escaping @Sendable () -> Void) -> Void {
    { delay, queue, work in
      self.pending.withLock { $0 += 1 }
      self.continuation.yield(Entry(delay: delay) { queue.sync(execute: work) })
    }
  }
}
