import FlagDomain
import FlagEvents

/// A buffer of events that are not on the disk yet.
final class EventBuffer: Sendable {
  enum Mode: Sendable {
    case keeping
    /// A state in which no more events are accepted; buffered ones are still written and sent.
    case closed
    /// A state in which events are neither accepted, stored nor sent.
    case optedOut
  }

  private struct State: Sendable {
    var events: [TrackedEvent] = []
    /// The number of events that were lost before these.
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

  /// Adds events, and returns the number of events in the buffer; 0 if it does not accept events.
  func add(_ events: [TrackedEvent]) -> Int {
    state.withLock { state in
      guard state.mode == .keeping else { return 0 }
      state.events += events
      trim(&state)
      return state.events.count
    }
  }

  /// Removes and returns all events, oldest first, with the number that were lost before them.
  func take() -> (events: [TrackedEvent], lost: Int) {
    state.withLock { state in
      defer { (state.events, state.lost) = ([], 0) }
      return (state.events, state.lost)
    }
  }

  /// Returns events to the buffer that could not be written, ahead of those added since.
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
