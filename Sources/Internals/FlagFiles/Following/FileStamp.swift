import FlagSupport

/// The metadata of a file, which distinguish its states without reading it.
struct FileStamp: Equatable, Sendable {
  /// A time, as the file system stores it.
  struct Time: Equatable {
    let seconds: Int64
    let nanoseconds: Int64
  }

  let device: Int64
  let file: UInt64
  let size: Int64
  /// The time of the last change of the content.
  let modified: Time
  /// The time of the last change of the content, the owner, the mode or the name.
  let changed: Time
}

extension FileStamp {
  /// Reads the metadata of the file behind all links; nil if it does not exist, or permission is missing.
  init?(path: String) {
    var status = stat()
    guard SystemPath.read(&status, of: path) == 0 else { return nil }
    device = Int64(truncatingIfNeeded: status.st_dev)
    file = UInt64(status.st_ino)
    size = Int64(status.st_size)
    #if canImport(Darwin)
      (modified, changed) = (Time(status.st_mtimespec), Time(status.st_ctimespec))
    #else
      (modified, changed) = (Time(status.st_mtim), Time(status.st_ctim))
    #endif
  }
}

extension FileStamp.Time {
  fileprivate init(_ time: timespec) { self.init(seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec)) }
}
