import FlagDomain
import Synchronization

/// The queue of messages from other threads to a loop; a byte in a pipe wakes it.
final class Mailbox: Sendable {
  enum Message: Sendable {
    /// Accept clients from this listener.
    case listen(Listener)
    case connected(Descriptor, Peer)
    case reply(ServerReply, connection: Int)
    /// A feed may have an event for a stream.
    case event(connection: Int)
    /// Finish the requests in progress, then end.
    case stop
    /// End at once.
    case close
  }

  private struct State {
    var messages: [Message] = []
    var isAwake = false
    var isClosed = false
  }

  let connections = Atomic<Int>(0)
  /// The descriptor that becomes readable when the loop is to wake.
  let descriptor: Descriptor
  private let input: Descriptor
  private let state = Locked(State())

  init() throws(SocketError) {
    (descriptor, input) = try Descriptor.pipe()
  }

  /// Adds a message, from any thread; after the end of the loop it is dropped, which closes a client in it.
  func post(_ message: Message) { wake { $0.append(message) } }

  func wake() { wake { _ in } }

  private func wake(_ change: (inout [Message]) -> Void) {
    let wasAwake = state.withLock { state in
      guard !state.isClosed else { return true }
      change(&state.messages)
      defer { state.isAwake = true }
      return state.isAwake
    }
    // The pipe has room for many bytes, and contains at most one.
    if !wasAwake { input.signal() }
  }

  /// Takes all messages, in order; only for the loop, once the descriptor is readable.
  func take() -> [Message] {
    descriptor.clearSignals()
    return state.withLock { state in
      defer { state = State() }
      return state.messages
    }
  }

  /// Drops all present and future messages after the end of the loop: a client in one would wait forever.
  func close() {
    let dropped = state.withLock { state in
      defer { state = State(isClosed: true) }
      return state.messages
    }
    _ = consume dropped  // released outside the lock
  }
}
