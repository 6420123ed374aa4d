import Foundation

/// The metadata of a file, which distinguish its states without reading it.
struct FileStamp: Hashable, Sendable {
  /// A time, as the file system stores it.
  struct Time: Hashable {
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
  /// Reads the metadata of a file; nil if it does not exist, or permission is missing.
  init?(path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    self.init(status)
  }
}

extension FileStamp.Time {
  init(_ time: timespec) { self.init(seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec)) }
}
