import FlagDomain

/// Tasks that wait until the events of a moment are sent.
struct DeliveryWaiters: Sendable {
  private struct Waiter: Sendable {
    let id: Int
    /// The number of sent bytes at which its events are sent.
    let target: Int
    let continuation: CheckedContinuation<FlagError?, Never>
  }

  private var waiters: [Waiter] = []
  private var lastID = 0
  /// The number of bytes that were sent by this process.
  private var sentBytes = 0

  mutating func nextID() -> Int {
    lastID += 1
    return lastID
  }

  /// Adds a task, given the number of bytes that it waits for.
  mutating func add(_ id: Int, unsentBytes: Int, _ continuation: CheckedContinuation<FlagError?, Never>) {
    waiters.append(Waiter(id: id, target: sentBytes + unsentBytes, continuation: continuation))
  }

  /// Resumes the tasks whose events are sent while later ones are not; the others resume at the end of sending.
  mutating func advance(by bytes: Int, unsentBytes: Int) {
    sentBytes += bytes
    if unsentBytes > 0 { resume(nil) { [sentBytes] in $0.target <= sentBytes } }
  }

  mutating func end(_ id: Int, _ error: FlagError) { resume(error) { $0.id == id } }

  mutating func endAll(_ outcome: FlagError?) { resume(outcome) { _ in true } }

  private mutating func resume(_ outcome: FlagError?, _ isReady: (Waiter) -> Bool) {
    let ready = waiters.filter(isReady)
    waiters.removeAll(where: isReady)
    for waiter in ready { waiter.continuation.resume(returning: outcome) }
  }
}
