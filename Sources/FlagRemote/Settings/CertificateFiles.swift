public import FlagDomain
import FlagTransport

/// The certificates of a service of one's own, as files: those that are trusted, and the client's own.
///
/// ```swift
/// settings.certificates = try CertificateFiles(
///   authorities: "/etc/flags/authority.pem", identity: "/etc/flags/client.p12", password: password)
/// ```
///
/// Files are read again for each connection, so that certificates can be renewed. One that cannot be used by then is an
/// error of the request, which names it. Descriptions never hold the password.
///
/// On Linux the client's certificate is in PKCS#12 or in PEM, on Apple's platforms in PKCS#12 alone. There, App
/// Transport Security lets an app trust other authorities than the system's only for hosts that its `Info.plist` has an
/// exception for (`NSExceptionAllowsInsecureHTTPLoads`); an authority that the device's owner installed needs none. On
/// other platforms there is an error.
public struct CertificateFiles: Hashable, Sendable {
  let files: TransportCertificates

  /// Takes files in PEM; on Apple's platforms the trusted certificates alone.
  ///
  /// - Parameters:
  ///   - authorities: The certificates that are trusted, in place of the system's; nil for the system's.
  ///   - certificate: The certificate with which the client shows who it is, and those that vouch for it.
  ///   - key: The key of that certificate, which no password protects.
  /// - Throws: A `FlagError` of the code `providerFatal` that says which file is missing, is not in PEM, or has a
  ///   certificate that cannot be read; on Apple's platforms also where there is a key, and how PKCS#12 is made of it.
  public init(authorities: String? = nil, certificate: String? = nil, key: String? = nil) throws(FlagError) {
    guard (certificate == nil) == (key == nil) else {
      throw FlagError(.providerFatal, "expected a certificate and its key, or neither, found one of them")
    }
    var files = TransportCertificates(authorities: authorities)
    if let certificate, let key { files.client = .pem(certificate: certificate, key: key) }
    try self.init(files)
  }

  /// Takes the client's certificate and its key from one file, in PKCS#12.
  ///
  /// One that OpenSSL and Apple's systems read is made of files in PEM by
  ///
  /// ```sh
  /// openssl pkcs12 -export -in client.pem -inkey client-key.pem -out client.p12 \
  ///   -macalg sha1 -keypbe PBE-SHA1-3DES -certpbe PBE-SHA1-3DES
  /// ```
  ///
  /// - Parameters:
  ///   - authorities: The certificates that are trusted, in PEM, in place of the system's; nil for the system's.
  ///   - identity: The certificate with which the client shows who it is, those that vouch for it, and its key.
  ///   - password: The password that protects the file, which Apple's platforms do not take without one; whether it is
  ///     the right one is seen at the first connection.
  /// - Throws: A `FlagError` of the code `providerFatal` that says which file is missing, in another format, without a
  ///   password that is needed, or has a certificate that cannot be read.
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
  /// Nothing to look into.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension ServiceEnvironment {
  package init(_ certificates: CertificateFiles?) { self.init(SystemTransport(certificates: certificates?.files)) }
}
