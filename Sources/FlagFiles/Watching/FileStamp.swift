import Foundation

/// What tells one state of a file from another without reading it.
struct FileStamp: Hashable, Sendable {
  /// A point in time, as the file system keeps it.
  struct Time: Hashable {
    let seconds: Int64
    let nanoseconds: Int64
  }

  let device: Int64
  let file: UInt64
  let size: Int64
  /// When the content changed last.
  let modified: Time
  /// When the content, the owner, the mode or the name changed last.
  let changed: Time
}

extension FileStamp {
  /// Looks at a file; nil if there is none, or it may not be looked at.
  init?(path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    self.init(status)
  }
}

extension FileStamp.Time {
  init(_ time: timespec) { self.init(seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec)) }
}
