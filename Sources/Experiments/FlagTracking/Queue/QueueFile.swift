import FlagDomain
import FlagFiles

/// The file of a queue, which one thread at a time uses.
protocol QueueFile: Sendable {
  /// Returns the number of bytes; nil if there is no file.
  func size() throws(FileError) -> Int?
  /// Returns the bytes of a part, or fewer if the file is shorter.
  func bytes(from start: Int, to end: Int) throws(FileError) -> [UInt8]
  /// Writes bytes from an offset on, over those that are there.
  func write(_ bytes: [UInt8], at offset: Int) throws(FileError)
  /// Removes all bytes from an offset on.
  func truncate(to size: Int) throws(FileError)
  /// Replaces the file, or creates it.
  func replace(with bytes: [UInt8]) throws(FileError)
}

/// A file in memory, for a folder that cannot be written.
final class MemoryFile: QueueFile {
  private let content = Locked<[UInt8]?>(nil)

  func size() -> Int? { content.withLock { $0?.count } }

  func bytes(from start: Int, to end: Int) -> [UInt8] {
    content.withLock { Array(($0 ?? []).prefix(end).dropFirst(start)) }
  }

  func write(_ bytes: [UInt8], at offset: Int) {
    content.withLock { content in
      let old = content ?? []
      content = old.prefix(offset) + bytes + old.dropFirst(offset + bytes.count)
    }
  }

  func truncate(to size: Int) { content.withLock { $0 = $0.map { Array($0.prefix(size)) } } }

  func replace(with bytes: [UInt8]) { content.withLock { $0 = bytes } }
}
