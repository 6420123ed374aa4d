import FlagDomain

extension EventFeed {
  /// Returns the events for a stream of another server.
  ///
  /// - Parameter lastEventID: The last event that the client reports as seen; nil if it reports none.
  /// - Returns: The newest event, and then whichever event is the newest at each request for the next.
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
