import Dispatch
import FlagDomain

/// A writer of log lines on a thread of its own, so that a slow reader of the log does not delay requests.
///
/// Its buffer is bounded: if the reader is too slow, lines are dropped, and their number is logged.
final class LogWriter: Sendable {
  private struct State {
    var waiting = ""
    var omitted = 0
    var isWriting = false
  }

  private let limit: Int
  private let write: @Sendable (String) throws -> Void
  private let state = Locked(State())
  private let queue = DispatchQueue(label: "access log")

  /// Creates a writer with a maximum buffer size in bytes; a text that cannot be written is lost.
  init(limit: Int = 4 << 20, write: @escaping @Sendable (String) throws -> Void) {
    self.limit = limit
    self.write = write
  }

  func write(_ line: String) {
    let isFirst = state.withLock { state in
      guard state.waiting.utf8.count + line.utf8.count <= limit else {
        state.omitted += 1
        return false
      }
      state.waiting += line
      defer { state.isWriting = true }
      return !state.isWriting
    }
    if isFirst { queue.async { [self] in writeAll() } }
  }

  func finish() { queue.sync {} }

  private func writeAll() {
    while let text = next() {
      do { try write(text) } catch { /* Nothing else can report the error; serving continues. */  }
    }
  }

  private func next() -> String? {
    state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.isWriting = false
        return nil
      }
      defer { (state.waiting, state.omitted) = ("", 0) }
      return state.omitted == 0 ? state.waiting : state.waiting + "{\"omitted\":\(state.omitted)}\n"
    }
  }
}
