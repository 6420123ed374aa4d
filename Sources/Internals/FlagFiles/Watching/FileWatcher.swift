import Dispatch
import FlagDomain
import Foundation

/// Detects all changes of a file, in whichever way it is changed.
///
/// The file may be written to, replaced, removed, created again, linked to, and become readable; any directory or link
/// on its path may be, too, and need not exist at first. On Linux, a file system may be mounted over the path, or
/// unmounted. What the system does not report is detected by looking at the file from time to time: changes by another
/// computer on a network file system, writes through a memory map, mounts on other systems, changes in a directory
/// without read permission.
///
/// A file without read permission is retried after 1, 2, 4 seconds and so on, up to every minute: on a locked device
/// its protection ends without an event.
final class FileWatcher: Sendable {
  private struct State {
    var isClosed = false
    /// The kinds of events for which a call is scheduled.
    var expected: Set<WatchEvent.Kind> = []
    /// The target of the path at the last check.
    var seen: Target?
    /// The pause before the next attempt to read a file without permission; nil if no attempt is scheduled.
    var pause: Duration?
  }

  private struct Target: Equatable {
    let path: String
    let end: ResolvedPath.End
    let stamp: FileStamp?
    var failure: FileError.Reason?
  }

  /// A reason to read the file.
  struct Change: Sendable {
    /// Why changes may be missed from now on; nil if the file is watched.
    let error: FileError?
    /// Whether the file may be in the middle of a change: its writer has not closed it, or is unknown.
    let isInProgress: Bool
  }

  private let path: String
  private let settling: Duration
  private let system: WatcherSystem
  private let onChange: @Sendable (Change) -> Void
  private let state = Locked(State())
  private let queue: DispatchQueue
  private let onQueue = DispatchSpecificKey<Bool>()

  /// Watches a file, and calls a closure before it returns, and then whenever the file may have changed.
  ///
  /// The first call is on the caller's thread; all others are on the queue, one at a time, with no lock held. A change
  /// during a call leads to another one. A call may be spurious.
  ///
  /// - Parameters:
  ///   - path: The file, from the root.
  ///   - settling: The time for a writer that keeps the file open to close it, before its changes count.
  ///   - polling: The time between two looks at the file without an event; nil for none.
  ///   - system: The source of the file's events.
  ///   - queue: The queue of the calls, a serial one.
  ///   - onChange: Receives each change.
  /// - Throws: A `FileError` if the file's directory cannot be watched, or the system's limit is reached.
  init(
    _ path: String, settling: Duration = .milliseconds(50), polling: Duration? = nil,
    system: WatcherSystem = .standard, queue: DispatchQueue = .ofFile, onChange: @escaping @Sendable (Change) -> Void
  ) throws(FileError) {
    self.path = path
    self.settling = settling
    self.system = system
    self.queue = queue
    self.onChange = onChange
    queue.setSpecific(key: onQueue, value: true)
    system.watches.addListener(ObjectIdentifier(self)) { [weak self] kind in self?.expect(kind) }
    let error = queue.sync {
      let error = watch()
      if error == nil { announce(Change(error: nil, isInProgress: false)) }
      return error
    }
    if let error { throw error }
    if let polling { poll(every: polling) }
  }

  /// Stops watching; a call in progress may continue.
  deinit { system.watches.removeListener(ObjectIdentifier(self)) }
}

extension DispatchQueue {
  /// A new queue for the changes of one file.
  static var ofFile: DispatchQueue { DispatchQueue(label: "flag file", target: .global()) }
}

extension FileWatcher {
  /// Stops watching: when this returns, no call is in progress, and none will follow.
  ///
  /// Called by the closure itself, it ends the calls after this one. The closure must not wait for another thread that
  /// closes its watcher.
  func close() {
    state.withLock { $0.isClosed = true }
    system.watches.removeListener(ObjectIdentifier(self))
    if DispatchQueue.getSpecific(key: onQueue) == nil { queue.sync {} }
  }

  /// Schedules a call of the closure, unless one is scheduled that will see the change.
  private func expect(_ kind: WatchEvent.Kind) {
    guard state.withLock({ $0.expected.insert(kind).inserted }) else { return }
    // A directory in which others write all the time is checked once in a while, too.
    let delay = kind == .modified || kind == .unnamed ? settling : .zero
    system.schedule(delay, queue) { [weak self] in self?.call(kind) }
  }

