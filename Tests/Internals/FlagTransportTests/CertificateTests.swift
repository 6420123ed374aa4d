import Foundation
import TestSupport
import Testing

@testable import FlagTransport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Files of certificates, and what Foundation's session is told of them", .timeLimit(.minutes(15)))
struct CertificateTests {
  private static let one = "-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n"
  private static let two = "-----BEGIN X509 CERTIFICATE-----\nMA\nEB\n-----END X509 CERTIFICATE-----\n"
  private static let both = one + two
  private static let key = "-----BEGIN PRIVATE KEY-----\n!\n-----END PRIVATE KEY-----\n"

  @Test(
    "Certificates in PEM are read in their order, whatever is around them and however lines end",
    arguments: [
      both, "an authority\n\(one)another\n\(two)the end", "\(key)\(one)\(key)\(two)",
      "-----END CERTIFICATE-----\n\(both)", both.replacing("\n", with: "\r\n"),
      both.replacing("\n", with: " \t\n\n"), String(both.dropLast()),
    ] as [String])
  func readsPEM(text: String) throws {
    let certificates = try TransportCertificates.certificates(in: text, at: "a.pem")
    #expect(certificates == [Data([0x30, 0]), Data([0x30, 1, 1])])
  }

  @Test(
    "What is no certificate in PEM is an error that names the file, and which one it is",
    arguments: [
      ("", "expected a certificate in PEM, found none"),
      (key, "expected a certificate in PEM, found none"),
      (one.replacing("MAA=", with: "MAA"), "certificate 1 is not in base64"),
      (one.replacing("MAA=", with: ""), "certificate 1 is not in base64"),
      ("\(one)\(two.replacing("EB", with: "é"))", "certificate 2 is not in base64"),
      ("\(one)\(two.replacing("EB", with: "a: b"))", "certificate 2 is not in base64"),
      ("\(one)\(two.prefix(40))", "certificate 2 has no end"),
      ("\(one)\(one.prefix(33))\(two)", "certificate 2 has no end"),
      (one.replacing("END CERTIFICATE", with: "END"), "certificate 1 has no end"),
    ] as [(String, String)])
  func refusesPEM(text: String, problem: String) {
    #expect(throws: TransportError.certificate("a.pem: \(problem)")) {
      try TransportCertificates.certificates(in: text, at: "a.pem")
    }
  }

  @Test(
    "A file that begins as PKCS#12 does is taken for it, and no other",
    arguments: [
      ([0x30, 0x05, 2, 1, 3, 0x30, 0], true), ([0x30, 0x82, 1, 0, 2, 1, 3], true), ([0x30, 0x80, 2, 1, 3], true),
      ([], false), ([0x30], false), ([0x30, 0x82], false), ([0x30, 0x82, 1, 0], false), ([0x30, 0xFF, 2, 1, 3], false),
      ([0x30, 0x05, 2, 1, 1], false), (Array(one.utf8), false),
    ] as [([UInt8], Bool)])
  func knowsPKCS12(bytes: [UInt8], isTaken: Bool) throws {
    let file = try TemporaryFile(Data(bytes))
    defer { file.remove() }
    if isTaken {
      #expect(try TransportCertificates.identity(at: file.path) == Data(bytes))
    } else {
      #expect(throws: TransportError.certificate("\(file.path): expected PKCS#12, found another format")) {
        try TransportCertificates.identity(at: file.path)
      }
    }
  }

  @Test("A session receives the files' current content; other challenges get the default handling")
  func answersChallenges() throws {
    let authorities = try TemporaryFile(Data(Self.one.utf8))
    let identity = try TemporaryFile(Data([0x30, 3, 2, 1, 3]))
    defer { for file in [authorities, identity] { file.remove() } }
    let certificates = TransportCertificates(
      authorities: authorities.path, client: .identity(identity.path, password: "word"))
    func answers(_ certificates: TransportCertificates) throws -> [ChallengeAnswer] {
      try [.host, .client, .other].map { try certificates.answer(to: $0) }
    }
    let client = ChallengeAnswer.identity(Data([0x30, 3, 2, 1, 3]), path: identity.path, password: "word")
    #expect(
      try answers(certificates) == [.trust([Data([0x30, 0])], path: authorities.path), client, .standard])
    try authorities.write(Data((Self.two).utf8))
    #expect(try certificates.answer(to: .host) == .trust([Data([0x30, 1, 1])], path: authorities.path))
    try authorities.write(Data())
    #expect(throws: TransportError.certificate("\(authorities.path): expected a certificate in PEM, found none")) {
      try certificates.answer(to: .host)
    }
    #expect(
      try answers(TransportCertificates(client: certificates.client)) == [.standard, client, .standard])
    #expect(try answers(TransportCertificates()) == [.standard, .standard, .standard])
  }

  @Test("A request that is refused for certificates ends with that, not with the cancellation that follows")
  func tellsRefusal() async throws {
    let delegate = SessionDelegate(nil)
    let exchange = Exchange(limit: 100)
    let session = URLSession(configuration: .ephemeral)
    defer { session.invalidateAndCancel() }
    let task = session.dataTask(with: try #require(URL(string: "https://127.0.0.1/")))
    delegate.add(exchange, for: task.taskIdentifier)
    exchange.onCancel { delegate.remove(task.taskIdentifier) }
    delegate.refuse(task, .hostRefused)
    delegate.urlSession(session, task: task, didCompleteWithError: URLError(.cancelled))
    await #expect(throws: TransportError.hostRefused) {
      try await exchange.head()
    }
    #expect(delegate.running == 0)
  }

  @Test(
    "Foundation's session takes no key in PEM, of which it says how PKCS#12 is made, and no PKCS#12 without a password",
    arguments: [
      (
        .pem(certificate: "a.pem", key: "b.pem"),
        "expected an identity in PKCS#12, found PEM, of which one is made by: openssl pkcs12 -export -in a.pem "
          + "-inkey b.pem -out identity.p12 -macalg sha1 -keypbe PBE-SHA1-3DES -certpbe PBE-SHA1-3DES"
      ),
      (
        .identity("a.p12", password: ""),
        "a.p12: expected a password, without which the system takes no PKCS#12, found none"
      ),
    ] as [(TransportCertificates.Client, String)])
  func refusesClients(client: TransportCertificates.Client, problem: String) {
    #expect(throws: TransportError.certificate(problem)) {
      try URLSessionTransport.check(TransportCertificates(client: client))
    }
  }

  @Test(
    "What the system says of a file in PKCS#12 is an error that names the file",
    arguments: [
      (0, "expected a certificate with its key, found none"),
      (-25293, "expected PKCS#12 with the given password, found another password, or a form unknown here"),
      (-26275, "expected PKCS#12, found another format"), (-4, "PKCS#12 cannot be imported (-4)"),
    ] as [(Int32, String)])
  func explainsStatus(status: Int32, problem: String) {
    #expect(TransportError.identityRefused("a.p12", status: status) == .certificate("a.p12: \(problem)"))
  }
}

/// A file that a test removes.
private struct TemporaryFile {
  private let url = FileManager.default.temporaryDirectory.appending(path: "certificates-\(UUID().uuidString)")
  var path: String { url.path }

  init(_ content: Data) throws { try write(content) }

  func write(_ content: Data) throws { try content.write(to: url) }

  func remove() {
    do { try FileManager.default.removeItem(at: url) } catch { Issue.record(error) }
  }
}
