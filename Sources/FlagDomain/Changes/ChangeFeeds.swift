/// The sequences of changes that are being consumed; they end when this object is released.
package final class ChangeFeeds: Sendable {
  /// The subscribers, which receive a change, or nil for the end.
  private let subscribers = FlagSubscribers<FlagChange?>()

  package init() {}

  deinit { subscribers.notify(nil) }

  package var count: Int { subscribers.count }

  /// Sends a change to every sequence, without running code of their consumers.
  ///
  /// Calls exclude each other, so that all consumers see changes in one order.
  package func send(_ change: FlagChange) { subscribers.notify(change) }

  /// Returns the changes from now on, for one consumer.
  package func changes() -> FlagChanges {
    let (changes, feed) = FlagChanges.makeSequence()
    let subscription = subscribers.subscribe { change in
      if let change { feed.send(change) } else { feed.finish() }
    }
    feed.onTermination { subscription.cancel() }
    return changes
  }
}
