import FeedFlags
import FlagComposition
import FlagDomain
import FlagProviders
import FlagRemote
import FlagServices
import Foundation
import Testing

@Suite("Guide to remote services", .timeLimit(.minutes(15)))
struct RemoteServicesGuide {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "guide-\(UUID().uuidString)")
  private let token = "secret"
  private let variables = ["OFREP_ENDPOINT": "http://127.0.0.1:9/api"]

  /// Ports without a listener: the guide's code must work without a service, too.
  private func address(_ path: String) throws -> URL { try #require(URL(string: "http://127.0.0.1:9/\(path)")) }

  private func log(_ text: String) { #expect(text.hasPrefix("definitions is error: ")) }

  @Test("Definitions over HTTP")
  func followsDefinitions() async throws {
    let (url, events) = (try address("flags.json"), try address("flags/events"))
    var options = ServiceOptions()
    options.credentials = .bearer(token)
    options.cache = AnswerCache(in: folder)
    let store = try HTTPDefinitionStore(url, events: events, options: options)
    let definitions = DefinitionStoreProvider(store)
    let flags = try FeatureFlagClient(catalogs: [FeedFlags.catalog]) { definitions }
    let statuses = await flags.ready(timeout: .seconds(2))
    for (provider, status) in statuses where status.values != .fresh {
      log("\(provider) is \(status.state): \(status.error?.message ?? "not asked yet")")
    }
    #expect(statuses.count == 1)
    if statuses.isEmpty {
      for await status in definitions.statuses() where status.state == .ready { break }
    }
    store.enterBackground()
    store.becomeActive()
    #expect(!FileManager.default.fileExists(atPath: folder.path))
  }

  @Test("OFREP")
  func asksOFREP() throws {
    let service = try address("api")
    var options = ServiceOptions()
    options.privateAttributes = ["email"]
    let provider = try RemoteProvider(ofrep: service, attributes: ["version": 7], options: options)
    provider.updateAttributes(["consent": true])
    #expect(provider.attributes == ["version": 7, "consent": true])
    let settings = try OFREPSettings(environment: variables)
    let shared = try RemoteProvider(settings, name: "shared")
    #expect(shared.name == "shared")
    options.cache = AnswerCache(in: folder, name: "shared")
    options.updates = .session
  }

  @Test("Certificates")
  func namesCertificates() throws {
    var options = ServiceOptions()
    // The files of the guide are nowhere here.
    #expect(throws: FlagError.self) {
      options.certificates = try CertificateFiles(
        authorities: "/etc/flags/authority.pem", certificate: "/etc/flags/client.pem",
        key: "/etc/flags/client-key.pem")
    }
  }
}
