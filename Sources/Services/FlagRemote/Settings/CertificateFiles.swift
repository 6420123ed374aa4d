public import FlagDomain
import FlagTransport

/// The certificates for a service with its own authority, as files: the trusted ones, and the client's own.
///
/// ```swift
/// settings.certificates = try CertificateFiles(
///   authorities: "/etc/flags/authority.pem", identity: "/etc/flags/client.p12", password: password)
/// ```
///
/// Files are read again for each connection, so that certificates can be renewed. If one has become unusable, requests
/// fail with an error that names it. Descriptions never contain the password.
///
/// On Linux the client's certificate is in PKCS#12 or in PEM, on Apple's platforms only in PKCS#12. There, App
/// Transport Security lets an app trust other authorities than the system's only for hosts that have an exception in
/// its `Info.plist` (`NSExceptionAllowsInsecureHTTPLoads`); an authority that the device's owner installed needs none.
/// Other platforms report an error.
public struct CertificateFiles: Hashable, Sendable {
  let files: TransportCertificates

  /// Creates certificates from PEM files; on Apple's platforms only the trusted ones.
  ///
  /// - Parameters:
  ///   - authorities: The trusted certificates, in place of the system's; nil for the system's.
  ///   - certificate: The certificate that authenticates the client, and its intermediates.
  ///   - key: The key of that certificate, without a password.
  /// - Throws: A `FlagError` with the code `providerFatal` that says which file is missing, is not in PEM, or has a
  ///   certificate that cannot be parsed; on Apple's platforms also if there is a key, with the way to convert it to
  ///   PKCS#12.
  public init(authorities: String? = nil, certificate: String? = nil, key: String? = nil) throws(FlagError) {
    guard (certificate == nil) == (key == nil) else {
      throw FlagError(.providerFatal, "expected a certificate and its key, or neither, found one of them")
    }
    var files = TransportCertificates(authorities: authorities)
    if let certificate, let key { files.client = .pem(certificate: certificate, key: key) }
    try self.init(files)
  }

  /// Creates certificates with the client's certificate and its key from one file, in PKCS#12.
  ///
  /// The following command converts PEM files to a form that OpenSSL and Apple's systems read:
  ///
  /// ```sh
  /// openssl pkcs12 -export -in client.pem -inkey client-key.pem -out client.p12 \
  ///   -macalg sha1 -keypbe PBE-SHA1-3DES -certpbe PBE-SHA1-3DES
  /// ```
  ///
  /// - Parameters:
  ///   - authorities: The trusted certificates, in PEM, in place of the system's; nil for the system's.
  ///   - identity: The certificate that authenticates the client, its intermediates, and its key.
  ///   - password: The password that protects the file, which Apple's platforms require; a wrong one is an error at the
  ///     first connection.
  /// - Throws: A `FlagError` with the code `providerFatal` that says which file is missing, has another format, lacks a
  ///   required password, or has a certificate that cannot be parsed.
  public init(authorities: String? = nil, identity: String, password: String = "") throws(FlagError) {
    try self.init(TransportCertificates(authorities: authorities, client: .identity(identity, password: password)))
  }

  private init(_ files: TransportCertificates) throws(FlagError) {
    do throws(TransportError) {
      try SystemTransport.check(files)
    } catch {
      throw FlagError(.providerFatal, "\(error)")
    }
    self.files = files
  }
}

extension CertificateFiles: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The paths of the files, without the password.
  public var description: String {
    let client: [String?] =
      switch files.client {
      case .pem(let certificate, let key): [certificate, key]
      case .identity(let path, password: _): [path]
      case nil: []
      }
    return "certificates in \(([files.authorities] + client).compactMap(\.self).joined(separator: ", "))"
  }
  /// The paths of the files, without the password.
  public var debugDescription: String { description }
  /// An empty mirror, which hides the password.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension ServiceEnvironment {
  package init(_ certificates: CertificateFiles?) { self.init(SystemTransport(certificates: certificates?.files)) }
}
