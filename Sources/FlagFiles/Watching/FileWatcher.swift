import Dispatch
import FlagDomain
import Foundation

/// Notices that a file changes, whichever way it does.
///
/// The file may be written to, replaced, removed, made again, linked to, and become readable; any directory or link on
/// the way to it may be, too, and need not exist at first. What is not noticed: changes by another computer on a
/// network's file system, writing through a memory map, and a file system that is mounted over the way. A directory
/// that may not be read cannot be watched: what happens to the directories in it is not noticed.
///
/// A file that may not be read is tried again after 1, 2, 4 seconds and so on, at last every minute: on a locked device
/// its protection ends without an event.
package final class FileWatcher: Sendable {
  private struct State {
    var isClosed = false
    /// The kinds of events for which a call is on its way.
    var expected: Set<WatchEvent.Kind> = []
    /// What the path led to when it was looked at last.
    var seen: Target?
    /// The pause before the next attempt to read a file that may not be read; nil if none is waited for.
    var pause: Duration?
  }

  private struct Target: Equatable {
    let path: String
    let end: ResolvedPath.End
    let stamp: FileStamp?
  }

  private let path: String
  private let settling: Duration
  private let system: WatcherSystem
  private let onChange: @Sendable (FileError?) -> Void
  private let state = Locked(State())
  private let queue = DispatchQueue(label: "flag file", target: .global())
  private let onQueue = DispatchSpecificKey<Bool>()

  /// Watches a file, and calls a closure before it returns, and then whenever the file may have changed.
  ///
  /// The first call is on the caller's thread; all others are on a queue of the watcher's own, one at a time, with no
  /// lock held. What happens during a call leads to another one. A call may be without need.
  ///
  /// - Parameters:
  ///   - path: The file, from the root.
  ///   - settling: How long a writer that keeps the file open is left to close it, before its writing counts.
  ///   - system: What tells of changes.
  ///   - onChange: Is handed an error where changes may be missed from now on, since the file can no longer be watched.
  /// - Throws: A `FileError` when the file's directory cannot be watched, or the system's limit is reached.
  package init(
    _ path: String, settling: Duration = .milliseconds(50), system: WatcherSystem = .standard,
    onChange: @escaping @Sendable (FileError?) -> Void
  ) throws(FileError) {
    self.path = path
    self.settling = settling
    self.system = system
    self.onChange = onChange
    queue.setSpecific(key: onQueue, value: true)
    system.watches.addListener(ObjectIdentifier(self)) { [weak self] kind in self?.expect(kind) }
    let error = queue.sync {
      let error = watch()
      if error == nil { announce(nil) }
      return error
    }
    if let error { throw error }
  }

  /// Ends the calls; one that is being made may go on.
  deinit { system.watches.removeListener(ObjectIdentifier(self)) }
}

extension FileWatcher {
  /// Ends the calls: when this returns, none is being made, and none will be.
  ///
  /// Called by the closure itself, it ends the calls after this one. The closure must not wait for another thread that
  /// closes its watcher.
  package func close() {
    state.withLock { $0.isClosed = true }
    system.watches.removeListener(ObjectIdentifier(self))
    if DispatchQueue.getSpecific(key: onQueue) == nil { queue.sync {} }
  }

  /// Calls the closure soon, unless a call on its way will see what has happened.
  private func expect(_ kind: WatchEvent.Kind) {
    guard state.withLock({ $0.expected.insert(kind).inserted }) else { return }
    // A directory in which others write all the time is looked at once in a while, too.
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
    // What happened to a neighbor changes nothing about the file, which has events of its own.
    if kind == .unnamed, error == nil, old != nil, old == state.withLock({ $0.seen }) { return }
    announce(error)
  }

  private func announce(_ error: FileError?) {
    onChange(error)
    tryAgainIfDenied()
  }
}

extension FileWatcher {
  private static let longestPause = Duration.seconds(60)

  /// Looks at a file that may not be read again after a while, unless that is on its way.
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
        announce(watch())
      }
    }
  }
}

extension FileWatcher {
  /// Watches every name that decides which file the path leads to, and the file, and nothing else any more.
  ///
  /// A directory is watched before a name is looked up in it, and the file before it is read: what happens after that
  /// is an event, and leads here again.
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
      let target = Target(path: resolved.path, end: resolved.end, stamp: FileStamp(path: resolved.path))
      state.withLock { $0.seen = target }
    } catch {
      state.withLock { $0.seen = nil }
      return FileError(.watch, path, error)
    }
    system.watches.keep(watched, for: ObjectIdentifier(self))
    return nil
  }

  /// Tries to watch something that may not be permitted, and throws every other error.
  private func attempt(
    _ watch: (SharedWatches, ObjectIdentifier) throws(FileError.Reason) -> Watch?
  ) throws(FileError.Reason) -> Result<Watch?, FileError.Reason> {
    do throws(FileError.Reason) {
      return .success(try watch(system.watches, ObjectIdentifier(self)))
    } catch {
      switch error {
      // It was moved after it was looked up. That was an event of a directory above, which leads here again.
      case .missing, .system(ENOTDIR), .system(ELOOP): return .success(nil)
      case .system(EACCES), .system(EPERM): return .failure(error)
      default: throw error
      }
    }
  }
}
