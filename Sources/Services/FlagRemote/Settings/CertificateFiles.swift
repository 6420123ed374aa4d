public import FlagDomain
import FlagTransport

/// The certificates for a service with its own authority, as files in PEM: the trusted ones, and the client's own.
///
/// ```swift
/// settings.certificates = try CertificateFiles(
///   authorities: "/etc/flags/authority.pem", certificate: "/etc/flags/client.pem", key: "/etc/flags/client-key.pem")
/// ```
///
/// Files are read again for each connection, so that certificates can be renewed. If one has become unusable, requests
/// fail with an error that names it.
///
/// They are for Linux. Elsewhere they are an error, and the system's trusted certificates count, to which the owner of
/// a device can add authorities.
public struct CertificateFiles: Hashable, Sendable {
  let files: TransportCertificates

  /// Creates certificates from PEM files.
  ///
  /// - Parameters:
  ///   - authorities: The trusted certificates, in place of the system's; nil for the system's.
  ///   - certificate: The certificate that authenticates the client, and its intermediates.
  ///   - key: The key of that certificate, without a password.
  /// - Throws: A `FlagError` with the code `providerFatal` that says which file is missing or is not in PEM, or that
  ///   this platform takes no files.
  public init(authorities: String? = nil, certificate: String? = nil, key: String? = nil) throws(FlagError) {
    guard (certificate == nil) == (key == nil) else {
      throw FlagError(.providerFatal, "expected a certificate and its key, or neither, found one of them")
    }
    files = TransportCertificates(authorities: authorities, certificate: certificate, key: key)
    do throws(TransportError) {
      try SystemTransport.check(files)
    } catch {
      throw FlagError(.providerFatal, "\(error)")
    }
  }
}

extension ServiceEnvironment {
  package init(_ certificates: CertificateFiles?) { self.init(SystemTransport(certificates: certificates?.files)) }
}
