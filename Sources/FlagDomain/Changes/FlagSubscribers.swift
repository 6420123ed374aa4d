/// The subscribers of a provider, or of anything else that changes: closures to call at each event.
///
/// A provider of your own holds one of `ChangedKeys`, returns the subscriptions of ``subscribe(_:)`` from its method of
/// the same name, and calls ``notify(_:)`` after each change. It may be used from any thread.
public final class FlagSubscribers<Event>: Sendable {
  private struct State {
    var closures: [(id: Int, onEvent: @Sendable (Event) -> Void)] = []
    var nextID = 0
  }

  private let state = Locked(State())

  /// Creates a list without subscribers.
  public init() {}

  package var count: Int { state.withLock { $0.closures.count } }

  /// Adds a closure, which is called at each event until the subscription ends.
  ///
  /// - Parameter onEvent: A closure that is called on the thread of the event.
  /// - Returns: The subscription. It ends when it is cancelled or released; a call that has begun by then may still
  ///   reach the closure.
  public func subscribe(_ onEvent: @escaping @Sendable (Event) -> Void) -> FlagSubscription {
    let id = state.withLock { state in
      defer { state.nextID += 1 }
      state.closures.append((state.nextID, onEvent))
      return state.nextID
    }
    return FlagSubscription { [weak self] in self?.remove(id) }
  }

  /// Calls every closure on this thread, in the order in which they subscribed, with no lock of the list held.
  ///
  /// Hold no lock of your own: a closure may call the provider.
  public func notify(_ event: Event) {
    for subscriber in state.withLock({ $0.closures }) { subscriber.onEvent(event) }
  }

  private func remove(_ id: Int) {
    // The closure's captures are released outside the lock: their deinit may run other code.
    _ = state.withLock { state in
      state.closures.firstIndex { $0.id == id }.map { state.closures.remove(at: $0) }
    }
  }
}
