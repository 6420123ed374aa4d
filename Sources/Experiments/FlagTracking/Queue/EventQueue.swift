import FlagDomain
import FlagEvents
import FlagFiles
import FlagFoundation

/// A queue of unsent events, in a folder that several processes may share.
///
/// A kill leaves the old queue or the new one. The sender holds a second lock, which is released with its process: a
/// batch is sent by one process at a time. All methods block their thread.
struct EventQueue: Sendable {
  private let folder: URL
  private let file: SharedFile

  init(in folder: URL) {
    self.folder = folder
    file = SharedFile(folder.appending(path: "queue.jsonl"), mode: 0o600)
  }

  private func makeFolder() throws(FlagError) {
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      let message = "\(folder.path): expected a folder, or that one can be made: \(error.words)"
      throw FlagError(.general, message, provider: .tracking)
    }
  }

  /// Runs a closure with the queue, while no other process or thread changes it.
  func open<Result>(_ body: (inout OpenQueue) throws(FlagError) -> Result) throws(FlagError) -> Result {
    try makeFolder()
    let result: Swift.Result<Result, FlagError>
    do throws(FileError) {
      result = try file.withExclusiveAccess { file throws(FileError) in
        Swift.Result { () throws(FlagError) in
          var queue = try OpenQueue(file)
          return try body(&queue)
        }
      }
    } catch {
      throw failure(error)
    }
    return try result.get()
  }

  /// Returns the sender's lock; nil if another process or tracker holds it.
  func takeSendingLock() throws(FlagError) -> FileLock? {
    try makeFolder()
    do throws(FileError) {
      return try FileLock.take(folder.appending(path: ".sending.lock"))
    } catch {
      throw failure(error)
    }
  }

  /// Returns an error with the folder, so that the same cause is the same error for all files in it.
  private func failure(_ error: FileError) -> FlagError { .tracking("\(folder.path): \(error.message)") }
}

extension FlagError {
  init(_ error: FileError) { self.init(.general, "\(error)", provider: .tracking) }
}

extension String {
  static let tracking = "tracking"
}
