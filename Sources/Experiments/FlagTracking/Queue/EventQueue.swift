import FlagDomain
import FlagEvents
import FlagFiles
import Foundation

/// A queue of unsent events, in a folder that several processes may share.
///
/// A kill leaves the old queue or the new one. The sender holds a second lock, which is released with its process: a
/// batch is sent by one process at a time. All methods block their thread.
struct EventQueue: Sendable {
  private let folder: URL
  private let file: SharedFile

  init(in folder: URL) throws(FlagError) {
    self.folder = folder
    file = SharedFile(folder.appending(path: "queue.jsonl"), mode: 0o600)
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw FlagError(.general, "\(folder.path): expected a folder, or that one can be made: \(error)")
    }
  }
}

extension EventQueue {
  /// Runs a closure with the queue, while no other process or thread changes it.
  func open<Result>(_ body: (inout OpenQueue) throws(FlagError) -> Result) throws(FlagError) -> Result {
    let result: Swift.Result<Result, FlagError>
    do throws(FileError) {
      result = try file.withExclusiveAccess { file throws(FileError) in
        Swift.Result { () throws(FlagError) in
          var queue = try OpenQueue(file)
          return try body(&queue)
        }
      }
    } catch {
      throw FlagError(error)
    }
    return try result.get()
  }

  /// Returns the sender's lock; nil if another process or tracker holds it.
  func takeSendingLock() throws(FlagError) -> FileLock? {
    do throws(FileError) {
      return try FileLock.take(folder.appending(path: ".sending.lock"))
    } catch {
      throw FlagError(error)
    }
  }
}

extension FlagError {
  init(_ error: FileError) { self.init(.general, "\(error)", provider: .tracking) }
}

extension String {
  static let tracking = "tracking"
}
