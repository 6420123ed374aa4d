import FlagDomain
import Foundation

/// Writes lines on a thread of its own, so that those who serve do not wait for whoever reads the log.
///
/// What waits is bounded: where the reader is too slow, lines are left out, and how many is said.
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

  /// Creates a writer of which so many bytes may wait; a text that cannot be written is lost.
  init(limit: Int = 4 << 20, write: @escaping @Sendable (String) throws -> Void) {
    self.limit = limit
    self.write = write
  }
}

extension LogWriter {
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
      do { try write(text) } catch { /* There is no one left to tell; serving goes on. */  }
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
