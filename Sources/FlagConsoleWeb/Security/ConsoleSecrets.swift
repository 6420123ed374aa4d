import FlagDomain

/// The random secrets in the link, in the cookie and in the cookie's name.
struct ConsoleSecrets {
  let token: String
  let session: String
  let name: String

  /// Makes secrets with a generator, which must be cryptographically secure.
  init(_ generator: inout some RandomNumberGenerator) {
    token = Self.secret(&generator)
    session = Self.secret(&generator)
    name = String(Self.secret(&generator).prefix(8))
  }

  private static func secret(_ generator: inout some RandomNumberGenerator) -> String {
    (0..<4).map { _ in UInt32.random(in: 0...UInt32.max, using: &generator).hexDigits }.joined()
  }
}

extension ConsoleGate {
  convenience init(_ secrets: ConsoleSecrets, at place: ConsolePlace = .root, isOpen: Bool = false) {
    self.init(token: secrets.token, session: secrets.session, name: secrets.name, at: place, isOpen: isOpen)
  }
}
