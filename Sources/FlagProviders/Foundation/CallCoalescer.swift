import FlagDomain
import Foundation

/// Turns many calls within a short time into one, which comes after them.
///
/// A call that comes while the closure runs is followed by another run, so that the last change is never missed.
final class CallCoalescer: Sendable {
  private struct State: Sendable {
    var isWaiting = false
    var body: (@Sendable () -> Void)?
  }

  private let delay: Duration
  private let clock: any Clock<Duration>
  /// Runs the closure, once at a time.
  private let queue = DispatchQueue(label: "flag changes", target: .global())
  private let state: Locked<State>

  /// Creates a coalescer of a closure, which it calls a time after the first of the calls that it stands for.
  init(_ delay: Duration, on clock: any Clock<Duration>, _ body: @escaping @Sendable () -> Void) {
    self.delay = delay
    self.clock = clock
    state = Locked(State(body: body))
  }
}

extension CallCoalescer {
  /// Has the closure called, unless that is going to happen anyhow.
  func call() {
    let begins = state.withLock { state in
      guard !state.isWaiting, state.body != nil else { return false }
      state.isWaiting = true
      return true
    }
    guard begins else { return }
    Task { [self] in
      do { try await clock.sleep(for: delay) } catch {}  // An unwanted end of the wait is a shorter one.
      queue.async { [self] in
        // From here on another call begins another wait: what it is about may come too late for this run.
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
