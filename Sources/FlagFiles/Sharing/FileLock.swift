package import Foundation

/// A lock that one holder has at a time, of all threads and processes.
///
/// It ends when the object is released, and with the process. The file stays for good: removing it while others try
/// would give two of them the lock.
package final class FileLock: Sendable {
  private let descriptor: FileDescriptor

  private init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }

  deinit { descriptor.unlock() }

  /// Takes the lock of a file, without waiting; returns nil if another holder has it.
  ///
  /// The file is made if need be, in a folder that exists.
  package static func take(_ url: URL) throws(FileError) -> FileLock? {
    let path = url.absoluteURL.path(percentEncoded: false)
    do throws(FileError.Reason) {
      let descriptor = try FileDescriptor(lockFile: path)
      guard try descriptor.lock() else { return nil }
      return FileLock(descriptor)
    } catch {
      throw FileError(.lock, path, error)
    }
  }
}
