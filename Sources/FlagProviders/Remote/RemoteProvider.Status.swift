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
