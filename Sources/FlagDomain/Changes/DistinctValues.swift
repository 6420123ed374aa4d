/// The values of something that changes, for one consumer: each that differs from the one before.
///
/// A busy consumer may miss values, never the newest.
final class DistinctValues<Value: Equatable & Sendable>: Sendable {
  let stream: AsyncStream<Value>
  private let continuation: AsyncStream<Value>.Continuation
  private let last = Locked<Value?>(nil)

  init() {
    (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingNewest(1))
  }

  /// Adds the value of this moment, where it is another.
  ///
  /// It is read with the lock held, so that of two changes the later one is told last.
  func tell(_ read: () -> Value) {
    last.withLock { last in
      let value = read()
      guard value != last else { return }
      last = value
      continuation.yield(value)
    }
  }

  func onTermination(_ action: @escaping @Sendable () -> Void) { continuation.onTermination = { _ in action() } }
}
