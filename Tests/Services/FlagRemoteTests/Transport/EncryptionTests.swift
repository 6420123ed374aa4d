#if canImport(Glibc)
  import FlagDefinitions
  import FlagDomain
  import FlagHTTP
  import FlagProviders
  import Foundation
  import TestSupport
  import Testing

  @testable import FlagFleet
  @testable import FlagRemote
  @testable import FlagTransport

  /// A proxy on loopback that decrypts, and ends with its last reference.
  final class DecryptingProxy: Sendable {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "TLS")

    let port: Int
    private let input = ChildProcess.pipe()
    private let output = ChildProcess.pipe()
    private let process: ChildProcess

    /// Starts a proxy of a port.
    init(of port: Int, asksForCertificates: Bool = false) throws {
      let words = [Self.folder.appending(path: "proxy.py").path, "\(port)", Self.folder.path]
      process = try ChildProcess(
        try InstalledProgram.require("python3"), words + (asksForCertificates ? ["ask"] : []),
        input: input.fileHandleForReading.fileDescriptor, output: output.fileHandleForWriting.fileDescriptor)
      try output.fileHandleForWriting.close()
      let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
      self.port = try #require(Int(line.trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    deinit {
      do { try input.fileHandleForWriting.close() } catch { print("a proxy stays: \(error)") }
    }

    /// The path of a file of certificates.
    static func file(_ name: String) -> String { folder.appending(path: "\(name).pem").path }

    /// The path of a file with the client's certificate and key, in PKCS#12.
    static func identity(_ name: String) -> String { folder.appending(path: "\(name).p12").path }
  }

  @Suite("Encrypted requests, on loopback", .timeLimit(.minutes(15)), .needs(.python))
  struct EncryptionTests {
    private static let authorities = TransportCertificates(authorities: DecryptingProxy.file("authority"))
    private static let identity = TransportCertificates.Client.identity(
      DecryptingProxy.identity("identity"), password: "secret of tests")
    private static let clients: [TransportCertificates.Client] = [
      .pem(certificate: DecryptingProxy.file("client"), key: DecryptingProxy.file("client-key")), identity,
      .identity(DecryptingProxy.identity("open"), password: ""),
    ]

    private static func certificates(_ client: TransportCertificates.Client) -> TransportCertificates {
      TransportCertificates(authorities: DecryptingProxy.file("authority"), client: client)
    }

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

    @Test("A service that cannot show who it is gets no request")
    func refusesStrangers() async throws {
      let server = try ScriptedServer { _, _ in [.response(body: "hello")] }
      let proxy = try DecryptingProxy(of: server.port)
      defer { withExtendedLifetime(proxy) {} }
      let isRefused = Result<HTTPResponse, TransportError>.failure(
        .certificate("TLS: the host's certificate is not trusted"))
      #expect(try await outcome(proxy.port, nil) == isRefused, "the system trusts no such authority")
      #expect(try await outcome(proxy.port, Self.authorities, host: "localhost") == isRefused, "it has another name")
      #expect(server.requests.isEmpty)
    }

    @Test("A client shows its certificate where it is asked for one, from PEM or PKCS#12", arguments: clients)
    func showsCertificate(client: TransportCertificates.Client) async throws {
      let server = try ScriptedServer { _, _ in [.response(body: "hello")] }
      let proxy = try DecryptingProxy(of: server.port, asksForCertificates: true)
      defer { withExtendedLifetime(proxy) {} }
      let certificates = Self.certificates(client)
      try CurlTransport.check(certificates)
      #expect(try await outcome(proxy.port, certificates).get().body == Array("hello".utf8))
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
      "A file in PKCS#12 that another password protects, or that is none by now, is an error that names it",
      arguments: [
        (DecryptingProxy.identity("identity"), "another", "expected PKCS#12 with the given password, found another"),
        (DecryptingProxy.identity("identity"), "", "expected PKCS#12 with the given password, found another"),
        (DecryptingProxy.file("client"), "", "expected PKCS#12, found another format"),
        (DecryptingProxy.identity("nobody"), "", ""),
      ])
    func refusesIdentity(path: String, password: String, problem: String) async throws {
      let server = try ScriptedServer { _, _ in [.response(body: "hello")] }
      let proxy = try DecryptingProxy(of: server.port, asksForCertificates: true)
      defer { withExtendedLifetime(proxy) {} }
      let outcome = try await outcome(proxy.port, Self.certificates(.identity(path, password: password)))
      guard case .failure(.certificate(let message)) = outcome else {
        Issue.record("expected a certificate that is refused, found \(outcome)")
        return
      }
      #expect(message.hasPrefix("\(path): \(problem)"))
      #expect(server.requests.isEmpty)
    }

    @Test("A provider follows an encrypted service, whose certificates are files")
    func followsService() async throws {
      let server = try ScriptedServer { _, _ in [.response(body: HTTPResponse.document(7))] }
      let proxy = try DecryptingProxy(of: server.port, asksForCertificates: true)
      defer { withExtendedLifetime(proxy) {} }
      var options = ServiceOptions()
      options.certificates = try CertificateFiles(
        authorities: DecryptingProxy.file("authority"), identity: DecryptingProxy.identity("identity"),
        password: "secret of tests")
      let url = try #require(URL(string: "https://127.0.0.1:\(proxy.port)/flags.json"))
      let provider = try DefinitionsProvider(url, options: options)
      await provider.wait { $0.read("size") == Reading(7, "STATIC") }
    }

    @Test(
      "A file that is missing, or holds no certificate, is an error that names it",
      arguments: [
        (DecryptingProxy.file("nobody"), nil, nil, "nobody.pem: "),
        (DecryptingProxy.folder.appending(path: "proxy.py").path, nil, nil, "proxy.py: expected a certificate in PEM"),
        (nil, DecryptingProxy.file("client"), DecryptingProxy.identity("open"), "open.p12: expected a key in PEM"),
        (nil, DecryptingProxy.file("client"), nil, "expected a certificate and its key, or neither, found one"),
      ] as [(String?, String?, String?, String)])
    func refusesFiles(authorities: String?, certificate: String?, key: String?, words: String) {
      let error = #expect(throws: FlagError.self) {
        try CertificateFiles(authorities: authorities, certificate: certificate, key: key)
      }
      #expect(error?.message.contains(words) == true)
    }

    @Test(
      "A file that is missing, or is not in PKCS#12, is an error that names it",
      arguments: [
        (DecryptingProxy.identity("nobody"), "nobody.p12: "),
        (DecryptingProxy.file("client"), "client.pem: expected PKCS#12, found another format"),
      ])
    func refusesIdentityFiles(path: String, words: String) {
      let error = #expect(throws: FlagError.self) { try CertificateFiles(identity: path) }
      #expect(error?.code == .providerFatal && error?.message.contains(words) == true)
    }

    @Test("Files are described by their paths, never by a password")
    func hidesPassword() throws {
      let path = DecryptingProxy.identity("identity")
      let files = try CertificateFiles(
        authorities: DecryptingProxy.file("authority"), identity: path, password: "secret of tests")
      #expect("\(files)" == "certificates in \(DecryptingProxy.file("authority")), \(path)")
      var dumped = ""
      dump(files, to: &dumped)
      #expect(![dumped, String(reflecting: files)].contains { $0.contains("secret") })
    }

    @Test("A member of etcd without a valid certificate is tried once, and reported at once")
    func refusesStrangeMember() async throws {
      let server = try ScriptedServer { _, _ in [.response(body: "{}")] }
      let proxy = try DecryptingProxy(of: server.port)
      defer { withExtendedLifetime(proxy) {} }
      var settings = try EtcdSettings(endpoints: ["https://127.0.0.1:\(proxy.port)"])
      settings.timeout = .seconds(600)
      settings.attemptTimeout = .seconds(200)
      let network = FaultyNetwork()
      let store = EtcdDefinitionStore(set: "app", settings: settings, environment: network.environment)
      let error = await #expect(throws: DefinitionStoreError.self) { try await store.head() }
      #expect(error?.message == "TLS: the host's certificate is not trusted")
      #expect(network.sent.value.count { $0 == "kv/txn" } == 1)
      #expect(server.requests.isEmpty)
    }

    @Test(
      "Members of etcd are asked over encrypted connections, their refusals with trailers, too", .needs(.etcd))
    func publishesEncrypted() async throws {
      try await RealEtcd.withCluster(members: 1) { cluster in
        let member = try #require(URL(string: cluster.endpoints[0])?.port)
        let proxy = try DecryptingProxy(of: member, asksForCertificates: true)
        defer { withExtendedLifetime(proxy) {} }
        var settings = try EtcdSettings(endpoints: ["https://127.0.0.1:\(proxy.port)"])
        settings.certificates = try CertificateFiles(
          authorities: DecryptingProxy.file("authority"), certificate: DecryptingProxy.file("client"),
          key: DecryptingProxy.file("client-key"))
        let store = EtcdDefinitionStore(set: "app", settings: settings)
        try await RealEtcd.publish(RealEtcd.text(1), to: store)
        let provider = DefinitionsProvider(sets: ["app"], settings: settings)
        await provider.waitForSize(1)
        try await RealEtcd.publish(RealEtcd.text(2), to: store)
        await provider.waitForSize(2)
        await store.close()
      }
    }
  }
#endif
