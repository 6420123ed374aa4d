import FlagDomain
package import FlagHTTP

/// The newest event of a source, for any number of streams.
///
/// A stream sends the newest event at once, then each later one as soon as the client has read all of the previous one:
/// a slow client skips to the newest. So a feed and its streams keep one event each, at any rate of events. Each event
/// must supersede all before it, such as "the definitions are version 7".
package final class EventFeed: Sendable {
  private struct State {
    var version = 0
    var newest: (id: String, bytes: [UInt8])?
    var isFinished = false
  }

  private let state = Locked(State())
  private let subscribers = FlagSubscribers<Void>()

  package init() {}

  package func send(_ event: ServerSentEvent) {
    let bytes = event.bytes
    state.withLock {
      guard !$0.isFinished else { return }
      $0.version += 1
      $0.newest = (event.id, bytes)
    }
    subscribers.notify(())
  }

  package func finish() {
    state.withLock { $0.isFinished = true }
    subscribers.notify(())
  }

  package var streams: Int { subscribers.count }

  // MARK: - Streams

  struct Position { fileprivate(set) var version: Int }

  enum Next: Equatable {
    /// The next event to send; the stream ends after the last one.
    case event([UInt8], isLast: Bool)
    /// Everything has been sent for now.
    case nothing
    /// Everything has been sent, and no more will follow.
    case end
  }

  /// Calls a closure, from any thread, whenever there may be an event to send, until the subscription ends.
  func subscribe(_ notify: @escaping @Sendable () -> Void) -> FlagSubscription { subscribers.subscribe(notify) }

  /// Returns the position of a new stream: after the newest event if the client has seen that one, otherwise before it.
  func position(lastEventID: String?) -> Position {
    state.withLock { state in
      let hasSeen = state.newest.map { !$0.id.isEmpty && $0.id == lastEventID } ?? false
      return Position(version: hasSeen ? state.version : 0)
    }
  }

  func next(_ position: inout Position) -> Next {
    let (version, newest, isFinished) = state.withLock { ($0.version, $0.newest, $0.isFinished) }
    if let newest, position.version < version {
      position.version = version
      return .event(newest.bytes, isLast: isFinished)
    }
    return isFinished ? .end : .nothing
  }

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
