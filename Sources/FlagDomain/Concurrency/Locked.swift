#if canImport(Glibc)
  package import Glibc
#elseif canImport(Musl)
  package import Musl
#elseif canImport(Android)
  package import Android
#else
  package import Synchronization
#endif

#if canImport(Glibc) || canImport(Musl) || canImport(Android)
  /// A mutex around a value: a pthread mutex on Linux and Android, the standard library's elsewhere.
  ///
  /// On Linux a contended `Mutex` (Swift 6.3) is handed from thread to thread by the kernel, as a priority-inheriting
  /// futex: with more threads than cores, each hand-over waits for the scheduler, and everything that takes the lock
  /// becomes some four hundred times slower. The thread sanitizer does not see the hand-over either, but supports
  /// pthread mutexes.
  ///
  /// Memory safety, hence `@unchecked Sendable`:
  /// - The mutex must not move, so it is allocated, in one block with the value. The pointer to it is a `let`; the
  ///   block is freed in `deinit`, when no thread can be inside `withLock`, since that borrows the lock.
  /// - The value, which is sendable itself, is accessed only by `init` and `deinit` and under the mutex.
  ///
  /// Other platforms use `Mutex`, since a waiting thread there lends its priority to the one that holds the lock.
  @safe
  package struct Locked<Value: ~Copyable & Sendable>: ~Copyable, @unchecked Sendable {
    @usableFromInline package let mutex: UnsafeMutablePointer<pthread_mutex_t>

    @inlinable
    package init(_ value: consuming Value) {
      // A value of size zero has an address, too: that of this block, not of the memory behind it.
      let block = unsafe UnsafeMutableRawPointer.allocate(
        byteCount: Self.offset + max(1, MemoryLayout<Value>.size),
        alignment: max(MemoryLayout<pthread_mutex_t>.alignment, MemoryLayout<Value>.alignment))
      unsafe mutex = block.bindMemory(to: pthread_mutex_t.self, capacity: 1)
      unsafe mutex.initialize(to: pthread_mutex_t())
      let failure = unsafe pthread_mutex_init(mutex, nil)
      precondition(failure == 0, "a mutex cannot be made: \(failure)")
      unsafe (block + Self.offset).bindMemory(to: Value.self, capacity: 1).initialize(to: value)
    }

    @inlinable
    deinit {
      unsafe value.deinitialize(count: 1)
      unsafe pthread_mutex_destroy(mutex)
      unsafe mutex.deinitialize(count: 1)
      unsafe UnsafeMutableRawPointer(mutex).deallocate()
    }

    /// Calls a closure with exclusive access to the value.
    ///
    /// The lock is not recursive: a thread that already holds it deadlocks.
    @inlinable @inline(__always)
    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
      _ body: (inout Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      unsafe pthread_mutex_lock(mutex)
      defer { unsafe pthread_mutex_unlock(mutex) }
      return try unsafe body(&value.pointee)
    }

    /// The address of the value in the block.
    @inlinable @inline(__always)
    package static var offset: Int {
      let alignment = MemoryLayout<Value>.alignment
      return unsafe (MemoryLayout<pthread_mutex_t>.size + alignment - 1) / alignment * alignment
    }

    @inlinable @inline(__always)
    package var value: UnsafeMutablePointer<Value> {
      unsafe (UnsafeMutableRawPointer(mutex) + Self.offset).assumingMemoryBound(to: Value.self)
    }
  }
#else
  package struct Locked<Value: ~Copyable & Sendable>: ~Copyable, Sendable {
    @usableFromInline package let mutex: Mutex<Value>

    @inlinable @inline(__always)
    package init(_ value: consuming Value) { mutex = Mutex(value) }

    @inlinable @inline(__always)
    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
      _ body: (inout Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      try mutex.withLock { value throws(Failure) in try body(&value) }
    }
  }
#endif
