import FlagDomain
package import Foundation

/// Passes a file's content to a closure, and each new content, until it is closed or released.
///
/// It watches first and reads then, so that no edit is lost between the two. Of several edits in quick succession the
/// last one is handed over for certain; the same content, or the same error, is not handed over twice in a row.
package final class FileFollower: Sendable {
  private let watcher: FileWatcher

  /// Begins to follow a file, and hands over its content before it returns.
  ///
  /// The first call of the closure is on the caller's thread; all others are on a queue of the follower's own, one at a
  /// time, with no lock held. A file that is written in place may be handed over half written, or empty, where its
  /// writer keeps it open for longer than it takes to settle, or where something else happens to it meanwhile, such as
  /// that another writer closes it; it is handed over again when that writer is done.
  ///
  /// - Parameters:
  ///   - file: The file, which need not exist.
  ///   - known: What the caller has read already, and is not handed over again.
  ///   - settling: How long a writer that keeps the file open is left to close it, before its writing counts.
  ///   - system: What tells of changes.
  ///   - onContent: Is handed the file's bytes, or why there are none, or that it can no longer be watched.
  /// - Throws: A `FileError` when the file's directory cannot be watched, or the system's limit is reached.
  package init(
    _ file: SharedFile, known: Data? = nil, settling: Duration = .milliseconds(50),
    system: WatcherSystem = .standard, onContent: @escaping @Sendable (Result<Data, FileError>) -> Void
  ) throws(FileError) {
    let news = News(last: known.map { .success($0) }, onContent)
    watcher = try FileWatcher(file.path, settling: settling, system: system) { error in
      news.tell(Result { () throws(FileError) in try file.read() })
      if let error { news.tell(.failure(error)) }
    }
  }
}

extension FileFollower {
  /// Ends the following: when this returns, the closure is not running, and will not be called again.
  ///
  /// Called by the closure itself, it ends the calls after this one. The closure must not wait for another thread that
  /// closes its follower.
  package func close() { watcher.close() }
}

/// Hands over what differs from what was handed over last.
private final class News: Sendable {
  private let last: Locked<Result<Data, FileError>?>
  private let onContent: @Sendable (Result<Data, FileError>) -> Void

  init(last: Result<Data, FileError>?, _ onContent: @escaping @Sendable (Result<Data, FileError>) -> Void) {
    self.last = Locked(last)
    self.onContent = onContent
  }

  /// Hands something over; the watcher makes one call at a time.
  func tell(_ content: Result<Data, FileError>) {
    let isNew = last.withLock { last in
      defer { last = content }
      return last != content
    }
    if isNew { onContent(content) }
  }
}
