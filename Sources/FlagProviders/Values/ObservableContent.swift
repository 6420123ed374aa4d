package import FlagDomain

/// The content of a provider, which can be compared with earlier content.
package protocol DiffableContent: Sendable {
  /// Returns the keys whose answers differ, or nil if none do.
  func changes(since old: Self) -> ChangedKeys?
}

/// Content in a lock, with the subscribers to its changes.
package final class ObservableContent<Content: Sendable>: Sendable {
  private struct State {
    var content: Content
    /// The number of the last reading that began, and of the newest one that became the content.
    var lastReading = 0
    var newestReading = 0
  }

  private let state: Locked<State>
  private let subscribers = FlagSubscribers<ChangedKeys>()

  package init(_ content: Content) { state = Locked(State(content: content)) }

  package var current: Content { state.withLock { $0.content } }

  /// Changes the content in one step, and then notifies the subscribers of the keys that the closure returns.
  ///
  /// The closure runs with the lock held.
  package func change(_ change: (inout Content) -> ChangedKeys?) {
    let (changes, old) = state.withLock { state in
      let old = state.content
      return (change(&state.content), old)
    }
    _ = consume old  // released outside the lock, since its deinit may run other code
    notify(changes)
  }

  /// Notifies the subscribers of changed keys, if there are any.
  package func notify(_ changes: ChangedKeys?) {
    if let changes { subscribers.notify(changes) }
  }

  package func subscribe(_ onChange: @escaping @Sendable (ChangedKeys) -> Void) -> FlagSubscription {
    subscribers.subscribe(onChange)
  }
}

extension ObservableContent where Content: DiffableContent {
  /// Changes the content in one step, or not at all if the change throws, and then notifies the subscribers.
  ///
  /// The closure runs with the lock held, and so must not call others' code.
  @discardableResult
  package func update<Outcome: Sendable, Failure: Error>(
    _ change: (inout Content) throws(Failure) -> Outcome
  ) throws(Failure) -> Outcome {
    let (outcome, changes) = try set(change)
    notify(changes)
    return outcome
  }

  /// Changes the content as an update does, but leaves notifying the subscribers to the caller.
  package func set<Outcome: Sendable, Failure: Error>(
    _ change: (inout Content) throws(Failure) -> Outcome
  ) throws(Failure) -> (Outcome, ChangedKeys?) {
    let (outcome, old, new) = try state.withLock { state throws(Failure) in
      let old = state.content
      var new = state.content
      let outcome = try change(&new)
      state.content = new
      return (outcome, old, new)
    }
    return (outcome, new.changes(since: old))
  }

  /// Reads what the content is made of, with no lock held, and then makes it so as an update does.
  ///
  /// Of readings that overlap, the one that began last counts: it is at least as new.
  package func read<Reading, Failure: Error>(
    _ read: () throws(Failure) -> Reading, _ change: (inout Content, Reading) -> Void
  ) throws(Failure) {
    let number = state.withLock { state in
      state.lastReading += 1
      return state.lastReading
    }
    let reading = try read()
    let contents = state.withLock { state -> (old: Content, new: Content)? in
      guard state.newestReading < number else { return nil }
      state.newestReading = number
      let old = state.content
      change(&state.content, reading)
      return (old, state.content)
    }
    if let contents { notify(contents.new.changes(since: contents.old)) }
  }
}
