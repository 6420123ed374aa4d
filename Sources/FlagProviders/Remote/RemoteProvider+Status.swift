public import FlagDomain

extension RemoteProvider: StatusReportingFlagProvider {
  /// How far the provider has got, in the words that all providers share.
  public var providerStatus: ProviderStatus {
    switch status {
    case .waiting: ProviderStatus(.defaults, isSettled: false)
    case .ready: ProviderStatus(.fresh, isSettled: true)
    case .stale(let error): ProviderStatus(.fresh, error: error, isSettled: true)
    case .failed(let error): ProviderStatus(.defaults, error: error, isSettled: true)
    }
  }
}
