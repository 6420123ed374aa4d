package import FlagFoundation
package import FlagSupport

/// An open file, which is closed at the end of its scope, and not inherited by other programs.
package struct FileDescriptor: ~Copyable {
  package let number: Int32

  package init(_ path: String, _ flags: Int32, mode: mode_t = 0) throws(FileError.Reason) {
    // C would end the name at a NUL, and so open another file.
    if path.utf8.contains(0) { throw .system(EINVAL) }
    number = try FileError.check { SystemPath.descriptor(of: path, flags, mode: mode) }
  }

  deinit { close(number) }

  package func status() throws(FileError.Reason) -> stat {
    var status = stat()
    try FileError.check { unsafe fstat(number, &status) }
    return status
  }

  /// Returns all bytes up to the end, given the expected number of them.
  func contents(limit: Int, expecting expected: Int) throws(FileError.Reason) -> Data {
    // One more than expected, so that the end is detected without growing.
    var data = Data(count: min(max(expected, 4095), limit) + 1)
    var count = 0
    while true {
      let added = try fill(&data, from: count)
      count += added
      if count > limit { throw .tooLarge(limit: limit) }
      if added == 0 { return data.prefix(count) }
      if count == data.count { data.count = min(2 * count, limit + 1) }
    }
  }

  /// Reads the next bytes into the rest of a buffer, and returns their number; zero is the end.
  package func fill(_ data: inout Data, from start: Int) throws(FileError.Reason) -> Int {
    // The system writes only into the rest of the buffer, whose bounds are passed along.
    try FileError.check {
      unsafe data.withUnsafeMutableBytes { bytes in
        let room = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[start...])
        return unsafe read(number, room.baseAddress, room.count)
      }
    }
  }

  /// Writes all bytes.
  package func append(_ data: Data) throws(FileError.Reason) {
    var rest = data
    while !rest.isEmpty {
      let written = try FileError.check {
        unsafe rest.withUnsafeBytes { unsafe write(number, $0.baseAddress, $0.count) }
      }
      rest = rest.dropFirst(written)
    }
  }

  /// Sets the size of the file, and moves to its end.
  package func truncate(to size: Int) throws(FileError.Reason) {
    try FileError.check { ftruncate(number, off_t(size)) }
    try FileError.check { lseek(number, off_t(size), SEEK_SET) }
  }

  /// Waits until all written data is on the disk, by the first call that the file system supports.
  func flush(_ calls: [@Sendable (Int32) -> Int32]) throws(FileError.Reason) {
    var unsupported: FileError.Reason?
    for call in calls {
      do throws(FileError.Reason) {
        try FileError.check { call(number) }
        return
      } catch {
        guard [.system(ENOTSUP), .system(EINVAL), .system(ENOTTY)].contains(error) else { throw error }
        unsupported = error
      }
    }
    if let unsupported { throw unsupported }
  }

  /// Closes the file, and throws the error of any write that failed until now.
  package consuming func finish() throws(FileError.Reason) {
    let number = number
    discard self
    // After an interruption, it is closed on Linux; closing it again might close another file.
    if close(number) == -1, errno != EINTR { throw .system(errno) }
  }
}
