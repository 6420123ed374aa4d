import Foundation

/// The events of a session, in order.
struct Events: Sendable {
  enum Event: Sendable {
    /// A flag that the screens show has changed.
    case changed
    /// Something went wrong beside the commands.
    case complaint(String)
    /// The source of values is in another state.
    case status(String)
    /// A command; nil at the end of the input.
    case line(String?)
  }

  let stream: AsyncStream<Event>
  private let continuation: AsyncStream<Event>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  func send(_ event: Event) { continuation.yield(event) }

  /// Reads one line, on a thread that may wait for it.
  ///
  /// The next is read when it is asked for, so that what a command
  /// changes is shown before the next one runs.
  func askForLine() {
    Thread.detachNewThread { send(.line(readLine())) }
  }
}
