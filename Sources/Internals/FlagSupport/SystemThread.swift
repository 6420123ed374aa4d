import FlagThreads

/// A thread for long waits, which must not block the threads of Swift's tasks.
package enum SystemThread {
  /// Runs a closure on a new thread, which ends with it.
  ///
  /// The closure is retained for the thread before it is created, and released by it, once: the pointer has one owner
  /// at a time. Creating a thread orders everything that happened before it.
  ///
  /// - Parameters:
  ///   - name: The name in debuggers; Linux shows none of more than 15 bytes.
  ///   - body: The work of the thread.
  /// - Throws: The reason why the system has created no thread.
  package static func start(_ name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
    let work = unsafe Unmanaged.passRetained(Work(name, body))
    let failure = unsafe flag_thread_start({ unsafe Work.run($0) }, work.toOpaque())
    guard failure == 0 else {
      unsafe work.release()
      throw SystemError(code: failure)
    }
  }

  /// Blocks the calling thread for a time.
  package static func sleep(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    var time = timespec(tv_sec: numericCast(seconds), tv_nsec: numericCast(attoseconds / 1_000_000_000))
    var rest = timespec()
    // A signal interrupts it.
    while unsafe nanosleep(&time, &rest) == -1, errno == EINTR { time = rest }
  }

  private final class Work: Sendable {
    let name: String
    let body: @Sendable () -> Void

    init(_ name: String, _ body: @escaping @Sendable () -> Void) { (self.name, self.body) = (name, body) }

    static func run(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
      guard let pointer = unsafe pointer else { return nil }
      let work = unsafe Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue()
      unsafe flag_thread_set_name(work.name)
      work.body()
      return nil
    }
  }
}
