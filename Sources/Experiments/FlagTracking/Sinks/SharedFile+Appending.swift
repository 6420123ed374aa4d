import FlagFiles
import FlagFoundation
import FlagSupport

extension SharedFile {
  /// Appends lines to the file, which is created if it is missing, while no other writer of this kind writes.
  ///
  /// It is safe to repeat after a failure or a kill: an incomplete last line of a writer that was killed is removed
  /// first, and a line that is among the last ones of the file is not added again. It searches four times as many bytes
  /// as there are to add, and some more.
  ///
  /// - Parameter lines: The lines, each different from the others, without line feeds.
  /// - Throws: A `FileError` with the reason why they could not be added; some may have been.
  func append(lines: [[UInt8]]) throws(FileError) {
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
    // If so many bytes contain no line feed, this is not a file of lines, and is not changed.
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
    try file.finish()
  }

  private static var lineFeed: UInt8 { UInt8(ascii: "\n") }
}

extension FileDescriptor {
  /// Returns the bytes of a part of the file, or fewer if it has become shorter.
  func contents(from start: Int, to end: Int) throws(FileError.Reason) -> Data {
    try FileError.check { lseek(number, off_t(start), SEEK_SET) }
    var data = Data(count: end - start)
    var count = 0
    while count < data.count {
      let added = try fill(&data, from: count)
      if added == 0 { break }
      count += added
    }
    return data.prefix(count)
  }
}
