import FlagDomain
import FlagSupport

/// The random secrets in the link, in the path, in the cookie and in the cookie's name.
struct ConsoleSecrets: Sendable {
  let path: String
  let token: String
  let session: String
  let name: String

  /// Creates secrets with a source of them, which must be unguessable.
  init(_ secret: () -> String) {
    (path, token, session) = (secret(), secret(), secret())
    name = String(secret().prefix(8))
  }

  /// Returns a source of secrets from a generator, which must be cryptographically secure.
  static func source(_ generator: some RandomNumberGenerator & Sendable) -> @Sendable () -> String {
    let generator = Locked(generator)
    return {
      generator.withLock { generator in
        (0..<4).map { _ in UInt32.random(in: 0...UInt32.max, using: &generator).hexDigits }.joined()
      }
    }
  }
}

extension ConsoleGate {
  convenience init(_ secrets: ConsoleSecrets, at place: ConsolePlace = .root, isOpen: Bool = false) {
    self.init(token: secrets.token, session: secrets.session, name: secrets.name, at: place, isOpen: isOpen)
  }
}
