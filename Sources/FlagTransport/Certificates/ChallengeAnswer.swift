import Foundation

/// What Foundation's session asks before it sends anything to a host.
enum Challenge: Hashable, Sendable {
  /// Whether the host is trusted.
  case host
  /// Who the client is.
  case client
  /// Anything else, such as a password.
  case other
}

/// What the session is told.
enum ChallengeAnswer: Hashable, Sendable {
  /// To do as it would by itself.
  case standard
  /// To trust a host for which one of these certificates vouches, in DER, and no other; they are of a file.
  case trust([Data], path: String)
  /// Who the client is: what a file in PKCS#12 holds.
  case identity(Data, path: String, password: String)
}

extension TransportCertificates {
  /// Returns the answer to a challenge, for which the files are read again.
  func answer(to challenge: Challenge) throws(TransportError) -> ChallengeAnswer {
    switch (challenge, authorities, client) {
    case (.host, let path?, _): .trust(try Self.certificates(at: path), path: path)
    case (.client, _, .identity(let path, let password)):
      .identity(try Self.identity(at: path), path: path, password: password)
    default: .standard
    }
  }
}
