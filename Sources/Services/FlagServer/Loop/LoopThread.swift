#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A thread for long waits, which must not block the threads of Swift's tasks.
enum LoopThread {
  /// Runs a closure on a new thread, which ends with it.
  ///
  /// The closure is retained for the thread before it is created, and released by it, once: the pointer has one owner
  /// at a time. Creating a thread orders everything that happened before it.
  static func start(_ body: @escaping @Sendable () -> Void) throws(SocketError) {
    let box = Unmanaged.passRetained(Body(body))
    #if canImport(Darwin)
      var thread: pthread_t?
      let failure = pthread_create(&thread, nil, { Body.run($0) }, box.toOpaque())
    #else
      var thread = pthread_t()
      let failure = pthread_create(&thread, nil, { $0.flatMap(Body.run) }, box.toOpaque())
    #endif
    guard failure == 0 else {
      box.release()
      throw SocketError("pthread_create", code: failure)
    }
    #if canImport(Darwin)
      if let thread { pthread_detach(thread) }
    #else
      pthread_detach(thread)
    #endif
  }

  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }

    static func run(_ pointer: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
      Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue().run()
      return nil
    }
  }
}
