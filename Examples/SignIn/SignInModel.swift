public import FlagDomain

/// Signs users in and out; it sees the one port that it uses, and no flag.
public struct SignInModel: Sendable {
  private let authenticator: any UserAuthenticator

  /// Creates a model that tells an authenticator who is signed in.
  public init(authenticator: any UserAuthenticator) { self.authenticator = authenticator }

  /// Signs a user in.
  public func signIn(_ user: FlagUser) { authenticator.setUser(user) }

  /// Signs the user out.
  public func signOut() { authenticator.setUser(nil) }
}
