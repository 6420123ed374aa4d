public import FlagDomain

/// A provider that gives another one's values, and does not let them be set.
public struct ReadOnlyProvider<Upstream: FlagProvider>: FlagProvider {
  /// The other provider's name.
  public var name: String { upstream.name }
  let upstream: Upstream

  /// Returns what the other provider knows at this moment.
  public func snapshot() -> any ProviderSnapshot { upstream.snapshot() }
}

extension ReadOnlyProvider: ChangingFlagProvider where Upstream: ChangingFlagProvider {
  /// Calls a closure after every change of the other provider, until the subscription ends.
  public func subscribe(_ onChange: @escaping @Sendable (ChangedKeys) -> Void) -> FlagSubscription {
    upstream.subscribe(onChange)
  }
}

extension ReadOnlyProvider: UserAuthenticator where Upstream: UserAuthenticator {
  /// Tells the other provider who is signed in.
  public func setUser(_ user: User?) { upstream.setUser(user) }
}
