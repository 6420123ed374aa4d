#if canImport(Glibc)
  import FlagHTTP
  import Foundation
  import TestSupport
  import Testing

  @testable import FlagTransport

  @Suite("Encrypted requests, on loopback", .timeLimit(.minutes(15)), .needs(.python))
  struct EncryptionTests {
    private static let authorities = TransportCertificates(authorities: DecryptingProxy.file("authority"))
    private static let client = TransportCertificates(
      authorities: DecryptingProxy.file("authority"), certificate: DecryptingProxy.file("client"),
      key: DecryptingProxy.file("client-key"))

    private func outcome(
      _ port: Int, _ certificates: TransportCertificates?, host: String = "127.0.0.1"
    ) async throws -> Result<HTTPResponse, TransportError> {
      let url = try #require(URL(string: "https://\(host):\(port)/"))
      let client = HTTPClient(CurlTransport(certificates: certificates))
      do throws(TransportError) {
        return .success(try await client.send(TransportRequest(.get, url), timeout: .seconds(600)))
      } catch {
        return .failure(error)
      }
    }

    @Test("A service whose authority is trusted answers, trailers and all")
    func answers() async throws {
      let server = try ScriptedServer { _, _ in
        [
          .text("HTTP/1.1 503 X\r\nTrailer: A\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbusy\r\n0\r\nA: b\r\n\r\n"),
          .waitForClient,
        ]
      }
      let proxy = try DecryptingProxy(of: server.port)
      defer { withExtendedLifetime(proxy) {} }
      let response = try await outcome(proxy.port, Self.authorities).get()
      #expect(response.status == .serviceUnavailable && response.body == Array("busy".utf8))
    }

    @Test(
      "A service that cannot show who it is gets no request, and the error says what to look at",
      arguments: [
        (
          "server", nil, "127.0.0.1",
          "TLS: the host's certificate is not trusted: trust the authority that signed it, or look for a proxy between"
        ),
        ("server", "authority", "localhost", "TLS: the certificate is not for localhost: look at the address"),
        (
          "expired", "expired", "127.0.0.1",
          "TLS: the host's certificate has expired, or this machine's date is wrong"
        ),
        (
          "future", "future", "127.0.0.1",
          "TLS: the host's certificate is not valid yet: look at this machine's date"
        ),
      ] as [(String, String?, String, String)])
    func refusesStrangers(shown: String, trusted: String?, host: String, message: String) async throws {
      let server = try ScriptedServer { _, _ in [.response(body: "hello")] }
      let proxy = try DecryptingProxy(of: server.port, showing: shown)
      defer { withExtendedLifetime(proxy) {} }
      let certificates = trusted.map { TransportCertificates(authorities: DecryptingProxy.file($0)) }
      let refusal = try await outcome(proxy.port, certificates, host: host)
      #expect(refusal == .failure(.certificate(message)), "\(refusal)")
      #expect(server.requests.isEmpty)
    }

    @Test("A client shows its certificate where it is asked for one")
    func showsCertificate() async throws {
      let server = try ScriptedServer { _, _ in [.response(body: "hello")] }
      let proxy = try DecryptingProxy(of: server.port, asksForCertificates: true)
      defer { withExtendedLifetime(proxy) {} }
      try CurlTransport.check(Self.client)
      #expect(try await outcome(proxy.port, Self.client).get().body == Array("hello".utf8))
    }

    @Test("A client without a certificate is let in nowhere where it is asked for one")
    func needsCertificate() async throws {
      let server = try ScriptedServer { _, _ in [.response(body: "hello")] }
      let proxy = try DecryptingProxy(of: server.port, asksForCertificates: true)
      defer { withExtendedLifetime(proxy) {} }
      guard case .failure(.failed) = try await outcome(proxy.port, Self.authorities) else {
        Issue.record("expected a failure")
        return
      }
      #expect(server.requests.isEmpty)
    }

    @Test(
      "A client certificate that is none by now is an error that names it, and one without its key is refused",
      arguments: [
        (DecryptingProxy.file("nobody"), "\(DecryptingProxy.file("nobody")): expected a file that can be read: "),
        (DecryptingProxy.file("server-key"), "\(DecryptingProxy.file("server-key")): expected a certificate in PEM"),
        (DecryptingProxy.file("server"), "TLS: the client certificate or its key cannot be used"),
      ])
    func refusesCertificate(path: String, problem: String) async throws {
      let server = try ScriptedServer { _, _ in [.response(body: "hello")] }
      let proxy = try DecryptingProxy(of: server.port, asksForCertificates: true)
      defer { withExtendedLifetime(proxy) {} }
      var certificates = Self.client
      certificates.certificate = path
      let outcome = try await outcome(proxy.port, certificates)
      guard case .failure(.certificate(let message)) = outcome else {
        Issue.record("expected a certificate that is refused, found \(outcome)")
        return
      }
      #expect(message.hasPrefix(problem))
      #expect(server.requests.isEmpty)
    }
  }
#endif
