import FlagDomain

extension EventFeed {
  /// Returns the events for a stream of another server than ours.
  ///
  /// - Parameter lastEventID: What the client says that it has seen; nil where it says nothing.
  /// - Returns: The newest event, and then each that is the newest when it is asked for.
  package func events(after lastEventID: String?) -> AsyncStream<[UInt8]> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let position = Locked(position(lastEventID: lastEventID))
      let send: @Sendable () -> Void = { [weak self] in
        guard let self else { return continuation.finish() }
        position.withLock { position in
          switch next(&position) {
          case .event(let bytes, let isLast):
            continuation.yield(bytes)
            if isLast { continuation.finish() }
          case .nothing: break
          case .end: continuation.finish()
          }
        }
      }
      let subscription = subscribe(send)
      continuation.onTermination = { _ in subscription.cancel() }
      send()
    }
  }
}
