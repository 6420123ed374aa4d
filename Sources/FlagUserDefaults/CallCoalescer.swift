import Dispatch
import FlagDomain

/// A coalescer that turns many calls within a short time into one, which comes after them.
///
/// A call during a run of the closure is followed by another run, so that the last change is never missed.
final class CallCoalescer: Sendable {
  private struct State: Sendable {
    var isWaiting = false
    var body: (@Sendable () -> Void)?
  }

  private let delay: Duration
  private let clock: any Clock<Duration>
  /// The queue that runs the closure, once at a time.
  private let queue = DispatchQueue(label: "flag changes", target: .global())
  private let state: Locked<State>

  /// Creates a coalescer of a closure, which it calls after a delay from the first of the joined calls.
  init(_ delay: Duration, on clock: any Clock<Duration>, _ body: @escaping @Sendable () -> Void) {
    self.delay = delay
    self.clock = clock
    state = Locked(State(body: body))
  }

  /// Schedules a run of the closure, unless one is already scheduled.
  func call() {
    let begins = state.withLock { state in
      guard !state.isWaiting, state.body != nil else { return false }
      state.isWaiting = true
      return true
    }
    guard begins else { return }
    Task { [self] in
      do { try await clock.sleep(for: delay) } catch {}  // A cancelled sleep only shortens the delay.
      queue.async { [self] in
        // From here on another call schedules another run: this one may have read its data too early.
        let body = state.withLock { state in
          state.isWaiting = false
          return state.body
        }
        body?()
      }
    }
  }

  func end() {
    let body = state.withLock { state in
      defer { state.body = nil }
      return state.body
    }
    _ = consume body  // released outside the lock
  }
}
