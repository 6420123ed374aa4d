import Foundation

/// An authentication challenge of Foundation's session.
enum Challenge: Hashable, Sendable {
  /// Whether the server is trusted.
  case host
  /// A request for the client's certificate.
  case client
  /// Anything else, such as a password.
  case other
}

/// The answer to a challenge.
enum ChallengeAnswer: Hashable, Sendable {
  /// The default handling.
  case standard
  /// Trust in servers whose chain ends in one of these certificates, in DER, and in no others; they are from a file.
  case trust([Data], path: String)
  /// The client's identity: the content of a file in PKCS#12.
  case identity(Data, path: String, password: String)
}

extension TransportCertificates {
  /// Returns the answer to a challenge; the files are read again each time.
  func answer(to challenge: Challenge) throws(TransportError) -> ChallengeAnswer {
    switch (challenge, authorities, client) {
    case (.host, let path?, _): .trust(try Self.certificates(at: path), path: path)
    case (.client, _, .identity(let path, let password)):
      .identity(try Self.identity(at: path), path: path, password: password)
    default: .standard
    }
  }
}
