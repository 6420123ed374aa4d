/// The sequences of changes that are being consumed; they end when this object is released.
package final class ChangeFeeds: Sendable {
  private typealias Feeds = [Int: FlagChanges.Feed]

  private struct State {
    /// The feeds of every change, by their numbers.
    var ofAll: Feeds = [:]
    /// The feeds of changes of one flag, by the flag's name.
    var ofFlags: [String: Feeds] = [:]
    var lastNumber = 0
  }

  private let state = Locked(State())

  package init() {}

  deinit { for feed in feeds(of: .all) { feed.finish() } }

  package var count: Int { feeds(of: .all).count }

  /// Sends a change to every sequence that it concerns, without running code of their consumers.
  ///
  /// Calls exclude each other, so that all consumers see changes in one order.
  package func send(_ change: FlagChange) {
    for feed in feeds(of: change.keys) { feed.send(change) }
  }

  /// Returns the changes from now on, for one consumer: of one flag, or all.
  package func changes(of flag: FlagKey? = nil) -> FlagChanges {
    let (changes, feed) = FlagChanges.makeSequence()
    let name = flag?.name
    let number = state.withLock { state in
      state.lastNumber += 1
      let number = state.lastNumber
      if let name { state.ofFlags[name, default: [:]][number] = feed } else { state.ofAll[number] = feed }
      return number
    }
    feed.onTermination { [weak self] in self?.remove(number, of: name) }
    return changes
  }

  private func feeds(of keys: ChangedKeys) -> [FlagChanges.Feed] {
    state.withLock { state in keys.members(of: state.ofFlags).flatMap(\.values) + state.ofAll.values }
  }

  private func remove(_ number: Int, of name: String?) {
    state.withLock { state in
      if let name {
        state.ofFlags[name]?[number] = nil
        if state.ofFlags[name]?.isEmpty == true { state.ofFlags[name] = nil }
      } else {
        state.ofAll[number] = nil
      }
    }
  }
}
