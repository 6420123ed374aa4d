import FlagDomain
package import FlagHTTP

/// A request in progress: its response is delivered in chunks at one end, and awaited at the other.
///
/// It is cancelled when the waiting task is cancelled, or when it is released. Any thread may deliver; one task
/// receives.
package final class Exchange: Sendable {
  private struct State {
    var head: HTTPResponse?
    var chunks: [[UInt8]] = []
    /// The number of delivered bytes that were not received yet.
    var pending = 0
    /// The end of the exchange, once it has ended; the inner nil is a success.
    var end: TransportError??
    var deliveries = 0
    /// The number of bytes that were sent or received until now.
    var moved = 0
    var onMove: (@Sendable (Int) -> Void)?
    var waiter: CheckedContinuation<Void, Never>?
    var cancel: (@Sendable () -> Void)?

    mutating func takeChunks() -> [UInt8] {
      defer {
        chunks = []
        pending = 0
      }
      guard chunks.count > 1 else { return chunks.first ?? [] }
      var bytes: [UInt8] = []
      bytes.reserveCapacity(pending)
      for chunk in chunks { bytes += chunk }
      return bytes
    }
  }

  private let state = Locked(State())
  private let limit: Int

  /// Creates an exchange, which is cancelled when more unreceived bytes than the limit are buffered.
  package init(limit: Int) { self.limit = limit }

  deinit { takeCancel()?() }

  // MARK: Delivering

  /// Sets the closure that cancels the request; it is called at once if the exchange has ended already.
  package func onCancel(_ cancel: @escaping @Sendable () -> Void) {
    let isOver = state.withLock { state in
      guard state.end == nil else { return true }
      state.cancel = cancel
      return false
    }
    if isOver { cancel() }
  }

  package func deliver(_ head: HTTPResponse) {
    if let length = head.fields[.contentLength].flatMap({ Int($0) }), length > limit {
      return fail(.tooLarge(limit: limit))
    }
    change { $0.head = head }
  }

  func deliver(ifMissing head: HTTPResponse) {
    if state.withLock({ $0.head == nil }) { deliver(head) }
  }

  package func deliver(_ bytes: [UInt8]) {
    move(bytes.count)
    let isTooMuch = state.withLock { state in
      guard state.end == nil else { return false }
      state.chunks.append(bytes)
      state.pending += bytes.count
      return state.pending > limit
    }
    if isTooMuch { fail(.tooLarge(limit: limit)) } else { change { _ in } }
  }

  /// Counts bytes that were sent, or received as a part of a header.
  package func move(_ count: Int) {
    let onMove = state.withLock { state in
      state.moved &+= count
      return state.onMove
    }
    onMove?(count)
  }

  /// The number of bytes that were sent or received until now.
  package var moved: Int { state.withLock { $0.moved } }

  /// Whether the receiving task waits for what the other side has not delivered yet.
  package var isAwaited: Bool { state.withLock { $0.waiter != nil } }

  /// Sets the closure that receives the number of bytes of each movement; those until now are one.
  func onMove(_ onMove: @escaping @Sendable (Int) -> Void) {
    let moved = state.withLock { state in
      state.onMove = onMove
      return state.moved
    }
    if moved > 0 { onMove(moved) }
  }

  /// Delivers the end: a success, or the error.
  package func finish(_ error: TransportError? = nil) {
    change {
      if $0.end == nil { $0.end = .some(error) }
      $0.cancel = nil
    }
  }

  /// Ends the exchange from the receiving side, and drops all unreceived bytes.
  package func fail(_ error: TransportError) {
    let cancel = takeCancel()
    change {
      guard $0.end == nil else { return }
      $0.end = .some(error)
      $0.chunks = []
      $0.pending = 0
    }
    cancel?()
  }

  private func takeCancel() -> (@Sendable () -> Void)? {
    state.withLock { state in
      defer { state.cancel = nil }
      return state.cancel
    }
  }

  private func change(_ edit: @Sendable (inout State) -> Void) {
    let waiter = state.withLock { state in
      edit(&state)
      state.deliveries += 1
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
  }

  // MARK: Receiving

  /// Waits for the status and the header; the response has no content.
  package func head() async throws(TransportError) -> HTTPResponse {
    try await wait { state in
      if let head = state.head { return .success(head) }
      guard let end = state.end else { return nil }
      return .failure(end ?? .failed("the connection ended before there was an answer"))
    }
  }

  /// Waits for the next bytes of the content; nil at its end.
  package func next() async throws(TransportError) -> [UInt8]? {
    try await wait { state in
      if !state.chunks.isEmpty { return .success(state.takeChunks()) }
      guard let end = state.end else { return nil }
      return end.map { .failure($0) } ?? .success(nil)
    }
  }

  /// Waits until a closure returns a value.
  private func wait<Value: Sendable>(
    _ answer: @Sendable (inout State) -> Result<Value, TransportError>?
  ) async throws(TransportError) -> Value {
    while true {
      let (result, deliveries) = state.withLock { (answer(&$0), $0.deliveries) }
      if let result { return try result.get() }
      await withTaskCancellationHandler {
        await withCheckedContinuation { waiter in
          let hasEvent = state.withLock { state in
            // Compared under the lock that deliveries take, so that none can be missed in between.
            if state.deliveries != deliveries { return true }
            state.waiter = waiter
            return false
          }
          if hasEvent { waiter.resume() }
        }
      } onCancel: {
        fail(.cancelled)
      }
    }
  }
}
