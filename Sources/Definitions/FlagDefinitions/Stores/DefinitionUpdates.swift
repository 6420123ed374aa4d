package import FlagDomain

/// The newest definitions of a store and its subscribers, shared by all implementations of stores.
///
/// Each subscriber is called by one thread at a time, in order and with no lock held. Its queue holds no more than the
/// newest definitions and the failure after them.
package final class DefinitionUpdates: Sendable {
  package typealias Update = Result<StoredDefinitions, DefinitionStoreError>

  private struct Subscriber {
    let onUpdate: @Sendable (Update) -> Void
    var waiting: [Update] = []
    var isNotifying = false

    mutating func add(_ update: Update) {
      switch (update, waiting.last) {
      case (.success, _): waiting = [update]
      case (.failure, .failure?): waiting[waiting.count - 1] = update
      case (.failure, _): waiting.append(update)
      }
    }
  }

  private struct State {
    var current: StoredDefinitions?
    var failure: DefinitionStoreError?
    var subscribers: [Int: Subscriber] = [:]
    var nextID = 0

    mutating func take(_ update: Update) -> Bool {
      switch update {
      case .success(let definitions):
        // A store that restarts its numbering may give another text the same version.
        let isNew = failure != nil || definitions.version != current?.version || definitions.text != current?.text
        failure = nil
        if isNew { current = definitions }
        return isNew
      case .failure(let error):
        defer { failure = error }
        return failure != error
      }
    }

    mutating func next(for id: Int) -> (@Sendable (Update) -> Void, Update)? {
      guard let subscriber = subscribers[id], let update = subscriber.waiting.first else {
        subscribers[id]?.isNotifying = false
        return nil
      }
      subscribers[id]?.waiting.removeFirst()
      return (subscriber.onUpdate, update)
    }
  }

  private let state: Locked<State>
  private let reading = Locked(())

  package init(_ current: StoredDefinitions? = nil) { state = Locked(State(current: current)) }

  package var current: StoredDefinitions? { state.withLock { $0.current } }

  package var status: DefinitionStatus {
    state.withLock { DefinitionStatus($0.current, failure: $0.failure) }
  }

  /// The failure since the last good definitions.
  package var failure: DefinitionStoreError? { state.withLock { $0.failure } }

  /// Sets the current definitions or the failure, and notifies subscribers unless it equals the last update.
  package func notify(_ update: Update) { notify { _ in update } }

  /// Reads the store's definitions, and notifies subscribers of a change; reads are serialized.
  ///
  /// So subscribers end on the result of the last read.
  ///
  /// - Parameters:
  ///   - isRepeated: Whether subscribers are notified even if the update equals the last one.
  ///   - read: A closure that receives the current definitions, and returns the update, or nil if there is no update.
  package func notify(again isRepeated: Bool = false, _ read: (StoredDefinitions?) -> Update?) {
    let subscribers = reading.withLock { _ in
      guard let update = read(current) else { return [Int]() }
      return state.withLock { state in
        guard state.take(update) || isRepeated else { return [] }
        for id in state.subscribers.keys { state.subscribers[id]?.add(update) }
        return Array(state.subscribers.keys)
      }
    }
    for subscriber in subscribers { deliver(to: subscriber) }
  }

  package func subscribe(_ onUpdate: @escaping @Sendable (Update) -> Void) -> FlagSubscription {
    let id = state.withLock { state in
      defer { state.nextID += 1 }
      let waiting = [state.current.map(Update.success), state.failure.map(Update.failure)].compactMap { $0 }
      state.subscribers[state.nextID] = Subscriber(onUpdate: onUpdate, waiting: waiting)
      return state.nextID
    }
    deliver(to: id)
    return FlagSubscription { [weak self] in
      // The closure is released outside of the lock, because the deinitializers of its captures may run other code.
      _ = self?.state.withLock { $0.subscribers.removeValue(forKey: id) }
    }
  }

  /// Delivers the waiting updates to a subscriber, unless another thread is already doing so.
  private func deliver(to id: Int) {
    let isFirst = state.withLock { state in
      guard let subscriber = state.subscribers[id], !subscriber.isNotifying else { return false }
      state.subscribers[id]?.isNotifying = true
      return true
    }
    guard isFirst else { return }
    while let (onUpdate, update) = state.withLock({ $0.next(for: id) }) { onUpdate(update) }
  }
}
