package import FlagFoundation
package import FlagSupport

/// A file that several threads and processes read and change.
///
/// ```swift
/// let file = SharedFile(url)
/// try file.update({ $0 }) { old throws(FileError) in changed(old) }
/// ```
///
/// Readers need no lock, since a file is replaced as a whole. Writers take turns: a lock file `.NAME.lock` beside the
/// file is locked by `flock`, which works between processes and between stores of one process alike, and which ends
/// with the process that holds it. It is removed with its lock; that of a writer that was killed stays until the next
/// one. A writer that has to wait asks again each millisecond.
///
/// The file keeps its mode and, if that is permitted, its owner and group. A symbolic link stays a link; its target is
/// replaced, unless links are not followed: then it is replaced itself, and never read. Hard links to the file keep its
/// old content. Access control lists, extended attributes (the exclusion from backups is one) and the protection class
/// are kept on Apple's platforms, and not on Linux.
package struct SharedFile: Sendable {
  /// The file's path, from the root.
  package let path: String
  let limit: Int
  package let mode: mode_t
  var isDurable: Bool
  let followsLinks: Bool
  let lockTimeout: Duration
  let pause: @Sendable (Duration) -> Void
  var calls = FileSystemCalls.current

  /// Creates a reference to a file; nothing is read or created.
  ///
  /// - Parameters:
  ///   - url: The file. A relative one is resolved against the current directory at once.
  ///   - limit: The maximum number of bytes to read, and so to write.
  ///   - mode: The mode of a new file, before the process's mask is applied.
  ///   - isDurable: Whether a write waits for the disk, so that the file survives a loss of power, too.
  ///   - followsLinks: Whether the file may be a symbolic link; if not, a link counts as a missing file.
  ///   - lockTimeout: The maximum time that a writer waits for others.
  ///   - pause: Blocks this thread for a time, between two attempts to acquire the lock.
  package init(
    _ url: URL, limit: Int = 64 << 20, mode: mode_t = 0o644, isDurable: Bool = false,
    followsLinks: Bool = true, lockTimeout: Duration = .seconds(5),
    pause: @escaping @Sendable (Duration) -> Void = SystemThread.sleep
  ) {
    path = url.absoluteURL.path(percentEncoded: false)
    self.limit = limit
    self.mode = mode
    self.isDurable = isDurable
    self.followsLinks = followsLinks
    self.lockTimeout = lockTimeout
    self.pause = pause
  }

  package func read() throws(FileError) -> Data {
    // A write in place may begin before the file is read, and may end then.
    var pending = try pendingWrite()
    let (data, status) = try read(path)
    if pending == nil { pending = try pendingWrite() }
    return if let pending, pending.explains(data, ofOwner: status.st_uid) { pending.new } else { data }
  }

  /// Changes the file atomically, while no other writer does.
  ///
  /// The closure is called once, with the lock held, and must not update the same file. If it throws, or the file
  /// cannot be read or written, the file is unchanged.
  ///
  /// - Parameters:
  ///   - failure: Converts a file's error to the caller's.
  ///   - change: Receives the file's bytes, or nil if there is no file; returns the new ones, or nil to leave the file
  ///     unchanged.
  /// - Throws: The error of the change, or a converted `FileError`.
  package func update<Failure: Error>(
    _ failure: (FileError) -> Failure, _ change: (Data?) throws(Failure) -> Data?
  ) throws(Failure) {
    let thrown: Failure?
    do throws(FileError) {
      thrown = try update(change)
    } catch {
      throw failure(error)
    }
    if let thrown { throw thrown }
  }

  /// Changes the file, and returns the error of the change, if any.
  private func update<Failure: Error>(
    _ change: (Data?) throws(Failure) -> Data?
  ) throws(FileError) -> Failure? {
    let target = try target()
    return try withLock(beside: target) { activity throws(FileError) in
      let old = try existing(target)
      let new: Data?
      do throws(Failure) {
        new = try change(old?.data)
      } catch {
        return error
      }
      // A file that would be too large to read is not written.
      if let new, new.count > limit { throw FileError(.write, path, .tooLarge(limit: limit)) }
      if activity.hasExpired { throw FileError(.write, path, .suspended) }
      // Renaming another file to it would need no permission for the file itself.
      if new != nil, let mode = old?.status.st_mode, mode & 0o222 == 0 { throw FileError(.write, path, .readOnly) }
      if let new { try replace(target, with: new, as: old.map { (target, $0.status) }) }
      return nil
    }
  }

  /// Copies the file, unchanged, to one beside it with an extension, while an update's change holds the lock.
  package func keepCopy(_ pathExtension: String) throws(FileError) {
    let target = try target()
    let (data, status) = try read(target)
    try replace("\(target).\(pathExtension)", with: data, as: (target, status))
  }

  /// Writes another file of the same folder in one step, while an update's change holds the lock.
  package func write(_ data: Data, to name: String) throws(FileError) {
    try replace(Self.path(name, beside: target()), with: data, as: nil)
  }

  /// Returns the content and the metadata of a file; nil if it is missing.
  func existing(_ target: String) throws(FileError) -> (data: Data, status: stat)? {
    do {
      return try read(target)
    } catch  where error.reason == .missing {
      return nil
    }
  }

  private func read(_ path: String) throws(FileError) -> (data: Data, status: stat) {
    do throws(FileError.Reason) {
      // Opening a pipe would wait for its writer without the first flag.
      let file = try FileDescriptor(path, O_RDONLY | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW))
      let status = try file.status()
      switch status.st_mode & S_IFMT {
      case S_IFREG: break
      case S_IFDIR: throw .directory
      default: throw .special
      }
      return (try file.contents(limit: limit, expecting: Int(clamping: status.st_size)), status)
    } catch .system(ELOOP) where !followsLinks {
      throw FileError(.read, path, .missing)
    } catch {
      throw FileError(.read, path, error)
    }
  }
}

extension SharedFile {
  /// Runs a closure while the lock file beside a file, behind all links, is locked, within an activity of the system.
  ///
  /// The closure must end soon once the activity has expired.
  package func withLock<Result>(
    beside path: String, _ body: (ExpiringActivity) throws(FileError) -> Result
  ) throws(FileError) -> Result {
    let activity = ExpiringActivity.begin("Writing a file of feature flags", by: calls.activity)
    guard let activity else { throw FileError(.lock, path, .suspended) }
    defer { activity.end() }
    // The lock is released before the activity ends.
    return try withExtendedLifetime(try lock(beside: path, during: activity)) { () throws(FileError) in
      try finishPendingWrite(of: path)
      return try body(activity)
    }
  }

  /// Locks the lock file beside a file, which is created if it is missing.
  ///
  /// It asks again after each millisecond, until the pauses add up to the timeout.
  private func lock(beside path: String, during activity: ExpiringActivity) throws(FileError) -> FileLock {
    let lockPath = Self.path(".\(Self.name(of: path)).lock", beside: path)
    var waited = Duration.zero
    while true {
      if activity.hasExpired { throw FileError(.lock, path, .suspended) }
      if let lock = try FileLock.take(lockPath) { return lock }
      guard waited < lockTimeout else { throw FileError(.lock, path, .timedOut(lockTimeout)) }
      let next = min(.milliseconds(1), lockTimeout - waited)
      pause(next)
      waited += next
    }
  }
}