  private func call(_ kind: WatchEvent.Kind) {
    let (isClosed, old) = state.withLock { state in
      state.expected.remove(kind)
      return (state.isClosed, state.seen)
    }
    if isClosed { return }
    let error = watch()
    // A change of a neighbor does not affect the file, which has events of its own.
    let new = state.withLock { $0.seen }
    if kind == .unnamed, old == new { return }
    // A file that was replaced is whole, as far as anyone can tell.
    let isReplaced = kind == .unnamed && old?.stamp?.file != new?.stamp?.file
    announce(Change(error: error, isInProgress: kind == .modified || kind == .unnamed && !isReplaced))
  }

  private func announce(_ change: Change) {
    onChange(change)
    tryAgainIfDenied()
  }

  /// Looks at the file after each of some pauses, as after an event that names nothing.
  private func poll(every pause: Duration) {
    system.schedule(pause, queue) { [weak self] in
      guard let self, !state.withLock({ $0.isClosed }) else { return }
      call(.unnamed)
      poll(every: pause)
    }
  }
}

extension FileWatcher {
  private static let longestPause = Duration.seconds(60)

  /// Schedules the next check of a file without read permission, unless one is scheduled.
  private func tryAgainIfDenied() {
    guard system.isDenied(path) else { return state.withLock { $0.pause = nil } }
    let pause = state.withLock { state -> Duration? in
      guard state.pause == nil else { return nil }
      state.pause = .seconds(1)
      return state.pause
    }
    if let pause { tryAgain(after: pause) }
  }

  private func tryAgain(after pause: Duration) {
    system.schedule(pause, queue) { [weak self] in
      guard let self, state.withLock({ !$0.isClosed && $0.pause != nil }) else { return }
      if system.isDenied(path) {
        let next = min(pause * 2, Self.longestPause)
        state.withLock { $0.pause = next }
        tryAgain(after: next)
      } else {
        state.withLock { $0.pause = nil }
        announce(Change(error: watch(), isInProgress: false))
      }
    }
  }
}

extension FileWatcher {
  /// Watches every name that decides which file the path leads to, and the file, and stops all other watches.
  ///
  /// A directory is watched before a name is looked up in it, and the file before it is read: a later change is an
  /// event, which leads here again.
  private func watch() -> FileError? {
    var watched: Set<Watch> = []
    do throws(FileError.Reason) {
      let resolved = try ResolvedPath(of: path) { step throws(FileError.Reason) in
        let watch = try attempt { watches, id throws(FileError.Reason) in
          try watches.watch(step.name, in: step.directory, for: id)
        }
        let entry = step.entry()
        if case .failure(let error) = watch, entry == .file { throw error }
        if case .success(let watch?) = watch { watched.insert(watch) }
        return entry
      }
      if resolved.end == .file {
        let watch = try attempt { watches, id throws(FileError.Reason) in
          try watches.watch(file: resolved.path, for: id)
        }
        if case .success(let watch?) = watch { watched.insert(watch) }
      }
      see(resolved)
    } catch {
      see(ResolvedPath(of: path) { $0.entry() }, failure: error)
      return FileError(.watch, path, error)
    }
    system.watches.keep(watched, for: ObjectIdentifier(self))
    return nil
  }

  private func see(_ resolved: ResolvedPath, failure: FileError.Reason? = nil) {
    let target = Target(
      path: resolved.path, end: resolved.end, stamp: FileStamp(path: resolved.path), failure: failure)
    state.withLock { $0.seen = target }
  }

  /// Tries to watch a file or directory for which permission may be missing, and throws every other error.
  private func attempt(
    _ watch: (SharedWatches, ObjectIdentifier) throws(FileError.Reason) -> Watch?
  ) throws(FileError.Reason) -> Result<Watch?, FileError.Reason> {
    do throws(FileError.Reason) {
      return .success(try watch(system.watches, ObjectIdentifier(self)))
    } catch {
      switch error {
      // It was moved after the look-up. That was an event of a directory above, which leads here again.
      case .missing, .system(ENOTDIR), .system(ELOOP): return .success(nil)
      case .system(EACCES), .system(EPERM): return .failure(error)
      default: throw error
      }
    }
  }
}
