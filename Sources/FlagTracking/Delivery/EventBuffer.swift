import FlagDomain
import FlagEvents

/// Events that are not on the disk yet.
final class EventBuffer: Sendable {
  struct Events: Sendable {
    var events: [TrackedEvent] = []
    var lost = 0  // before these events

    var isEmpty: Bool { events.isEmpty && lost == 0 }
  }

  enum Mode: Sendable {
    case keeping
    /// No more are taken; those that wait are written and sent.
    case closed
    /// Nothing is taken, kept or sent.
    case optedOut
  }

  private struct State: Sendable {
    var waiting = Events()
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

  var events: [TrackedEvent] { state.withLock { $0.waiting.events } }

  /// Adds events, and returns how many there are now; none where none are taken.
  func add(_ events: [TrackedEvent]) -> Int {
    state.withLock { state in
      guard state.mode == .keeping else { return 0 }
      state.waiting.events += events
      trim(&state)
      return state.waiting.events.count
    }
  }

  func take() -> Events {
    state.withLock { state in
      defer { state.waiting = Events() }
      return state.waiting
    }
  }

  /// Puts events back that could not be written, before those that came since.
  func putBack(_ events: Events) {
    state.withLock { state in
      guard state.mode != .optedOut else { return }
      state.waiting.events = events.events + state.waiting.events
      state.waiting.lost += events.lost
      trim(&state)
    }
  }

  func set(_ mode: Mode) {
    state.withLock { state in
      state.mode = mode
      if mode == .optedOut { state.waiting = Events() }
    }
  }

  private func trim(_ state: inout State) {
    let excess = state.waiting.events.count - limit
    guard excess > 0 else { return }
    state.waiting.events.removeFirst(excess)
    state.waiting.lost += excess
  }
}
