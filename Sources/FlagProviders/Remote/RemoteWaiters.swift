import FlagDomain

/// Tasks that wait for a fetch to end, whichever that is in the end.
final class RemoteWaiters: Sendable {
  typealias Outcome = Result<Void, FlagError>
  private let waiting = Locked<[(number: Int, continuation: AsyncStream<Outcome>.Continuation)]>([])
}

extension RemoteWaiters {
  /// Joins the queue for the end of a fetch, or of a later one.
  func join(for number: Int) -> AsyncStream<Outcome> {
    let (outcomes, continuation) = AsyncStream.makeStream(of: Outcome.self)
    waiting.withLock { $0.append((number, continuation)) }
    return outcomes
  }

  /// Lets go of everyone who waits for a fetch or an earlier one.
  func finish(_ number: Int, with outcome: Outcome) {
    let done = waiting.withLock { waiting in
      let split = waiting.partition { $0.number <= number }
      defer { waiting.removeSubrange(split...) }
      return waiting[split...]
    }
    for waiter in done {
      waiter.continuation.yield(outcome)
      waiter.continuation.finish()
    }
  }
}

extension AsyncStream<Result<Void, FlagError>> {
  /// Waits for the first outcome; the waiting task may be cancelled.
  func first() async throws(FlagError) {
    for await outcome in self { return try outcome.get() }
    throw FlagError(.general, "the task that waited for answers was cancelled", isTransient: true)
  }
}
