import FlagDomain
package import Foundation

/// Passes a file's content to a closure, and each new content, until it is closed or released.
///
/// It watches before it reads, so that no edit is lost between the two. Of several edits in quick succession, the last
/// one is always delivered; the same content, or the same error, is not delivered twice in a row.
package final class FileFollower: Sendable {
  private let watcher: FileWatcher

  /// Starts to follow a file, and delivers its content before it returns.
  ///
  /// The first call of the closure is on the caller's thread; all others are on a queue of the follower's own, one at a
  /// time, with no lock held. The content of a file that is written in place may be partial, or empty, if its writer
  /// keeps it open for longer than the settling time, or if something else happens to it meanwhile, such as that
  /// another writer closes it; it is delivered again when that writer is done.
  ///
  /// - Parameters:
  ///   - file: The file, which need not exist.
  ///   - known: The content that the caller has read already, which is not delivered again.
  ///   - settling: The time for a writer that keeps the file open to close it, before its changes are read.
  ///   - system: The source of the file's events.
  ///   - onContent: Receives the file's bytes, or the reason why they are unavailable, or why it can no longer be
  ///     watched.
  /// - Throws: A `FileError` if the file's directory cannot be watched, or the system's limit is reached.
  package init(
    _ file: SharedFile, known: Data? = nil, settling: Duration = .milliseconds(50),
    system: WatcherSystem = .standard, onContent: @escaping @Sendable (Result<Data, FileError>) -> Void
  ) throws(FileError) {
    let latest = LatestContent(last: known.map { .success($0) }, onContent)
    watcher = try FileWatcher(file.path, settling: settling, system: system) { error in
      latest.notify(Result { () throws(FileError) in try file.read() })
      if let error { latest.notify(.failure(error)) }
    }
  }
}

extension FileFollower {
  /// Stops following: when this returns, the closure is not running, and will not be called again.
  ///
  /// Called by the closure itself, it ends the calls after this one. The closure must not wait for another thread that
  /// closes its follower.
  package func close() { watcher.close() }
}

/// Delivers contents that differ from the last one.
private final class LatestContent: Sendable {
  private let last: Locked<Result<Data, FileError>?>
  private let onContent: @Sendable (Result<Data, FileError>) -> Void

  init(last: Result<Data, FileError>?, _ onContent: @escaping @Sendable (Result<Data, FileError>) -> Void) {
    self.last = Locked(last)
    self.onContent = onContent
  }

  /// Delivers a content if it is new; the watcher makes one call at a time.
  func notify(_ content: Result<Data, FileError>) {
    let isNew = last.withLock { last in
      defer { last = content }
      return last != content
    }
    if isNew { onContent(content) }
  }
}
