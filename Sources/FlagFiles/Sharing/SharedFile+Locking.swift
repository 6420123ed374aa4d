import Foundation

extension SharedFile {
  /// Runs a closure while the lock file beside a file, behind all links, is locked, within an activity of the system.
  ///
  /// The closure must end soon once the activity has expired.
  func withLock<Result>(
    beside path: String, _ body: (ExpiringActivity) throws(FileError) -> Result
  ) throws(FileError) -> Result {
    let activity = ExpiringActivity.begin("Writing a file of feature flags", by: calls.activity)
    guard let activity else { throw FileError(.lock, path, .suspended) }
    defer { activity.end() }
    let lock = try lock(beside: path, during: activity)
    defer { lock.unlock() }
    return try body(activity)
  }

  /// Locks the lock file beside a file, which is created if it is missing.
  ///
  /// It retries after 1, 2, 4, 8 and then every 16 milliseconds, until the pauses add up to the timeout.
  private func lock(
    beside path: String, during activity: ExpiringActivity
  ) throws(FileError) -> FileDescriptor {
    let lockPath = Self.path(".\(Self.name(of: path)).lock", beside: path)
    var waited = Duration.zero
    var next = Duration.milliseconds(1)
    while true {
      if activity.hasExpired { throw FileError(.lock, path, .suspended) }
      do throws(FileError.Reason) {
        let descriptor = try FileDescriptor(lockFile: lockPath)
        if try descriptor.lock() { return descriptor }
      } catch {
        throw FileError(.lock, lockPath, error)
      }
      guard waited < lockTimeout else { throw FileError(.lock, path, .timedOut(lockTimeout)) }
      next = min(next, lockTimeout - waited)
      pause(next)
      waited += next
      next = min(next * 2, .milliseconds(16))
    }
  }
}

extension FileDescriptor {
  init(lockFile path: String) throws(FileError.Reason) {
    do throws(FileError.Reason) {
      self = try FileDescriptor(path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o644)
    } catch .system(EACCES) {
      // It belongs to another user: read access is enough to lock it.
      self = try FileDescriptor(path, O_RDONLY | O_NOFOLLOW)
    }
  }

  /// Locks the file unless another descriptor holds the lock, and returns whether it did.
  func lock() throws(FileError.Reason) -> Bool {
    do throws(FileError.Reason) {
      try FileError.check { flock(number, LOCK_EX | LOCK_NB) }
      return true
    } catch .system(EWOULDBLOCK) {
      return false
    }
  }

  func unlock() { flock(number, LOCK_UN) }
}
