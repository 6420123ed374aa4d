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
