/// The executor of a task, for unstructured tasks that it makes, which do not inherit its preference.
package enum PreferredExecutor {
  @TaskLocal package static var current: (any TaskExecutor)?
}

/// Runs an operation with a timeout, which holds even if the operation ignores its cancellation.
///
/// The operation is always started, on ``PreferredExecutor/current`` if there is one, even if the task has been
/// cancelled before. On timeout, or if the calling task is cancelled, the operation is cancelled, and this function
/// returns without waiting for it.
///
/// - Parameters:
///   - timeout: The timeout; nil for none.
///   - clock: The clock of the timeout.
///   - timedOut: The error after the timeout.
///   - cancelled: The error if the calling task is cancelled.
///   - operation: The operation.
/// - Returns: The operation's value or error, or one of the two errors.
package func withTimeout<Value: Sendable, Failure: Error>(
  _ timeout: Duration?, on clock: any Clock<Duration>, timedOut: Failure, cancelled: Failure,
  _ operation: @escaping @Sendable () async throws(Failure) -> Value
) async -> Result<Value, Failure> {
  guard let timeout else { return await withTimeout(cancelled: cancelled, expiry: nil, operation) }
  let expiry: @Sendable () async throws -> Failure = {
    try await clock.sleep(for: timeout)
    return timedOut
  }
  return await withTimeout(cancelled: cancelled, expiry: expiry, operation)
}

/// Runs an operation until a limit expires, which holds even if the operation ignores its cancellation.
///
/// - Parameters:
///   - cancelled: The error if the calling task is cancelled.
///   - expiry: Returns the error when the limit expires; nil for no limit. It is cancelled with the operation.
///   - operation: The operation.
/// - Returns: The operation's value or error, or one of the two errors.
package func withTimeout<Value: Sendable, Failure: Error>(
  cancelled: Failure, expiry: (@Sendable () async throws -> Failure)?,
  _ operation: @escaping @Sendable () async throws(Failure) -> Value
) async -> Result<Value, Failure> {
  let (outcomes, continuation) = AsyncStream.makeStream(of: Result<Value, Failure>.self)
  let work = Task(executorPreference: PreferredExecutor.current) {
    do throws(Failure) {
      continuation.yield(.success(try await operation()))
    } catch {
      continuation.yield(.failure(error))
    }
  }
  let timer = expiry.map { expiry in
    Task(executorPreference: PreferredExecutor.current) { continuation.yield(.failure(try await expiry())) }
  }
  let stop: @Sendable () -> Void = {
    work.cancel()
    timer?.cancel()
  }
  defer { stop() }
  return await withTaskCancellationHandler {
    for await outcome in outcomes { return outcome }
    return .failure(cancelled)
  } onCancel: {
    stop()
  }
}
