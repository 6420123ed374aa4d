import FlagDomain
import FlagEvents

/// Events that are not on the disk yet.
final class EventBuffer: Sendable {
  enum Mode: Sendable {
    case keeping
    /// No more are taken; those that wait are written and sent.
    case closed
    /// Nothing is taken, kept or sent.
    case optedOut
  }

  private struct State: Sendable {
    var events: [TrackedEvent] = []
    /// How many events were lost before these.
    var lost = 0
    var mode: Mode
  }

  private let state: Locked<State>
  private let limit: Int

  init(limit: Int, _ mode: Mode) {
    self.limit = limit
    state = Locked(State(mode: mode))
  }
}

extension EventBuffer {
  var mode: Mode { state.withLock { $0.mode } }

  var events: [TrackedEvent] { state.withLock { $0.events } }

  /// Adds events, and returns how many there are now; none where none are taken.
  func add(_ events: [TrackedEvent]) -> Int {
    state.withLock { state in
      guard state.mode == .keeping else { return 0 }
      state.events += events
      trim(&state)
      return state.events.count
    }
  }

  /// Takes all events out, oldest first, and how many were lost before them.
  func take() -> (events: [TrackedEvent], lost: Int) {
    state.withLock { state in
      defer { (state.events, state.lost) = ([], 0) }
      return (state.events, state.lost)
    }
  }

  /// Puts events back that could not be written, before those that came since.
  func putBack(_ events: [TrackedEvent], lost: Int) {
    state.withLock { state in
      guard state.mode != .optedOut else { return }
      state.events = events + state.events
      state.lost += lost
      trim(&state)
    }
  }

  func set(_ mode: Mode) {
    state.withLock { state in
      state.mode = mode
      if mode == .optedOut { (state.events, state.lost) = ([], 0) }
    }
  }

  private func trim(_ state: inout State) {
    let excess = state.events.count - limit
    guard excess > 0 else { return }
    state.events.removeFirst(excess)
    state.lost += excess
  }
}
