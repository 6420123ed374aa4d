/// Runs an operation, and cancels it when a time has passed; it is to heed that.
func withTimeout<Value: Sendable>(
  _ timeout: Duration, else error: TransportError, on clock: any Clock<Duration>,
  _ operation: @escaping @Sendable () async throws(TransportError) -> Value
) async throws(TransportError) -> Value {
  let result = await withTaskGroup(of: Result<Value, TransportError>?.self) { group in
    defer { group.cancelAll() }
    group.addTask {
      do throws(TransportError) {
        return .success(try await operation())
      } catch {
        return .failure(error)
      }
    }
    group.addTask {
      do {
        try await clock.sleep(for: timeout)
        return .failure(error)
      } catch {
        return nil  // cancelled: the operation has ended, or whoever waits is gone
      }
    }
    for await result in group { if let result { return result } }
    return .failure(.cancelled)
  }
  return try result.get()
}
