import FlagDomain

/// Signs users in and out: in the state at once, and then with the providers that ask for it.
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
      // Under the lock, so that providers are told of users in the order of the states.
      waiting.withLock { $0.users.append(user) }
      return FlagChange(keys: .all, causes: [.user])
    }
    tellProviders()
  }

  /// Replaces the providers, and tells the new ones who is signed in.
  func replaceProviders(with providers: [any FlagProvider]) {
    flags.follow(providers)
    // The current user: one who signs in meanwhile is passed on later.
    flags.change { content in
      if let user = content.context.user { waiting.withLock { $0.users.append(user) } }
      return nil
    }
    tellProviders()
  }

  /// Tells the providers of each new user, in order, from one thread at a time and with no lock held.
  private func tellProviders() {
    guard waiting.withLock({ $0.begin() }) else { return }
    while let user = waiting.withLock({ $0.next() }) {
      for provider in flags.providers { (provider as? any UserAuthenticator)?.setUser(user) }
    }
  }
}

/// The users that providers have not been told of yet, and whether a thread is telling them.
private struct WaitingUsers {
  var users: [FlagUser?] = []
  private var isTelling = false

  /// Returns whether the caller is to tell the providers, which another thread may be doing already.
  mutating func begin() -> Bool {
    guard !isTelling, !users.isEmpty else { return false }
    isTelling = true
    return true
  }

  /// Returns the next user; nil when there is none left.
  mutating func next() -> FlagUser?? {
    guard users.isEmpty else { return users.removeFirst() }
    isTelling = false
    return nil
  }
}
