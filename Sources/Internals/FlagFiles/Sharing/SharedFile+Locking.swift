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
    defer { lock.release() }
    try finishPendingWrite(of: path)
    return try body(activity)
  }

  /// Locks the lock file beside a file, which is created if it is missing.
  ///
  /// It asks again after each millisecond, until the pauses add up to the timeout.
  private func lock(
    beside path: String, during activity: ExpiringActivity
  ) throws(FileError) -> LockFile {
    let lockPath = Self.path(".\(Self.name(of: path)).lock", beside: path)
    var waited = Duration.zero
    while true {
      if activity.hasExpired { throw FileError(.lock, path, .suspended) }
      do throws(FileError.Reason) {
        if let lock = try LockFile.take(lockPath) { return lock }
      } catch {
        throw FileError(.lock, lockPath, error)
      }
      guard waited < lockTimeout else { throw FileError(.lock, path, .timedOut(lockTimeout)) }
      let next = min(.milliseconds(1), lockTimeout - waited)
      pause(next)
      waited += next
    }
  }
}
