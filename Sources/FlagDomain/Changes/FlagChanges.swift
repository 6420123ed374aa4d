/// The changes of a composition, for one consumer.
public struct FlagChanges: AsyncSequence, Sendable {
  /// The element: one change, or several as one.
  public typealias Element = FlagChange

  private let bells: AsyncStream<Void>
  private let pending: Pending

  /// Creates a sequence, and the feed that sends changes to it.
  public static func makeSequence() -> (changes: FlagChanges, feed: Feed) {
    let (bells, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let pending = Pending()
    return (FlagChanges(bells: bells, pending: pending), Feed(bell: bell, pending: pending))
  }

  /// Returns the only iterator of the sequence.
  public func makeAsyncIterator() -> Iterator { Iterator(bells: bells.makeAsyncIterator(), pending: pending) }

  /// The iterator, which receives the changes.
  ///
  /// An actor may store it and call ``next(isolation:)``. Copies share one stream of changes.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let bells: AsyncStream<Void>.Iterator
    fileprivate let pending: Pending

    /// Returns the changes since the last call, after waiting for one if necessary; nil at the end.
    public mutating func next() async -> FlagChange? { await next(isolation: nil) }

    /// Returns the changes since the last call, without leaving the actor; nil at the end.
    public func next(isolation actor: isolated (any Actor)? = #isolation) async -> FlagChange? {
      // Copies share the stream. A bell may ring for a change that the previous call has already returned.
      var bells = bells
      while await bells.next(isolation: actor) != nil {
        if let change = pending.take() { return change }
      }
      return nil
    }
  }

  /// The sending end of a sequence of changes.
  public struct Feed: Sendable {
    fileprivate let bell: AsyncStream<Void>.Continuation
    fileprivate let pending: Pending

    /// Sends a change.
    ///
    /// The consumer receives it later, merged with others it has not yet received.
    public func send(_ change: FlagChange) {
      pending.add(change)
      bell.yield()
    }

    /// Ends the sequence.
    public func finish() { bell.finish() }

    /// Calls a closure when the consumer stops listening.
    public func onTermination(_ handler: @escaping @Sendable () -> Void) { bell.onTermination = { _ in handler() } }
  }
}

/// The changes that a consumer has not yet received, as one.
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
