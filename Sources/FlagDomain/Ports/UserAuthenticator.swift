/// Takes note of who is signed in: all that a sign-in module needs to see.
public protocol UserAuthenticator: Sendable {
  /// Makes a user the current one; nil signs out.
  ///
  /// When the call returns, no read on any thread gives a value that was resolved for another user. It does not wait
  /// for remote services: their answers for the new user arrive later, as a change. It may be called from any thread.
  func setUser(_ user: User?)
}
