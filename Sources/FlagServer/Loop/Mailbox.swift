import FlagDomain
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What other threads tell a loop; a byte in a pipe wakes it.
final class Mailbox: Sendable {
  enum Message: Sendable {
    /// Take clients from here.
    case listen(Listener)
    case connected(Descriptor, Peer)
    case reply(ServerReply, connection: Int)
    /// A feed may have something for a stream.
    case event(connection: Int)
    /// Finish what is under way, and end.
    case stop
    /// End.
    case close
  }

  private struct State {
    var messages: [Message] = []
    var isAwake = false
    var isClosed = false
  }

  let connections = Atomic<Int>(0)
  /// What can be read as soon as the loop is to wake.
  let descriptor: Descriptor
  private let input: Descriptor
  private let state = Locked(State())

  init() throws(SocketError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw SocketError("pipe") }
    descriptor = try Descriptor(ends[0])
    input = try Descriptor(ends[1])
  }
}

extension Mailbox {
  /// Adds a message, from any thread; once the loop is over it is dropped, and a client in it is let go of.
  func post(_ message: Message) { wake { $0.append(message) } }

  func wake() { wake { _ in } }

  private func wake(_ change: (inout [Message]) -> Void) {
    let wasAwake = state.withLock { state in
      guard !state.isClosed else { return true }
      change(&state.messages)
      defer { state.isAwake = true }
      return state.isAwake
    }
    // A pipe holds many bytes, and has at most one.
    if !wasAwake { withUnsafeBytes(of: UInt8(0)) { _ = write(input.rawValue, $0.baseAddress, 1) } }
  }

  /// Takes all messages, in order; for the loop alone, once the descriptor can be read.
  func take() -> [Message] {
    withUnsafeTemporaryAllocation(byteCount: 16, alignment: 1) { _ = read(descriptor.rawValue, $0.baseAddress, 16) }
    return state.withLock { state in
      defer { state = State() }
      return state.messages
    }
  }

  /// Drops what has come and what will, when the loop is over: a client that waits there would wait for ever.
  func close() {
    let dropped = state.withLock { state in
      defer { state = State(isClosed: true) }
      return state.messages
    }
    _ = consume dropped  // released outside the lock
  }
}
