package import FlagFoundation
import FlagSupport

/// A lock with one holder at a time, among all threads and processes: that of a file that is there only for it.
///
/// It ends when the object is released, and with the process. The file is removed before that. A writer may lock a file
/// that it has opened and that was removed since, while another one locks the next file of the same name. So a lock
/// counts only if its file still has the name, which none but the holder of that lock takes away.
package final class FileLock: Sendable {
  private let path: String
  private let descriptor: FileDescriptor

  private init(_ path: String, _ descriptor: consuming FileDescriptor) {
    self.path = path
    self.descriptor = descriptor
  }

  /// Removes the file, and ends the lock; closing it would not do: a child process shares it until it runs its program.
  ///
  /// A file that this process may not remove stays, and is locked again.
  deinit {
    SystemPath.remove(path)
    flock(descriptor.number, LOCK_UN)
  }

  /// Acquires the lock of a file, without waiting; returns nil if another holder has it.
  ///
  /// The file is created if it is missing, in an existing directory.
  package static func take(_ url: URL) throws(FileError) -> FileLock? {
    try take(url.absoluteURL.path(percentEncoded: false))
  }

  static func take(_ path: String) throws(FileError) -> FileLock? {
    do throws(FileError.Reason) {
      while true {
        let descriptor = try FileDescriptor(lockFile: path)
        guard try descriptor.lock() else { return nil }
        if try descriptor.hasName(path) { return FileLock(path, descriptor) }
      }
    } catch {
      throw FileError(.lock, path, error)
    }
  }
}

extension FileDescriptor {
  /// Opens a file that is only locked, and creates it if it is missing.
  fileprivate init(lockFile path: String) throws(FileError.Reason) {
    do throws(FileError.Reason) {
      self = try FileDescriptor(path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o644)
    } catch .system(EACCES) {
      // It belongs to another user: read access is enough to lock it.
      do throws(FileError.Reason) {
        self = try FileDescriptor(path, O_RDONLY | O_NOFOLLOW)
      } catch {
        // There is none, and its directory does not let this process create one.
        throw error == .missing ? .system(EACCES) : error
      }
    }
  }

  /// Locks the file unless another descriptor holds the lock, and returns whether it did.
  fileprivate func lock() throws(FileError.Reason) -> Bool {
    do throws(FileError.Reason) {
      try FileError.check { flock(number, LOCK_EX | LOCK_NB) }
      return true
    } catch .system(EWOULDBLOCK), .system(ESTALE) {
      // The second one is a network file system's word for a file that another machine has removed.
      return false
    }
  }

  /// Returns whether a path leads to the open file; it is opened, because a network file system may remember others.
  fileprivate func hasName(_ path: String) throws(FileError.Reason) -> Bool {
    do throws(FileError.Reason) {
      let (own, named) = (try status(), try FileDescriptor(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).status())
      return own.st_dev == named.st_dev && own.st_ino == named.st_ino
    } catch .missing {
      return false
    }
  }
}
