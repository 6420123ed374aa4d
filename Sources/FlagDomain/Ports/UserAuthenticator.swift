/// The port for setting the current user: the only one that a sign-in module needs.
public protocol UserAuthenticator: Sendable {
  /// Sets the current user; nil signs out.
  ///
  /// After the call returns, no read on any thread returns a value that was resolved for another user. It does not wait
  /// for remote services: their answers for the new user arrive later, as a change. It may be called from any thread.
  func setUser(_ user: FlagUser?)
}
