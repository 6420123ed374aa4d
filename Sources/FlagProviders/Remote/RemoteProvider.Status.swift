public import FlagDomain

extension RemoteProvider {
  /// The state of a remote provider's answers for the current user.
  public enum Status: Hashable, Sendable {
    /// The first answers for the current user are being fetched.
    case waiting
    /// There are answers for the current user, and they are up to date.
    case ready
    /// There are answers for the current user, but the last attempt to update them failed.
    case stale(FlagError)
    /// There are no answers for the current user, and the last attempt to fetch them failed.
    case failed(FlagError)
  }
}

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
