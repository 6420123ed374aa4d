import FlagDomain

/// The closures to call when a provider changes, in the order in which they subscribed.
final class Subscribers: Sendable {
  private struct State {
    var closures: [(id: Int, onChange: @Sendable (ChangedKeys) -> Void)] = []
    var nextID = 0
  }

  private let state = Locked(State())

  /// Adds a closure, until the subscription ends.
  func subscribe(_ onChange: @escaping @Sendable (ChangedKeys) -> Void) -> FlagSubscription {
    let id = state.withLock { state in
      defer { state.nextID += 1 }
      state.closures.append((state.nextID, onChange))
      return state.nextID
    }
    return FlagSubscription { [weak self] in self?.remove(id) }
  }

  /// Calls every closure on this thread, with no lock held.
  func notify(_ keys: ChangedKeys) {
    for subscriber in state.withLock({ $0.closures }) { subscriber.onChange(keys) }
  }

  private func remove(_ id: Int) {
    // What the closure captures is released outside the lock: its deinit may run other code.
    _ = state.withLock { state in
      state.closures.firstIndex { $0.id == id }.map { state.closures.remove(at: $0) }
    }
  }
}
