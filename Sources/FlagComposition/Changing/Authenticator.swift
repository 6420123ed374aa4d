import FlagDomain

/// An authenticator that sets the user in the state at once, and then in providers that conform to `UserAuthenticator`.
final class Authenticator: Sendable {
  private let flags: LiveManager
  private let waiting = Locked(WaitingUsers())

  init(_ flags: LiveManager) { self.flags = flags }
}

extension Authenticator: UserAuthenticator {
  func setUser(_ user: FlagUser?) {
    flags.change { content in
      guard content.context.user != user else { return nil }
      content.context.user = user
      // Under the lock, so that providers receive users in the order of the states.
      waiting.withLock { $0.users.append(user) }
      return FlagChange(keys: .all, causes: [.user])
    }
    notifyProviders()
  }

  /// Replaces the providers, and sets the current user of the new ones.
  func replaceProviders(with providers: [any FlagProvider]) {
    flags.follow(providers)
    // The current user: one who signs in meanwhile is passed on later.
    flags.change { content in
      if let user = content.context.user { waiting.withLock { $0.users.append(user) } }
      return nil
    }
    notifyProviders()
  }

  /// Passes each new user to the providers, in order, from one thread at a time and with no lock held.
  private func notifyProviders() {
    guard waiting.withLock({ $0.begin() }) else { return }
    while let user = waiting.withLock({ $0.next() }) {
      for provider in flags.providers { (provider as? any UserAuthenticator)?.setUser(user) }
    }
  }
}

/// The users not yet passed to the providers, and whether a thread is passing them.
private struct WaitingUsers {
  var users: [FlagUser?] = []
  private var isNotifying = false

  /// Returns whether the caller must notify the providers; false if another thread is already doing so.
  mutating func begin() -> Bool {
    guard !isNotifying, !users.isEmpty else { return false }
    isNotifying = true
    return true
  }

  /// Returns the next user, or nil if the queue is empty.
  mutating func next() -> FlagUser?? {
    guard users.isEmpty else { return users.removeFirst() }
    isNotifying = false
    return nil
  }
}
