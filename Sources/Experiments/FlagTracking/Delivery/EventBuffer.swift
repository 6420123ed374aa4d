import FlagDomain
import FlagEvents

/// A buffer of events that are not on the disk yet.
///
/// If it is full, it drops whole units, as the queue does: see ``OpenQueue/add(_:_:limit:)``.
final class EventBuffer: Sendable {
  enum Mode: Sendable {
    case keeping
    /// A state in which no more events are accepted; buffered ones are still written and sent.
    case closed
    /// A state in which events are neither accepted, stored nor sent.
    case optedOut
  }

  /// Events, oldest first, and those that were lost before them.
  struct Content: Sendable {
    var events: [TrackedEvent] = []
    var losses = QueueLosses()
    /// The share of units whose events are accepted, until the content has been written.
    var kept = 1.0
  }

  fileprivate struct State: Sendable {
    var content = Content()
    var mode: Mode
    /// The units that have opted out, as values, which are compared by code points.
    var optedOut: Set<FlagValue> = []
  }

  private let state: Locked<State>
  private let limit: Int

  init(limit: Int, _ mode: Mode) {
    self.limit = limit
    state = Locked(State(mode: mode))
  }

  var mode: Mode { state.withLock { $0.mode } }

  var content: Content { state.withLock { $0.content } }

  /// Returns whether an event is accepted: whether nobody whom it names has opted out.
  func accepts(_ event: TrackedEvent) -> Bool {
    state.withLock { $0.mode == .keeping && !$0.hasOptedOut(event) }
  }

  /// Adds events, and returns the number of events in the buffer; 0 if it does not accept events.
  func add(_ events: [TrackedEvent]) -> Int {
    state.withLock { state in
      guard state.mode == .keeping else { return 0 }
      var accepted = events
      state.removeOptedOut(&accepted)
      state.content.losses.tracked += accepted.count
      accepted.drop(keeping: state.content.kept, &state.content.losses)
      state.content.events += accepted
      state.trim(to: limit)
      return state.content.events.count
    }
  }

  /// Removes and returns everything.
  func take() -> Content {
    state.withLock { state in
      defer { state.content = Content() }
      return state.content
    }
  }

  func set(_ mode: Mode) {
    state.withLock { state in
      state.mode = mode
      if mode == .optedOut { state.content = Content() }
    }
  }

  /// Opts a unit out, which removes its events, or in again.
  func setOptedOut(_ isOptedOut: Bool, _ unit: String) {
    state.withLock { state in
      if isOptedOut { state.optedOut.insert(.string(unit)) } else { state.optedOut.remove(.string(unit)) }
      state.removeOptedOut(&state.content.events)
      state.content.losses.forget(unit)
    }
  }
}

extension EventBuffer.State {
  fileprivate func removeOptedOut(_ events: inout [TrackedEvent]) {
    guard !optedOut.isEmpty else { return }
    events.removeAll(where: hasOptedOut)
  }

  fileprivate func hasOptedOut(_ event: TrackedEvent) -> Bool {
    !optedOut.isEmpty && event.namedUnits.contains { optedOut.contains(.string($0)) }
  }

  fileprivate mutating func trim(to limit: Int) {
    guard content.events.count > limit else { return }
    content.kept = content.events.drop(to: limit, below: content.kept, &content.losses)
  }
}
