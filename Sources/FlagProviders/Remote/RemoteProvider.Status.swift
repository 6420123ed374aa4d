public import FlagDomain

extension RemoteProvider {
  /// The state of a remote provider's answers for the current user.
  public enum Status: Hashable, Sendable {
    /// The first answers for the current user are being fetched.
    case waiting
    /// There are answers for the current user, and no attempt to update them has failed.
    case ready
    /// There are answers for the current user, but the last attempt to update them failed.
    case stale(FlagError)
    /// There are no answers for the current user, and the last attempt to fetch them failed.
    case failed(FlagError)
  }

  /// The current status.
  public var status: Status {
    let status = providerStatus
    return switch (status.values, status.error) {
    case (.defaults, nil): .waiting
    case (.defaults, let error?): .failed(error)
    case (_, nil): .ready
    case (_, let error?): .stale(error)
    }
  }
}

extension RemoteProvider: StatusReportingFlagProvider {
  /// The current status, in the form that all providers share.
  public var providerStatus: ProviderStatus { client.content.current.status }
}
