import FlagDomain

/// Takes down what happened, in order.
final class Recorder<Event: Sendable>: Sendable {
  private let recorded = Locked<[Event]>([])

  var events: [Event] { recorded.withLock { $0 } }

  func record(_ event: Event) { recorded.withLock { $0.append(event) } }
}
