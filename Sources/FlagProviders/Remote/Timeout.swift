import FlagDomain

/// Runs an operation, and gives up when a time has passed, even where the operation does not heed its cancellation.
func withTimeout<Value: Sendable>(
  _ timeout: Duration, on clock: any Clock<Duration>,
  _ operation: @escaping @Sendable () async throws(FlagError) -> Value
) async -> Result<Value, FlagError> {
  let cancelled = FlagError(.general, "the fetch was cancelled", isTransient: true)
  guard !Task.isCancelled else { return .failure(cancelled) }
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
