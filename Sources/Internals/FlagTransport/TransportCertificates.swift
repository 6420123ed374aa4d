import FlagFoundation
import FlagHTTP

/// The files of certificates for encrypted connections, in PEM.
package struct TransportCertificates: Hashable, Sendable {
  /// The trusted certificates, in place of the system's.
  package var authorities: String?
  /// The certificate that authenticates the client.
  package var certificate: String?
  /// The key of that certificate.
  package var key: String?

  package init(authorities: String? = nil, certificate: String? = nil, key: String? = nil) {
    (self.authorities, self.certificate, self.key) = (authorities, certificate, key)
  }

  /// Checks that the files can be read, and contain what they are for; the library reads them as a whole.
  package func check() throws(TransportError) {
    for (path, suffix, name) in [
      (authorities, "CERTIFICATE-----", "a certificate"), (certificate, "CERTIFICATE-----", "a certificate"),
      (key, "KEY-----", "a key"),
    ] {
      guard let path else { continue }
      let content: Data
      do {
        content = try Data(contentsOf: URL(filePath: path))
      } catch {
        throw .certificate("\(path): expected a file that can be read: \(error.words)")
      }
      let lines = String(decoding: content, as: UTF8.self).split(whereSeparator: \.isNewline)
      guard lines.contains(where: { $0.hasPrefix("-----BEGIN ") && $0.trimmingHTTPSpace.hasSuffix(suffix) }) else {
        throw .certificate("\(path): expected \(name) in PEM, found none")
      }
    }
  }
}

extension TransportError {
  /// An error for a server certificate that no trusted authority has signed.
  static let hostRefused = Self.certificate(
    "TLS: the host's certificate is not trusted: trust the authority that signed it, or look for a proxy between")
  static let hostExpired = Self.certificate("TLS: the host's certificate has expired, or this machine's date is wrong")
  static let hostNotYetValid = Self.certificate(
    "TLS: the host's certificate is not valid yet: look at this machine's date")

  /// Returns the error for a host's certificate, by OpenSSL's result of its verification (X509_V_ERR in x509_vfy.h).
  static func hostRefused(_ host: HTTPHost?, verification: Int) -> Self {
    switch verification {
    // The library compares the names before it stores a result, which begins as 1.
    case 0, 1: .certificate("TLS: the certificate is not for \(host.name): look at the address")
    case 9: .hostNotYetValid
    case 10: .hostExpired
    case 18...21: .hostRefused
    default: .certificate("TLS: the host's certificate is refused (\(verification))")
    }
  }
}
