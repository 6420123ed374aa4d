import FlagComposition
import FlagConsole
import FlagConsoleEditor
import FlagDefinitions
import FlagDomain
import FlagHTTP
import FlagProviders
import FlagPublishing
import Foundation
import Testing

@testable import FlagConsoleWeb
@testable import FlagServer

/// A console's pages, asked without a socket.
struct WebFixture {
  let console: ConsoleModel
  let editor: DefinitionEditor
  let definitions: InMemoryDefinitionStore
  let service: Service
  /// The flags of the program that the console belongs to.
  let program: any FeatureFlagManager

  init(
    catalogs: [FlagCatalog] = WebFixture.catalogs, document: String = WebFixture.document,
    at place: ConsolePlace = .root, options edit: (inout ConsoleModel.Options) -> Void = { _ in },
    editing: (inout DefinitionEditor.Options) -> Void = { _ in }, testUsers: (any TestUserStore)? = nil,
    stickyBuckets: (any StickyBucketStore)? = nil
  ) throws {
    let definitions = try InMemoryDefinitionStore(document)
    let client = try FeatureFlagClient(catalogs: catalogs) {
      InMemoryProvider(name: "local", ["page-size": 25])
      InHouseProvider(try FlagDocument(parsing: Data(document.utf8)), now: { 0 })
    }
    var options = ConsoleModel.Options()
    options.allowsImport = true
    edit(&options)
    let ports = ConsoleModel.Ports(
      snapshots: client.snapshots, overriding: client.overrides, writing: client.writer,
      authenticator: client.authenticator, stickyBuckets: stickyBuckets)
    var editingOptions = DefinitionEditor.Options()
    editing(&editingOptions)
    console = try ConsoleModel(
      catalogs: catalogs, ports,
      editor: DefinitionEditor(definitions, testUsers: testUsers, options: editingOptions), options: options)
    editor = try console.existingEditor
    self.definitions = definitions
    program = client.manager
    let gate = ConsoleGate(token: "token", session: "session", name: "n", at: place)
    service = ConsoleService(console, gate, at: place).service
  }

  /// The fields that the signed-in browser sends with requests of our pages.
  static let ours: HTTPFields = [
    .host: "127.0.0.1:1", .origin: "http://127.0.0.1:1", .cookie: "other=1; console-n=session",
  ]

  /// Asks as the browser that was let in, unless it is said who else.
  func ask(
    _ method: HTTPMethod, _ target: String, _ fields: HTTPFields = WebFixture.ours, form: [String: String] = [:]
  ) async throws -> HTTPResponse {
    try await Self.ask(service, method, target, fields, form: form)
  }

  /// Asks a service, from an address that may be a proxy's.
  static func ask(
    _ service: Service, _ method: HTTPMethod, _ target: String, _ fields: HTTPFields = WebFixture.ours,
    form: [String: String] = [:], from address: String = "127.0.0.1", proxies: TrustedProxies = TrustedProxies()
  ) async throws -> HTTPResponse {
    let body = form.map { "\(PercentEncoding.encode($0))=\(PercentEncoding.encode($1))" }.joined(separator: "&")
    let message = HTTPRequest(method, target, fields: fields, body: Array(body.utf8))
    let (peer, prefix) = proxies.client(of: message, from: Peer(address: address, port: 1))
    switch service.plan(message, from: peer, forwardedPrefix: prefix) {
    case .reply(let response): return response
    case .handle(let route, let request):
      let reply =
        switch route.handler {
        case .immediate(let body): try body(request)
        case .waiting(let body): try await body(request)
        }
      guard case .response(let response) = reply else { return HTTPResponse(.ok) }
      return response
    }
  }

  /// Sends a form, and if its review comes back, sends it again with what the page says was seen.
  func save(_ target: String, form: [String: String]) async throws -> HTTPResponse {
    try await Self.save(service, target, form: form)
  }

  /// Saves on the pages of a service, as a person does who looks at the review first.
  static func save(_ service: Service, _ target: String, form: [String: String]) async throws -> HTTPResponse {
    let review = try await ask(service, .post, target, form: form)
    guard review.status != .conflict, let seen = review.text.seen else { return review }
    return try await ask(service, .post, target, form: form.merging(["seen": seen]) { $1 })
  }

  static let profile = Flag("new-profile", default: false, "The new profile.")
  static let catalogs = [
    FlagCatalog("shop", FlagMetadata("", displayName: "Shop")) {
      profile
      Flag("page-size", default: 20, FlagMetadata("Posts on a page.", presentation: .init(range: 5...100, step: 5)))
      Flag("layout", default: ["rows": 2], "The grid.")
      Flag("locked", default: "a", FlagMetadata("Nobody's.", isLocked: true))
    }
  ]

  static let document = """
    {"flags": {"new-profile": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off",
      "targeting": {"if": [{"in": [{"var": "countryCode"}, ["es", "pt"]]}, "on",
        {"fractional": [["on", 10], ["off", 90]]}]}}}}
    """
}

extension HTTPResponse {
  var text: String { String(decoding: body, as: UTF8.self) }
}

extension String {
  /// The fingerprint of the review on a page.
  var seen: String? { firstMatch(of: /name="seen" value="([^"]*)"/).map { String($0.1) } }
}
