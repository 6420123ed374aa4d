public import Synchronization

/// A mutex around a value, whose hand-over the thread sanitizer can see.
///
/// On Linux a contended `Mutex` (Swift 6.3) is handed over by the kernel, as a priority-inheriting futex: no atomic
/// operation of the program tells the sanitizer that the next holder comes after the last one, and it reports races
/// that are none. Here each holder stores, before it lets go, what the next one loads: two plain moves on x86-64.
public struct Locked<Value: Sendable>: ~Copyable, Sendable {
  @usableFromInline let mutex: Mutex<Value>
  @usableFromInline let handover = Atomic(false)

  /// Creates the lock around a value.
  @inlinable @inline(__always)
  public init(_ value: Value) { mutex = Mutex(value) }

  /// Runs a closure that no other thread interrupts, with the value to read and change.
  @inlinable @inline(__always)
  public borrowing func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try mutex.withLock { value throws(Failure) in
      _ = handover.load(ordering: .acquiring)
      defer { handover.store(true, ordering: .releasing) }
      return try body(&value)
    }
  }
}
