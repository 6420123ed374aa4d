#if canImport(Glibc)
  import FlagDomain
  import FlagHTTP
  import FlagProviders
  import Foundation
  import TestSupport
  import Testing

  @testable import FlagRemote

  @Suite("Encrypted services, on loopback", .timeLimit(.minutes(15)), .needs(.python))
  struct EncryptionTests {
    @Test("A provider follows an encrypted service, whose certificates are files")
    func followsService() async throws {
      let server = try ScriptedServer { _, _ in [.response(body: HTTPResponse.document(7))] }
      let proxy = try DecryptingProxy(of: server.port, asksForCertificates: true)
      defer { withExtendedLifetime(proxy) {} }
      var options = ServiceOptions()
      options.certificates = try CertificateFiles(
        authorities: DecryptingProxy.file("authority"), certificate: DecryptingProxy.file("client"),
        key: DecryptingProxy.file("client-key"))
      let url = try #require(URL(string: "https://127.0.0.1:\(proxy.port)/flags.json"))
      let provider = try DefinitionStoreProvider(url, options: options)
      await provider.wait { $0.read("size") == Reading(7, "STATIC") }
    }

    @Test(
      "A file that is missing, or holds no certificate, is an error that names it",
      arguments: [
        (DecryptingProxy.file("nobody"), nil, nil, "nobody.pem: "),
        (DecryptingProxy.folder.appending(path: "proxy.py").path, nil, nil, "proxy.py: expected a certificate in PEM"),
        (nil, DecryptingProxy.file("client"), DecryptingProxy.file("client"), "client.pem: expected a key in PEM"),
        (nil, DecryptingProxy.file("client"), nil, "expected a certificate and its key, or neither, found one"),
      ] as [(String?, String?, String?, String)])
    func refusesFiles(authorities: String?, certificate: String?, key: String?, words: String) {
      let error = #expect(throws: FlagError.self) {
        try CertificateFiles(authorities: authorities, certificate: certificate, key: key)
      }
      #expect(error?.code == .providerFatal && error?.message.contains(words) == true)
    }
  }
#endif
