package import FlagDomain
import FlagSupport

/// Runs an operation with a timeout, which holds even if the operation ignores its cancellation.
func withTimeout<Value: Sendable>(
  _ timeout: Duration?, on clock: any Clock<Duration>,
  _ operation: @escaping @Sendable () async throws(FlagError) -> Value
) async -> Result<Value, FlagError> {
  let timedOut = FlagError(.timeout, "timeout: no answer within \(timeout ?? .zero)")
  return await withTimeout(timeout, on: clock, timedOut: timedOut, cancelled: .cancelled, operation)
}

extension FlagError {
  package static let cancelled = FlagError(.general, "the task was cancelled", isTransient: true)
}
