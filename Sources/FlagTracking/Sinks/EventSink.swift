public import FlagDomain

/// Where events go: a service, a file, a closure.
public protocol EventSink: Sendable {
  /// Sends a batch, and says what became of it.
  ///
  /// One batch is sent at a time. A batch whose outcome is ``SinkOutcome/retry(after:_:)`` is sent again, and so is one
  /// that a kill cut off: with the same id, and in the same order before all later ones. When the system is about to
  /// suspend the app, the task is cancelled, and what does not come of it is sent again.
  ///
  /// - Parameter batch: The events.
  /// - Returns: What became of them.
  func send(_ batch: EventBatch) async -> SinkOutcome
}

/// What became of a batch.
public enum SinkOutcome: Hashable, Sendable {
  /// It was taken; a service may have refused some of its events, which are not sent again.
  case delivered(rejected: Int, FlagError?)
  /// It was not taken, and is to be sent again: after the time that the service asks for, or one that doubles.
  case retry(after: Duration?, FlagError)
  /// It is too large, and to be sent in halves.
  case tooLarge(FlagError)
  /// It will never be taken.
  case refused(FlagError)

  /// All of it was taken.
  public static let delivered = SinkOutcome.delivered(rejected: 0, nil)
}

/// Hands batches to a closure.
public struct ClosureSink: EventSink {
  private let handle: @Sendable (EventBatch) async throws -> Void

  /// Creates a sink.
  ///
  /// - Parameter handle: Receives each batch; where it throws, it receives the batch again later.
  public init(_ handle: @escaping @Sendable (EventBatch) async throws -> Void) { self.handle = handle }

  /// Hands a batch to the closure.
  public func send(_ batch: EventBatch) async -> SinkOutcome {
    do {
      try await handle(batch)
      return .delivered
    } catch {
      return .retry(after: nil, FlagError(.general, "the closure that receives events failed: \(error)"))
    }
  }
}
