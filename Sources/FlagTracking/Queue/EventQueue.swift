import FlagDomain
import FlagFiles
import Foundation

/// A queue of unsent events, in a folder that several processes may share.
///
/// A change replaces the whole file while a lock is held, so that a kill leaves the old queue or the new one. The
/// sender holds a second lock, which is released with its process: a batch is sent by one process at a time.
struct EventQueue: Sendable {
  private let folder: URL
  private let file: SharedFile

  init(in folder: URL) throws(FlagError) {
    self.folder = folder
    file = SharedFile(folder.appending(path: "queue.jsonl"), limit: 32 << 20, mode: 0o600)
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw FlagError(.general, "\(folder.path): expected a folder, or that one can be made: \(error)")
    }
  }
}

extension EventQueue {
  func content() throws(FlagError) -> QueueContent {
    do {
      return QueueContent(Array(try file.read()))
    } catch  where error.reason == .missing {
      return QueueContent()
    } catch {
      throw FlagError(error)
    }
  }

  /// Updates the file by ``QueueContent/append(_:within:loss:)``.
  func append(
    _ batches: [QueueContent.Batch], within options: TrackingOptions,
    loss: (Int) throws(FlagError) -> QueueContent.Batch
  ) throws(FlagError) -> Int {
    var lost = 0
    try change { content throws(FlagError) in lost = try content.append(batches, within: options, loss: loss) }
    return lost
  }

  /// Replaces a batch by others that no other process can have begun to send; an empty array removes it.
  func replace(_ id: String, with others: [QueueContent.Batch] = []) throws(FlagError) {
    try change { _ = $0.replace(id, with: others) }
  }

  func clear() throws(FlagError) { try change { $0 = QueueContent() } }

  /// Returns the sender's lock; nil if another process or tracker holds it.
  func takeSendingLock() throws(FlagError) -> FileLock? {
    do throws(FileError) {
      return try FileLock.take(folder.appending(path: ".sending.lock"))
    } catch {
      throw FlagError(error)
    }
  }

  private func change(_ edit: (inout QueueContent) throws(FlagError) -> Void) throws(FlagError) {
    try file.update({ FlagError($0) }) { data throws(FlagError) in
      let old = QueueContent(Array(data ?? Data()))
      var new = old
      try edit(&new)
      return new == old ? nil : Data(new.bytes)
    }
  }
}

extension FlagError {
  init(_ error: FileError) { self.init(.general, "\(error)", provider: .tracking) }
}

extension String {
  static let tracking = "tracking"
}
