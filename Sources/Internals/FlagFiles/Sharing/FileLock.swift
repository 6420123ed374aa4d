package import Foundation

/// A lock with one holder at a time, among all threads and processes.
///
/// It ends when the object is released, and with the process. The file stays.
package final class FileLock: Sendable {
  private let descriptor: FileDescriptor

  private init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }

  deinit { descriptor.unlock() }

  /// Acquires the lock of a file, without waiting; returns nil if another holder has it.
  ///
  /// The file is created if it is missing, in an existing directory.
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
