public import FlagDomain

/// A provider of another one's values that cannot be written to.
public struct ReadOnlyProvider: FlagProvider {
  /// The other provider's name.
  public var name: String { upstream.name }
  let upstream: any FlagProvider

  /// Returns a snapshot of the other provider.
  public func snapshot() -> any ProviderSnapshot { upstream.snapshot() }
  /// Calls a closure after every change of the other provider, until the subscription ends.
  public func subscribe(_ onChange: @escaping @Sendable (ChangedKeys) -> Void) -> FlagSubscription {
    upstream.subscribe(onChange)
  }
  /// Refreshes the other provider.
  public func refresh() async throws(FlagError) { try await upstream.refresh() }
  /// The other provider's status.
  public var providerStatus: ProviderStatus { upstream.providerStatus }
  /// Whether the other provider's values are personal.
  public var isPersonal: Bool { upstream.isPersonal }
  /// Sets the other provider's context.
  public func setContext(_ context: EvaluationContext) { upstream.setContext(context) }
}
