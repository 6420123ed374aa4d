import FlagHTTP
import Foundation

/// The files of certificates for encrypted connections.
package struct TransportCertificates: Hashable, Sendable {
  /// The certificate that authenticates the client.
  package enum Client: Hashable, Sendable {
    /// A certificate and its key, each in a PEM file.
    case pem(certificate: String, key: String)
    /// A file in PKCS#12 that contains both, and the password that protects it.
    case identity(String, password: String)
  }

  /// A PEM file with the trusted certificates, in place of the system's.
  package var authorities: String?
  package var client: Client?

  package init(authorities: String? = nil, client: Client? = nil) {
    self.authorities = authorities
    self.client = client
  }

  /// Checks that the files exist, and are in the expected formats.
  package func check() throws(TransportError) {
    if let authorities { _ = try Self.certificates(at: authorities) }
    switch client {
    case .pem(let certificate, let key):
      _ = try Self.certificates(at: certificate)
      guard try Self.content(at: key).range(of: Data("-----BEGIN ".utf8)) != nil else {
        throw .certificate("\(key): expected a key in PEM, found none")
      }
    case .identity(let path, password: _): _ = try Self.identity(at: path)
    case nil: break
    }
  }
}

extension TransportCertificates {
  private static func content(at path: String) throws(TransportError) -> Data {
    do {
      return try Data(contentsOf: URL(filePath: path))
    } catch {
      throw .certificate("\(path): expected a file that can be read: \(error.localizedDescription)")
    }
  }

  /// Reads the certificates of a PEM file, as DER, in their order.
  static func certificates(at path: String) throws(TransportError) -> [Data] {
    try certificates(in: String(decoding: try content(at: path), as: UTF8.self), at: path)
  }

  /// Parses the certificates of a text in PEM; everything around them, including keys, is ignored.
  static func certificates(in text: String, at path: String) throws(TransportError) -> [Data] {
    var certificates: [Data] = []
    /// The lines of the current certificate.
    var base64: String?
    var problem: TransportError { .certificate("\(path): certificate \(certificates.count + 1) has no end") }
    for line in text.split(whereSeparator: \.isNewline) {
      let line = line.trimmingCharacters(in: .whitespaces)
      // "X509 CERTIFICATE" and "TRUSTED CERTIFICATE" are other names for it.
      let isBoundary = line.hasSuffix("CERTIFICATE-----")
      if isBoundary, line.hasPrefix("-----BEGIN ") {
        guard base64 == nil else { throw problem }
        base64 = ""
      } else if isBoundary, line.hasPrefix("-----END "), let lines = base64 {
        guard let certificate = Data(base64Encoded: lines), !certificate.isEmpty else {
          throw .certificate("\(path): certificate \(certificates.count + 1) is not in base64")
        }
        certificates.append(certificate)
        base64 = nil
      } else {
        base64?.append(line)
      }
    }
    guard base64 == nil else { throw problem }
    guard !certificates.isEmpty else { throw .certificate("\(path): expected a certificate in PEM, found none") }
    return certificates
  }

  /// Reads a file that begins as PKCS#12 does: with a sequence in DER whose first element is the version, 3.
  static func identity(at path: String) throws(TransportError) -> Data {
    let content = try content(at: path)
    let start = [UInt8](content.prefix(16))
    // The byte after the tag is the length, or the number of bytes of the length.
    let lengthCount = start.count > 1 && start[1] > 0x80 ? Int(start[1] & 0x7F) : 0
    guard start.first == 0x30, start.dropFirst(2 + lengthCount).starts(with: [2, 1, 3]) else {
      throw .certificate("\(path): expected PKCS#12, found another format")
    }
    return content
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

  /// Returns the error for a file in PKCS#12 that cannot be opened, if the cause is unknown.
  static func identityRefused(_ path: String) -> Self {
    .certificate("\(path): expected PKCS#12 with the given password, found another password, or a form unknown here")
  }

  /// Returns the error for a failed import of a file in PKCS#12, by the codes of Security's SecBase.h.
  static func identityRefused(_ path: String, status: Int32) -> Self {
    switch status {
    case 0: .certificate("\(path): expected a certificate with its key, found none")
    // errSecAuthFailed, errSecPkcs12VerifyFailure, errSecPassphraseRequired; they also occur for an unknown form.
    case -25293, -25264, -25260: .identityRefused(path)
    case -26275: .certificate("\(path): expected PKCS#12, found another format")  // errSecDecode
    default: .certificate("\(path): PKCS#12 cannot be imported (\(status))")
    }
  }
}
