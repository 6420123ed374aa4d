import FlagDomain

/// The sequences of changes that are being consumed.
final class ChangeFeeds: Sendable {
  private let state = Locked(State())

  private struct State {
    var feeds: [Int: FlagChanges.Feed] = [:]
    var nextID = 0
  }

  deinit {
    state.withLock { state in
      for feed in state.feeds.values { feed.finish() }
    }
  }
}

extension ChangeFeeds {
  /// How many sequences of changes are being consumed.
  var count: Int { state.withLock { $0.feeds.count } }

  /// Sends a change to every sequence, without running code of their consumers.
  func send(_ change: FlagChange) {
    state.withLock { state in
      for feed in state.feeds.values { feed.send(change) }
    }
  }

  /// Returns the changes from now on, for one consumer.
  func changes() -> FlagChanges {
    let (changes, feed) = FlagChanges.makeSequence()
    let id = state.withLock { state in
      defer { state.nextID += 1 }
      state.feeds[state.nextID] = feed
      return state.nextID
    }
    feed.onTermination { [weak self] in self?.remove(id) }
    return changes
  }

  private func remove(_ id: Int) {
    let removed = state.withLock { $0.feeds.removeValue(forKey: id) }
    _ = consume removed  // released outside the lock, since that may end the sequence, and so come back here
  }
}

extension LiveManager: FlagObserving {
  func changes() -> FlagChanges { feeds.changes() }

  func values<F: FeatureFlag>(of flag: F) -> FlagValues<F.Value> where F.Value: Equatable {
    FlagValues(key: flag.key, changes: changes()) { [weak self] in self?.variation(for: flag) }
  }
}
