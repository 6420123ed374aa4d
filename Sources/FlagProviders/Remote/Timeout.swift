import FlagDomain

/// Runs an operation with a timeout, which holds even if the operation ignores its cancellation.
///
/// The operation is always started, though it may be cancelled from the start.
func withTimeout<Value: Sendable>(
  _ timeout: Duration, on clock: any Clock<Duration>,
  _ operation: @escaping @Sendable () async throws(FlagError) -> Value
) async -> Result<Value, FlagError> {
  let cancelled = FlagError(.general, "the task was cancelled", isTransient: true)
  let (outcomes, continuation) = AsyncStream.makeStream(of: Result<Value, FlagError>.self)
  let work = Task {
    do throws(FlagError) {
      continuation.yield(.success(try await operation()))
    } catch {
      continuation.yield(.failure(error))
    }
  }
  let timer = Task {
    try await clock.sleep(for: timeout)
    continuation.yield(.failure(FlagError(.general, "no answer within \(timeout)")))
  }
  let stop: @Sendable () -> Void = {
    work.cancel()
    timer.cancel()
  }
  defer { stop() }
  return await withTaskCancellationHandler {
    for await outcome in outcomes { return outcome }
    return .failure(cancelled)
  } onCancel: {
    stop()
  }
}
