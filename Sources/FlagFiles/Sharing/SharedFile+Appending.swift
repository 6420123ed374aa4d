import Foundation

extension SharedFile {
  /// Adds lines at the end of the file, which it makes if need be, while no other writer of this kind does.
  ///
  /// It is safe to repeat after a failure or a kill: a last line without its end, which a writer that was killed has
  /// left, is removed first, and a line that is among the last ones of the file is not added again: those in four times
  /// as many bytes as are to be added, and some more.
  ///
  /// - Parameter lines: The lines, each different from the others, without line feeds.
  /// - Throws: A `FileError` that says why they could not be added; then some may be.
  package func append(lines: [[UInt8]]) throws(FileError) {
    let target = try target()
    try withLock(beside: target) { activity throws(FileError) in
      do throws(FileError.Reason) {
        try append(lines: lines, to: target, during: activity)
      } catch {
        throw FileError(.write, path, error)
      }
    }
  }

  private func append(
    lines: [[UInt8]], to target: String, during activity: ExpiringActivity
  ) throws(FileError.Reason) {
    let file = try FileDescriptor(target, O_RDWR | O_CREAT | O_NOFOLLOW, mode: mode)
    let status = try file.status()
    guard status.st_mode & S_IFMT == S_IFREG else { throw .special }
    let size = Int(clamping: status.st_size)
    let searched = 4 * lines.reduce(0) { $0 + $1.count } + (64 << 10)
    let tail = Array(try file.contents(from: max(0, size - searched), to: size))
    let end = tail.lastIndex(of: Self.lineFeed).map { $0 + 1 } ?? 0
    // A tail without any line feed in so many bytes is no file of lines, and is left alone.
    if end == 0, size > tail.count { throw .tooLarge(limit: searched) }
    let known = Set(tail[..<end].split(separator: Self.lineFeed))
    var added = Data()
    for line in lines where !known.contains(line[...]) {
      added.append(contentsOf: line)
      added.append(Self.lineFeed)
    }
    if activity.hasExpired { throw .suspended }
    try file.truncate(to: size - (tail.count - end))
    try file.append(added)
    if isDurable { try file.flush(calls.flushes) }
    try file.finish()
  }

  private static var lineFeed: UInt8 { UInt8(ascii: "\n") }
}

extension FileDescriptor {
  /// Returns the bytes of a part of the file, or fewer where it has become shorter.
  fileprivate func contents(from start: Int, to end: Int) throws(FileError.Reason) -> Data {
    try FileError.check { lseek(number, off_t(start), SEEK_SET) }
    var data = Data(count: end - start)
    var count = 0
    while count < data.count {
      // The system writes into what is left of the buffer, whose bounds go with it.
      let added = try FileError.check {
        data.withUnsafeMutableBytes { bytes in
          let room = UnsafeMutableRawBufferPointer(rebasing: bytes[count...])
          return read(number, room.baseAddress, room.count)
        }
      }
      if added == 0 { break }
      count += added
    }
    return data.prefix(count)
  }

  /// Makes the file so many bytes long, and goes to its end.
  fileprivate func truncate(to size: Int) throws(FileError.Reason) {
    try FileError.check { ftruncate(number, off_t(size)) }
    try FileError.check { lseek(number, off_t(size), SEEK_SET) }
  }
}
