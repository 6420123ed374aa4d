/// The queue of the writers of a file: the lock file, and a second one that the first waiting writer holds.
///
/// A file lock goes to whichever writer asks first after its release, which is the one that has just released it. So
/// a writer that has had its turn asks for the queue's lock before the file's. The first one that waits holds it until
/// it has the file's lock, and everyone else waits for that. Both locks end with the process that holds them.
struct WriterQueue: ~Copyable {
  private let lockPath: String
  private let queuePath: String
  private var mayOvertake: Bool
  private var hasWaited = false
  /// The lock of the queue, while this writer is first.
  private var place: LockFile?

  /// Creates the place of a writer that has not asked yet.
  ///
  /// - Parameters:
  ///   - path: The file, behind all links.
  ///   - mayOvertake: Whether the writer's turn goes on, so that it need not queue.
  init(beside path: String, mayOvertake: Bool) {
    let name = SharedFile.name(of: path)
    lockPath = SharedFile.path(".\(name).lock", beside: path)
    queuePath = SharedFile.path(".\(name).queue", beside: path)
    self.mayOvertake = mayOvertake
  }

  deinit { place?.release() }

  /// Locks the file, and returns its lock; nil if it is not this writer's turn yet.
  mutating func attempt() throws(FileError) -> LockFile? {
    do throws(FileError.Reason) {
      if !mayOvertake, place == nil, try !queue() { return nil }
      if let lock = try LockFile.take(lockPath) { return lock }
      (hasWaited, mayOvertake) = (true, false)
      return nil
    } catch {
      throw FileError(.lock, lockPath, error)
    }
  }

  /// Whether the lock was acquired without queueing.
  var hasOvertaken: Bool { mayOvertake }

  /// Becomes the first in the queue, and returns false if another writer is.
  ///
  /// Nobody waits if there is no file for it. Only a writer that has to wait creates it.
  private mutating func queue() throws(FileError.Reason) -> Bool {
    do throws(FileError.Reason) {
      guard let place = try LockFile.take(queuePath, creates: hasWaited) else { return false }
      self.place = consume place
    } catch {
      guard error == .missing, !hasWaited else { throw error }
    }
    return true
  }
}
