import Foundation

extension FileDescriptor {
  /// Opens a file that is only locked, and creates it if it is missing.
  init(lockFile path: String) throws(FileError.Reason) {
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
  func lock() throws(FileError.Reason) -> Bool {
    do throws(FileError.Reason) {
      try FileError.check { flock(number, LOCK_EX | LOCK_NB) }
      return true
    } catch .system(EWOULDBLOCK), .system(ESTALE) {
      // The second one is a network file system's word for a file that another machine has removed.
      return false
    }
  }

  func unlock() { flock(number, LOCK_UN) }
}
