import Dispatch
import FlagDomain
package import Foundation

/// Passes a file's content to a closure, and each new content, until it is closed or released.
///
/// It watches before it reads, so that no edit is lost between the two. Of several edits in quick succession, the last
/// one is always delivered; the same content, or the same error, is not delivered twice in a row.
package final class FileFollower: Sendable {
  private let watcher: FileWatcher
  private let end: @Sendable () -> Void

  /// Starts to follow a file, and delivers its content before it returns.
  ///
  /// The first calls of the closures are on the caller's thread; all others are on a queue of the follower's own, one
  /// at a time, with no lock held. The content of a file that is written in place may be partial, or empty, if its
  /// writer keeps it open for longer than the settling time, or if something else happens to it meanwhile, such as that
  /// another writer closes it; it is delivered again when that writer is done.
  ///
  /// An error of a content is reported once the file has not changed for twice the settling time, or for twenty times
  /// that if its writer has not closed it: a slow write is then one error or none.
  ///
  /// - Parameters:
  ///   - file: The file, which need not exist.
  ///   - known: The content that the caller has read already, which is not delivered again.
  ///   - settling: The time for a writer that keeps the file open to close it, before its changes are read.
  ///   - polling: The time between two looks at the file without an event, for file systems that report none; nil for
  ///     none.
  ///   - system: The source of the file's events.
  ///   - onContent: Receives the file's bytes, or the reason why they are unavailable, or why it can no longer be
  ///     watched; throws an error if it cannot use them.
  ///   - onError: Receives the error of a content that is the last one for long enough: the first at once.
  /// - Throws: A `FileError` if the file's directory cannot be watched, or the system's limit is reached.
  package init<Failure: Error>(
    _ file: SharedFile, known: Data? = nil, settling: Duration = .milliseconds(50),
    polling: Duration? = .seconds(30), system: WatcherSystem = .standard,
    onContent: @escaping @Sendable (Result<Data, FileError>) throws(Failure) -> Void,
    onError: @escaping @Sendable (Failure) -> Void
  ) throws(FileError) {
    let queue = DispatchQueue.ofFile
    let latest = LatestContent(last: known.map { .success($0) }, onContent: onContent, onError: onError)
    end = { latest.close() }
    watcher = try FileWatcher(
      file.path, settling: settling, polling: polling, system: system, queue: queue
    ) { change in
      let pause = settling * (change.isInProgress ? 20 : 2)
      let report: Report = { work in system.schedule(pause, queue, work) }
      latest.notify(Result { () throws(FileError) in try file.read() }, report)
      if let error = change.error { latest.notify(.failure(error), report) }
      latest.begin()
    }
  }

  /// Starts to follow a file whose every content can be used, see the initializer above.
  package convenience init(
    _ file: SharedFile, known: Data? = nil, settling: Duration = .milliseconds(50),
    polling: Duration? = .seconds(30), system: WatcherSystem = .standard,
    onContent: @escaping @Sendable (Result<Data, FileError>) -> Void
  ) throws(FileError) {
    try self.init(
      file, known: known, settling: settling, polling: polling, system: system, onContent: onContent,
      onError: { (_: Never) in })
  }
}

extension FileFollower {
  /// Stops following: when this returns, no closure is running, and none will be called again.
  ///
  /// Called by a closure itself, it ends the calls after this one. The closures must not wait for another thread that
  /// closes its follower.
  package func close() {
    end()
    watcher.close()
  }
}

/// A function that runs a report after a pause, on the follower's queue.
private typealias Report = (_ work: @escaping @Sendable () -> Void) -> Void

/// Delivers contents that differ from the last one, and the error of one that stays.
private final class LatestContent<Failure: Error>: Sendable {
  private struct State {
    var last: Result<Data, FileError>?
    /// The number of contents so far.
    var number = 0
    var hasBegun = false
    var isClosed = false
  }

  private let state: Locked<State>
  private let onContent: @Sendable (Result<Data, FileError>) throws(Failure) -> Void
  private let onError: @Sendable (Failure) -> Void

  init(
    last: Result<Data, FileError>?, onContent: @escaping @Sendable (Result<Data, FileError>) throws(Failure) -> Void,
    onError: @escaping @Sendable (Failure) -> Void
  ) {
    state = Locked(State(last: last))
    self.onContent = onContent
    self.onError = onError
  }

  /// Delivers a content if it is new, and has its error reported; the watcher makes one call at a time.
  func notify(_ content: Result<Data, FileError>, _ report: Report) {
    let (isNew, number, hasBegun) = state.withLock { state in
      let isNew = state.last != content
      state.last = content
      state.number += isNew ? 1 : 0
      return (isNew, state.number, state.hasBegun)
    }
    guard isNew else { return }
    do throws(Failure) {
      try onContent(content)
    } catch {
      if hasBegun { report { [weak self] in self?.tell(error, of: number) } } else { onError(error) }
    }
  }

  /// Ends the time in which errors are reported at once.
  func begin() { state.withLock { $0.hasBegun = true } }

  func close() { state.withLock { $0.isClosed = true } }

  /// Reports the error of a content, unless another one has come.
  private func tell(_ error: Failure, of number: Int) {
    if state.withLock({ !$0.isClosed && $0.number == number }) { onError(error) }
  }
}
