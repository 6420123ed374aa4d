import FlagFiles
import FlagFoundation
import FlagSupport

/// An unnamed file for data that does not fit into memory; it is removed when it is closed or the process ends.
///
/// Only this process can open it, and one thread at a time may use it.
final class TemporaryFile {
  private let file: FileDescriptor
  private let directory: String
  /// The number of bytes that were written.
  private(set) var count = 0
  /// The number of bytes that were read.
  private var position = 0

  init(in directory: String) throws(FileError) {
    self.directory = directory
    let path = "\(directory)/\(UUID().uuidString)"
    do throws(FileError.Reason) {
      file = try FileDescriptor(path, O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
      try FileError.check { SystemPath.remove(path) }
    } catch {
      throw FileError(.write, directory, error)
    }
  }

  func append(_ bytes: [UInt8]) throws(FileError) {
    do throws(FileError.Reason) {
      var rest = bytes[...]
      while !rest.isEmpty {
        let offset = off_t(count)
        let written = try FileError.check {
          unsafe rest.withUnsafeBytes { bytes in
            unsafe bytes.baseAddress.map { unsafe pwrite(file.number, $0, bytes.count, offset) } ?? 0
          }
        }
        count += written
        rest = rest.dropFirst(written)
      }
    } catch {
      throw FileError(.write, directory, error)
    }
  }

  /// Makes the next read start at the beginning.
  func rewind() { position = 0 }

  /// Returns the next bytes from the beginning, up to a number; none at the end.
  func next(_ most: Int) throws(FileError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: min(most, count - position))
    var read = 0
    do throws(FileError.Reason) {
      while read < bytes.count {
        let offset = off_t(position + read)
        let added = try FileError.check {
          // The system writes only into the rest of the buffer, whose bounds are passed along.
          unsafe bytes.withUnsafeMutableBytes { bytes in
            let room = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[read...])
            return unsafe room.baseAddress.map { unsafe pread(file.number, $0, room.count, offset) } ?? 0
          }
        }
        // The file cannot have become shorter, unless the disk has lost data.
        guard added > 0 else { throw .system(EIO) }
        read += added
      }
    } catch {
      throw FileError(.read, directory, error)
    }
    position += read
    return bytes
  }
}
