import FlagDomain

/// An authenticator that sets the user in the state at once, and then in providers that conform to `UserAuthenticator`.
struct Authenticator: UserAuthenticator {
  let flags: LiveManager

  func setUser(_ user: FlagUser?) { flags.changeContext(.user) { $0.user = user } }
}
