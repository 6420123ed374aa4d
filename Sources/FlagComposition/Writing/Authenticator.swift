import FlagDomain

/// An authenticator that sets the user in the state at once, and then in the providers.
struct Authenticator: UserAuthenticator {
  let flags: LiveManager

  func setUser(_ user: FlagUser?) {
    flags.identifyVisitor()
    flags.changeContext(.user) { $0.user = user }
  }
}
