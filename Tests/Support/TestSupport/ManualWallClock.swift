package import FlagDomain

/// A time of day that stands until it is set, and then wakes who waits for what it has reached.
package final class ManualWallClock: Sendable {
  private struct State {
    var seconds: Int64
    var waiting: [Int: (seconds: Int64, action: @Sendable () -> Void)] = [:]
    var nextID = 0
  }

  private let state: Locked<State>

  package init(_ seconds: Int64) { state = Locked(State(seconds: seconds)) }

  /// Returns the time, in seconds since 1970.
  @Sendable package func now() -> Int64 { state.withLock { $0.seconds } }

  /// Calls a closure when the time is set to a moment or a later one.
  @Sendable package func wake(at seconds: Int64, _ action: @escaping @Sendable () -> Void) -> FlagSubscription {
    let id = state.withLock { state in
      defer { state.nextID += 1 }
      state.waiting[state.nextID] = (seconds, action)
      return state.nextID
    }
    return FlagSubscription { self.forget(id) }
  }

  private func forget(_ id: Int) { state.withLock { _ = $0.waiting.removeValue(forKey: id) } }

  /// When someone is to be woken.
  package var alarms: [Int64] { state.withLock { $0.waiting.values.map(\.seconds).sorted() } }

  /// Sets the time, and wakes who waited for it, on this thread.
  package func set(to seconds: Int64) {
    let due = state.withLock { state in
      state.seconds = seconds
      let due = state.waiting.filter { $0.value.seconds <= seconds }
      for id in due.keys { state.waiting[id] = nil }
      return due.values.map(\.action)
    }
    for action in due { action() }
  }
}
