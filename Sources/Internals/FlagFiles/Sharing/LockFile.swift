import Foundation

/// The lock of a file that is there only for it, and is removed before the lock ends.
///
/// A writer may lock a file that it has opened and that was removed since, while another one locks the next file of the
/// same name. So a lock counts only if its file still has the name, which none but the holder of that lock takes away.
struct LockFile: ~Copyable {
  private let path: String
  private let descriptor: FileDescriptor

  private init(_ path: String, _ descriptor: consuming FileDescriptor) {
    self.path = path
    self.descriptor = descriptor
  }

  /// Locks a file, which is created if it is missing; returns nil if another holder has the lock.
  static func take(_ path: String) throws(FileError.Reason) -> LockFile? {
    while true {
      let descriptor = try FileDescriptor(lockFile: path)
      guard try descriptor.lock() else { return nil }
      if try descriptor.hasName(path) { return LockFile(path, descriptor) }
    }
  }

  /// Removes the file, and ends the lock; closing it would not do: a child process shares it until it runs its program.
  ///
  /// A file that this process may not remove stays, and is locked again.
  func release() {
    unlink(path)
    descriptor.unlock()
  }
}

extension FileDescriptor {
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
