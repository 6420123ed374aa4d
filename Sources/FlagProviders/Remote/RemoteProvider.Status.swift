public import FlagDomain

extension RemoteProvider {
  /// How far a remote provider has got with the current user's answers.
  public enum Status: Hashable, Sendable {
    /// The first answers for the current user are on their way.
    case waiting
    /// There are answers for the current user, as new as the service gave them.
    case ready
    /// There are answers for the current user, and the newest attempt to renew them failed.
    case stale(FlagError)
    /// There are no answers for the current user, and the newest attempt to get them failed.
    case failed(FlagError)
  }
}

extension RemoteState {
  /// How far the provider has got.
  var status: RemoteProvider.Status {
    switch (answers == nil, failure) {
    case (true, nil): .waiting
    case (false, nil): .ready
    case (false, let failure?): .stale(failure)
    case (true, let failure?): .failed(failure)
    }
  }
}
