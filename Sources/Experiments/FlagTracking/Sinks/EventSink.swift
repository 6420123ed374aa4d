public import FlagDomain

/// A destination of events: a service, a file, a closure.
public protocol EventSink: Sendable {
  /// Sends a batch, and returns its outcome.
  ///
  /// One batch is sent at a time. A batch whose outcome is ``SinkOutcome/retry(after:_:)`` is sent again, and so is one
  /// that a kill cut off: with the same id, and in the same order before all later ones. One that timed out is sent in
  /// halves with ids of their own, in which each event keeps its id. When the system is about to suspend the app, the
  /// task is cancelled, and the batch is sent again whatever it returns.
  ///
  /// - Parameter batch: The events.
  /// - Returns: The outcome.
  func send(_ batch: EventBatch) async -> SinkOutcome
}

/// The outcome of sending a batch.
public enum SinkOutcome: Hashable, Sendable {
  /// The sink accepted the batch; a service may have rejected some of its events, which are not sent again.
  case delivered(rejected: Int, FlagError?)
  /// The sink did not accept the batch; retry after the time that the service requests, or with exponential backoff.
  ///
  /// The batch is halved first if the error's code is a timeout.
  case retry(after: Duration?, FlagError)
  /// The sink accepts no batch for now, as with an expired token or during a deployment; retried for a day, and then
  /// refused.
  case held(FlagError)
  /// The batch is too large, and is sent again in halves.
  case tooLarge(FlagError)
  /// The sink will never accept the batch.
  case refused(FlagError)

  /// The outcome of a batch of which every event was accepted.
  public static let delivered = SinkOutcome.delivered(rejected: 0, nil)
}

/// A sink that passes batches to a closure.
public struct ClosureSink: EventSink {
  private let handle: @Sendable (EventBatch) async throws -> Void

  /// Creates a sink.
  ///
  /// - Parameter handle: Receives each batch; if it throws, it receives the batch again later.
  public init(_ handle: @escaping @Sendable (EventBatch) async throws -> Void) { self.handle = handle }

  /// Passes a batch to the closure.
  public func send(_ batch: EventBatch) async -> SinkOutcome {
    do {
      try await handle(batch)
      return .delivered
    } catch {
      return .retry(after: nil, FlagError(.general, "the closure that receives events failed: \(error)"))
    }
  }
}
