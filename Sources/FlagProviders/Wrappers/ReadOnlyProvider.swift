public import FlagDomain

/// A provider of another one's values that cannot be written to.
public struct ReadOnlyProvider<Upstream: FlagProvider>: FlagProvider {
  /// The other provider's name.
  public var name: String { upstream.name }
  let upstream: Upstream

  /// Returns a snapshot of the other provider.
  public func snapshot() -> any ProviderSnapshot { upstream.snapshot() }
}

extension ReadOnlyProvider: ObservableFlagProvider where Upstream: ObservableFlagProvider {
  /// Calls a closure after every change of the other provider, until the subscription ends.
  public func subscribe(_ onChange: @escaping @Sendable (ChangedKeys) -> Void) -> FlagSubscription {
    upstream.subscribe(onChange)
  }
}

extension ReadOnlyProvider: RefreshableFlagProvider where Upstream: RefreshableFlagProvider {
  /// Refreshes the other provider.
  public func refresh() async throws(FlagError) { try await upstream.refresh() }
}

extension ReadOnlyProvider: UserAuthenticator where Upstream: UserAuthenticator {
  /// Sets the current user of the other provider.
  public func setUser(_ user: FlagUser?) { upstream.setUser(user) }
}
