/// Files of certificates, in PEM, for a connection that is encrypted.
package struct TransportCertificates: Hashable, Sendable {
  /// Those that are trusted, in place of the system's.
  package var authorities: String?
  /// That with which the client shows who it is.
  package var certificate: String?
  /// The key of that.
  package var key: String?

  package init(authorities: String? = nil, certificate: String? = nil, key: String? = nil) {
    self.authorities = authorities
    self.certificate = certificate
    self.key = key
  }
}
