/// The closures to call at each event, in the order in which they subscribed.
package final class Subscribers<Event>: Sendable {
  private struct State {
    var closures: [(id: Int, onEvent: @Sendable (Event) -> Void)] = []
    var nextID = 0
  }

  private let state = Locked(State())

  package init() {}

  package var count: Int { state.withLock { $0.closures.count } }

  package func subscribe(_ onEvent: @escaping @Sendable (Event) -> Void) -> FlagSubscription {
    let id = state.withLock { state in
      defer { state.nextID += 1 }
      state.closures.append((state.nextID, onEvent))
      return state.nextID
    }
    return FlagSubscription { [weak self] in self?.remove(id) }
  }

  /// Calls every closure on this thread, with no lock held.
  package func notify(_ event: Event) {
    for subscriber in state.withLock({ $0.closures }) { subscriber.onEvent(event) }
  }

  private func remove(_ id: Int) {
    // The closure's captures are released outside the lock: their deinit may run other code.
    _ = state.withLock { state in
      state.closures.firstIndex { $0.id == id }.map { state.closures.remove(at: $0) }
    }
  }
}
