import FlagDomain

/// What a provider knows, as something that can be compared with what it knew before.
protocol LiveContent: Sendable {
  /// Returns the keys whose answers differ, or nil where none do.
  func changes(since old: Self) -> ChangedKeys?
}

/// Changing content behind a mutex, and those who hear of its changes.
final class Live<Content: LiveContent>: Sendable {
  private let content: Locked<Content>
  private let subscribers = Subscribers()

  init(_ content: Content) { self.content = Locked(content) }
}

extension Live {
  /// The content at this moment.
  var current: Content { content.withLock { $0 } }

  /// Changes the content in one step, or not at all where the change throws, and then tells the subscribers.
  ///
  /// The closure runs with the lock held.
  @discardableResult
  func update<Outcome: Sendable, Failure: Error>(
    _ change: (inout Content) throws(Failure) -> Outcome
  ) throws(Failure) -> Outcome {
    let (outcome, changes, old) = try content.withLock { content throws(Failure) in
      let old = content
      var new = content
      let outcome = try change(&new)
      content = new
      return (outcome, new.changes(since: old), old)
    }
    _ = consume old  // let go of outside the lock, since it may hold what others made
    if let changes { subscribers.notify(changes) }
    return outcome
  }

  /// Calls a closure after every change, until the subscription ends.
  func subscribe(_ onChange: @escaping @Sendable (ChangedKeys) -> Void) -> FlagSubscription {
    subscribers.subscribe(onChange)
  }
}
