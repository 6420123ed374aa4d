import FlagFiles
import FlagFoundation
import FlagSupport

/// A file whose lock is held, so that its parts can be read and written in place.
///
/// A program that is killed during a write leaves the part that it had written. To leave the old content or the new
/// one, replace the file, or write so that a reader notices.
struct LockedFile {
  fileprivate let file: SharedFile
  /// The file behind all links.
  fileprivate let target: String
  fileprivate let activity: ExpiringActivity
}

extension SharedFile {
  /// Runs a closure while no other writer writes the file.
  func withExclusiveAccess<Result>(
    _ body: (LockedFile) throws(FileError) -> Result
  ) throws(FileError) -> Result {
    let target = try target()
    return try withLock(beside: target) { activity throws(FileError) in
      try body(LockedFile(file: self, target: target, activity: activity))
    }
  }
}

extension LockedFile: QueueFile {
  func size() throws(FileError) -> Int? {
    do {
      return try access(.read, O_RDONLY | O_NONBLOCK) { file throws(FileError.Reason) in
        Int(clamping: try file.status().st_size)
      }
    } catch  where error.reason == .missing {
      return nil
    }
  }

  func bytes(from start: Int, to end: Int) throws(FileError) -> [UInt8] {
    try access(.read, O_RDONLY | O_NONBLOCK) { file throws(FileError.Reason) in
      Array(try file.contents(from: start, to: end))
    }
  }

  /// After a failure, some bytes may be written.
  func write(_ bytes: [UInt8], at offset: Int) throws(FileError) {
    try change { file throws(FileError.Reason) in
      try FileError.check { lseek(file.number, off_t(offset), SEEK_SET) }
      try file.append(Data(bytes))
    }
  }

  func truncate(to size: Int) throws(FileError) {
    try change { file throws(FileError.Reason) in try file.truncate(to: size) }
  }

  /// Replaces the file atomically.
  func replace(with bytes: [UInt8]) throws(FileError) {
    let old = try size() == nil ? nil : access(.read, O_RDONLY) { file throws(FileError.Reason) in try file.status() }
    if activity.hasExpired { throw FileError(.write, target, .suspended) }
    try file.replace(target, with: Data(bytes), as: old.map { (target, $0) })
  }

  private func change(
    _ body: (borrowing FileDescriptor) throws(FileError.Reason) -> Void
  ) throws(FileError) {
    if activity.hasExpired { throw FileError(.write, target, .suspended) }
    try access(.write, O_RDWR, body)
  }

  private func access<Result>(
    _ operation: FileError.Operation, _ flags: Int32,
    _ body: (borrowing FileDescriptor) throws(FileError.Reason) -> Result
  ) throws(FileError) -> Result {
    do throws(FileError.Reason) {
      let file = try FileDescriptor(target, flags | O_NOFOLLOW)
      guard try file.status().st_mode & S_IFMT == S_IFREG else { throw .special }
      let result = try body(file)
      try file.finish()
      return result
    } catch {
      throw FileError(operation, file.path, error)
    }
  }
}
