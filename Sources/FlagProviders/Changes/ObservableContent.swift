package import FlagDomain

/// The content of a provider, which can be compared with earlier content.
package protocol DiffableContent: Sendable {
  /// Returns the keys whose answers differ, or nil if none do.
  func changes(since old: Self) -> ChangedKeys?
}

/// Content in a lock, with the subscribers to its changes.
package final class ObservableContent<Content: DiffableContent>: Sendable {
  private let content: Locked<Content>
  private let subscribers = Subscribers<ChangedKeys>()

  package init(_ content: Content) { self.content = Locked(content) }
}

extension ObservableContent {
  package var current: Content { content.withLock { $0 } }

  /// Changes the content in one step, or not at all if the change throws, and then notifies the subscribers.
  ///
  /// The closure runs with the lock held.
  @discardableResult
  package func update<Outcome: Sendable, Failure: Error>(
    _ change: (inout Content) throws(Failure) -> Outcome
  ) throws(Failure) -> Outcome {
    let (outcome, changes) = try set(change)
    notify(changes)
    return outcome
  }

  /// Changes the content as an update does, but leaves notifying the subscribers to the caller.
  func set<Outcome: Sendable, Failure: Error>(
    _ change: (inout Content) throws(Failure) -> Outcome
  ) throws(Failure) -> (Outcome, ChangedKeys?) {
    let (outcome, changes, old) = try content.withLock { content throws(Failure) in
      let old = content
      var new = content
      let outcome = try change(&new)
      content = new
      return (outcome, new.changes(since: old), old)
    }
    _ = consume old  // released outside the lock, since its deinit may run other code
    return (outcome, changes)
  }

  /// Notifies the subscribers of changed keys, if there are any.
  func notify(_ changes: ChangedKeys?) {
    if let changes { subscribers.notify(changes) }
  }

  package func subscribe(_ onChange: @escaping @Sendable (ChangedKeys) -> Void) -> FlagSubscription {
    subscribers.subscribe(onChange)
  }
}
