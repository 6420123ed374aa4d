public import FlagDomain

extension KeyMappingProvider: StatusReportingFlagProvider where Upstream: StatusReportingFlagProvider {
  /// The other provider's status.
  public var providerStatus: ProviderStatus { upstream.providerStatus }

  /// Returns the other provider's status, and each one that follows.
  public func statuses() -> AsyncStream<ProviderStatus> { upstream.statuses() }
}

extension ReadOnlyProvider: StatusReportingFlagProvider where Upstream: StatusReportingFlagProvider {
  /// The other provider's status.
  public var providerStatus: ProviderStatus { upstream.providerStatus }

  /// Returns the other provider's status, and each one that follows.
  public func statuses() -> AsyncStream<ProviderStatus> { upstream.statuses() }
}

extension KeyMappingProvider: FlagContextUpdating where Upstream: FlagContextUpdating {
  /// The other provider's attributes.
  public var attributes: [String: FlagValue] { upstream.attributes }

  /// Sets and removes attributes of the other provider.
  public func updateAttributes(_ values: [String: FlagValue], removing names: Set<String>) {
    upstream.updateAttributes(values, removing: names)
  }

  /// Sets the visitor's id of the other provider.
  public func setAnonymousID(_ id: String?) { upstream.setAnonymousID(id) }
}

extension ReadOnlyProvider: FlagContextUpdating where Upstream: FlagContextUpdating {
  /// The other provider's attributes.
  public var attributes: [String: FlagValue] { upstream.attributes }

  /// Sets and removes attributes of the other provider.
  public func updateAttributes(_ values: [String: FlagValue], removing names: Set<String>) {
    upstream.updateAttributes(values, removing: names)
  }

  /// Sets the visitor's id of the other provider.
  public func setAnonymousID(_ id: String?) { upstream.setAnonymousID(id) }
}
