import Synchronization

/// A mutex around a value, whose hand-over the thread sanitizer can see.
///
/// On Linux a contended `Mutex` (Swift 6.3) is handed over by the kernel, which the sanitizer does not see. Here each
/// holder stores, before it unlocks, what the next one loads. Nothing in this module is read often enough for more.
struct Locked<Value: Sendable>: ~Copyable, Sendable {
  private let mutex: Mutex<Value>
  private let handover = Atomic(false)

  init(_ value: Value) { mutex = Mutex(value) }

  borrowing func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try mutex.withLock { value throws(Failure) in
      _ = handover.load(ordering: .acquiring)
      defer { handover.store(true, ordering: .releasing) }
      return try body(&value)
    }
  }
}
