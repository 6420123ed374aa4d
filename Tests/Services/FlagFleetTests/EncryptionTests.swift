#if canImport(Glibc)
  import FlagDefinitions
  import FlagProviders
  import Foundation
  import TestSupport
  import Testing

  @testable import FlagFleet
  @testable import FlagRemote

  @Suite("Encrypted members of etcd, on loopback", .timeLimit(.minutes(15)), .needs(.python))
  struct EncryptionTests {
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
      #expect(error?.message.hasPrefix("TLS: the host's certificate is not trusted") == true)
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
        let provider = DefinitionStoreProvider(sets: ["app"], settings: settings)
        await provider.waitForSize(1)
        try await RealEtcd.publish(RealEtcd.text(2), to: store)
        await provider.waitForSize(2)
        await store.close()
      }
    }
  }
#endif
