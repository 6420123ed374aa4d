public import FlagDomain
import FlagTransport
import Foundation

/// The certificates of a service of one's own, as files in PEM: on Linux.
///
/// ```swift
/// settings.certificates = try CertificateFiles(
///   authorities: "/etc/flags/authority.pem", certificate: "/etc/flags/client.pem", key: "/etc/flags/client-key.pem")
/// ```
///
/// On Apple's platforms the certificates of the keychain count, to which a device's owner adds others.
public struct CertificateFiles: Hashable, Sendable {
  let files: TransportCertificates

  /// Takes files, which are read again for each connection, so that certificates can be renewed.
  ///
  /// - Parameters:
  ///   - authorities: The certificates that are trusted, in place of the system's; nil for the system's.
  ///   - certificate: The certificate with which the client shows who it is, and those that vouch for it.
  ///   - key: The key of that certificate, which no password protects.
  /// - Throws: A `FlagError` of the code `providerFatal` that says which file is missing, or is not in PEM.
  public init(authorities: String? = nil, certificate: String? = nil, key: String? = nil) throws(FlagError) {
    #if !canImport(Glibc)
      throw FlagError(.providerFatal, "expected the keychain's certificates, found files, which are for Linux alone")
    #else
      guard (certificate == nil) == (key == nil) else {
        throw FlagError(.providerFatal, "expected a certificate and its key, or neither, found one of them")
      }
      for path in [authorities, certificate, key] {
        if let path { try Self.check(path) }
      }
      files = TransportCertificates(authorities: authorities, certificate: certificate, key: key)
    #endif
  }

  private static func check(_ path: String) throws(FlagError) {
    let content: Data
    do {
      content = try Data(contentsOf: URL(filePath: path))
    } catch {
      throw FlagError(.providerFatal, "\(path): \(error.localizedDescription)")
    }
    guard content.range(of: Data("-----BEGIN ".utf8)) != nil else {
      throw FlagError(.providerFatal, "\(path): expected PEM, found no line that begins with -----BEGIN")
    }
  }
}

extension ServiceEnvironment {
  /// Creates an environment whose connections use certificates.
  init(_ certificates: CertificateFiles?) {
    #if canImport(Glibc)
      self.init(SystemTransport(certificates: certificates?.files))
    #else
      self.init()
    #endif
  }
}
