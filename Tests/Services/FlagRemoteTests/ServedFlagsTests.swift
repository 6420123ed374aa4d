import FlagDefinitions
import FlagDomain
import FlagHTTP
import FlagProviders
import FlagServer
import FlagServices
import FlagTransport
import Foundation
import TestSupport
import Testing

@testable import FlagRemote

@Suite("Clients of the package's own server, on loopback", .timeLimit(.minutes(15)))
struct ServedFlagsTests {
  @Test("Definitions: a change reaches a client that follows the stream, and the median is recorded")
  func followsDefinitions() async throws {
    let served = try Served(document(0, isTargeted: false))
    var options = ServiceOptions()
    options.polling = nil
    let provider = try DefinitionStoreProvider(
      served.url("/flags.json"), events: served.url("/flags/events"), options: options)
    await provider.wait { $0.read("size") == Reading(0, "STATIC") }
    var times: [Duration] = []
    // A request for a change starts at least 100 ms after the one before.
    for number in 1...Effort.rounds(10, thorough: 50) {
      let start = ContinuousClock.now
      served.store.set(document(number, isTargeted: false))
      await provider.wait { $0.read("size") == Reading(.int(Int128(number)), "STATIC") }
      times.append(.now - start)
    }
    let median = times.sorted()[times.count / 2]
    print("from change to screen: median \(median), longest \(times.max() ?? .zero)")
    #expect(median < .seconds(5))
    await served.server.stop()
  }

  @Test("OFREP: with a token, each user has their own answers, which follow the stream that a ticket opens")
  func followsOFREP() async throws {
    let served = try Served(document(1), token: "secret")
    var options = ServiceOptions()
    options.polling = nil
    options.credentials = .bearer("secret")
    let provider = try RemoteProvider(ofrep: served.url("/"), options: options)
    let ann = FlagUser(id: "ann", attributes: ["plan": "pro"])
    await provider.wait { $0.read("size") == Reading(1, "UNKNOWN") }
    provider.setUser(ann)
    await provider.wait { $0.read("size", for: ann) == Reading(100, "TARGETING_MATCH") }
    for number in 2...5 {
      served.store.set(document(number))
      await provider.wait { $0.read("size", for: ann) == Reading(.int(Int128(number * 100)), "TARGETING_MATCH") }
    }
    provider.setUser(FlagUser(id: "bob"))
    await provider.wait { $0.read("size", for: FlagUser(id: "bob")) == Reading(5, "UNKNOWN") }
    await served.server.stop()
  }

  @Test("OFREP: without the right token a client has no values, says why, and says nothing of the token")
  func needsToken() async throws {
    let served = try Served(document(1), token: "secret")
    var options = ServiceOptions()
    options.credentials = .bearer("wrong")
    let provider = try RemoteProvider(ofrep: served.url("/"), options: options)
    await provider.wait { $0.providerStatus.state == .error }
    let message = "127.0.0.1:\(served.server.port): expected status 200, found 401 Unauthorized"
    #expect(provider.providerStatus.error == FlagError(.unauthorized, message))
    await served.server.stop()
  }

  @Test("Compressed answers of the server are those that a client reads, and an unchanged one is not sent again")
  func compresses() async throws {
    let texts = Effort.rounds(100, thorough: 400)
    let server = try HTTPServer(
      Service(
        [
          .init(.get, "/{seed}", .immediate { .response(Self.generated(Int($0.parameters["seed"] ?? "") ?? 0)) })
        ], compresses: true), environment: .slow)
    let client = HTTPClient(SystemTransport())
    for seed in 0..<texts {
      let url = Addresses.address("http://127.0.0.1:\(server.port)/\(seed)")
      let response = try await client.send(TransportRequest(.get, url), timeout: .seconds(600))
      #expect(response.body == Self.generated(seed).body, "seed \(seed)")
    }
    await server.stop()

    let rows = (0..<100).map { number in
      #""flag-\#(number)": {"state": "ENABLED", "variants": {"v": \#(number)}, "defaultVariant": "v"}"#
    }
    let served = try Served("{\"flags\": {\(rows.joined(separator: ", "))}}", compresses: true)
    let store = try HTTPDefinitionStore(served.url("/flags.json"), events: served.url("/flags/events"))
    let provider = DefinitionStoreProvider(store)
    await provider.wait { $0.read("flag-99") == Reading(99, "STATIC") }
    try await store.refresh()
    #expect(provider.read("flag-99") == Reading(99, "STATIC"))
    await served.server.stop()
  }

  /// A response with a text of random pieces and repetitions.
  private static func generated(_ seed: Int) -> HTTPResponse {
    var random = SeededGenerator(seed: UInt64(seed))
    var body: [UInt8] = []
    let count = Int.random(in: 0...40_000, using: &random)
    while body.count < count {
      if body.count < 8 || Int.random(in: 0..<3, using: &random) == 0 {
        body += (0..<Int.random(in: 1..<30, using: &random)).map { _ in UInt8.random(in: 0 ... .max, using: &random) }
      } else {
        let start = Int.random(in: 0..<body.count, using: &random)
        body += body[start...].prefix(Int.random(in: 1..<600, using: &random))
      }
    }
    return HTTPResponse(.ok, fields: [.contentType: "text/plain"], body: body)
  }

  /// A flag that is a number, and with a rule a hundred times that for those of a plan.
  private func document(_ size: Int, isTargeted: Bool = true) -> String {
    let targeting = isTargeted ? #"{"if": [{"==": [{"var": "plan"}, "pro"]}, "b", null]}"# : "{}"
    return """
      {"flags": {"size": {"state": "ENABLED", "variants": {"a": \(size), "b": \(size * 100)}, "defaultVariant": "a",
        "targeting": \(targeting)}}}
      """
  }

  private struct Served {
    let store: InMemoryDefinitionStore
    let server: HTTPServer

    init(_ text: String, token: String? = nil, compresses: Bool = false) throws {
      store = try InMemoryDefinitionStore(text)
      var options = FlagService.Options()
      options.tickets = token.map { _ in Tickets() }
      let flags = FlagService(store, options: options)
      let middleware = token.map { token in
        [Middleware.tokens(TokenPolicy(tokens: [token]), except: FlagService.openPaths) { flags.acceptsTicket($0) }]
      }
      let service = Service(flags.routes, middleware: middleware ?? [], compresses: compresses)
      server = try HTTPServer(service, environment: .slow)
    }

    func url(_ path: String) -> URL { Addresses.address("http://127.0.0.1:\(server.port)\(path)") }
  }
}

extension ServerEnvironment {
  /// One whose time passes slowly: a machine that is busy with other tests is no reason to give up soon.
  fileprivate static var slow: Self {
    var environment = ServerEnvironment()
    let start = environment.now()
    environment.now = { start + (ContinuousClock.now - start) / 20 }
    return environment
  }
}
