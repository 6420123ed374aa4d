import Foundation
import Testing

@testable import FlagTransport

@Suite("Files of certificates")
struct CertificateTests {
  private static let certificate = "-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n"
  private static let key = "-----BEGIN PRIVATE KEY-----\n!\n-----END PRIVATE KEY-----\n"

  @Test(
    "A file holds what it is for, in PEM, whatever is around it and however lines end, or the error names it",
    arguments: [
      (certificate, true, false), ("an authority\r\n\(certificate.replacing("\n", with: " \r\n"))", true, false),
      (certificate.replacing("CERT", with: "X509 CERT"), true, false), (key, false, true),
      (key + certificate, true, true), (key.replacing("PRIV", with: "RSA PRIV"), false, true), ("", false, false),
      ("BEGIN CERTIFICATE", false, false),
    ])
  func checks(text: String, isCertificate: Bool, isKey: Bool) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "certificates-\(UUID().uuidString)")
    try Data(text.utf8).write(to: file)
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: file) } }
    for (files, isFine, name) in [
      (TransportCertificates(authorities: file.path), isCertificate, "certificate"),
      (TransportCertificates(certificate: file.path), isCertificate, "certificate"),
      (TransportCertificates(key: file.path), isKey, "key"),
    ] {
      let error = TransportError.certificate("\(file.path): expected a \(name) in PEM, found none")
      if isFine { try files.check() } else { #expect(throws: error) { try files.check() } }
    }
  }

  #if !canImport(Glibc) || TESTS_URLSESSION
    @Test("Foundation's session takes the system's certificates alone")
    func refusesFiles() {
      let error = TransportError.certificate(
        "expected the system's certificates, found files, which are for libcurl on Linux")
      #expect(throws: error) { try URLSessionTransport.check(TransportCertificates()) }
    }
  #endif
}
