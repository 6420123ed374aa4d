/// The changes of a composition, for one consumer.
public struct FlagChanges: AsyncSequence, Sendable {
  /// The element: one change, or several as one.
  public typealias Element = FlagChange

  private let bells: AsyncStream<Void>
  private let pending: Pending

  /// Creates a sequence, and what feeds it.
  public static func makeSequence() -> (changes: FlagChanges, feed: Feed) {
    let (bells, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let pending = Pending()
    return (FlagChanges(bells: bells, pending: pending), Feed(bell: bell, pending: pending))
  }

  /// Returns the one iterator of the sequence.
  public func makeAsyncIterator() -> Iterator { Iterator(bells: bells.makeAsyncIterator(), pending: pending) }

  /// Takes changes out.
  public struct Iterator: AsyncIteratorProtocol {
    private var bells: AsyncStream<Void>.Iterator
    private let pending: Pending

    fileprivate init(bells: AsyncStream<Void>.Iterator, pending: Pending) {
      self.bells = bells
      self.pending = pending
    }

    /// Returns what changed since the last call, waiting where nothing did; nil at the end.
    public mutating func next() async -> FlagChange? {
      // A bell may ring for a change that the call before took along.
      while await bells.next() != nil {
        if let change = pending.take() { return change }
      }
      return nil
    }
  }
}

extension FlagChanges {
  /// Puts changes in.
  public struct Feed: Sendable {
    fileprivate let bell: AsyncStream<Void>.Continuation
    fileprivate let pending: Pending

    /// Adds a change to those that the consumer has yet to take; runs none of its code.
    public func send(_ change: FlagChange) {
      pending.add(change)
      bell.yield()
    }

    /// Ends the sequence.
    public func finish() { bell.finish() }

    /// Calls a closure when the consumer is gone.
    public func onTermination(_ handler: @escaping @Sendable () -> Void) { bell.onTermination = { _ in handler() } }
  }
}

/// What a consumer has yet to take.
private final class Pending: Sendable {
  private let change = Locked<FlagChange?>(nil)

  func add(_ next: FlagChange) { change.withLock { $0 = $0?.union(next) ?? next } }

  func take() -> FlagChange? {
    change.withLock { change in
      defer { change = nil }
      return change
    }
  }
}

@available(*, unavailable)
extension FlagChanges.Iterator: Sendable {}
