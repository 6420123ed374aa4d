import FlagDefinitions
import FlagDomain
import FlagHTTP
import FlagProviders
import FlagServer
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
    let provider = try DefinitionsProvider(
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
    #expect(provider.providerStatus.error?.message == "expected status 200, found 401 Unauthorized")
    await served.server.stop()
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

    init(_ text: String, token: String? = nil) throws {
      store = try InMemoryDefinitionStore(text)
      let flags = FlagService(store, tickets: token.map { _ in Tickets() })
      let middleware = token.map { token in
        [Middleware.tokens(TokenPolicy(tokens: [token]), except: FlagService.openPaths) { flags.acceptsTicket($0) }]
      }
      server = try HTTPServer(Service(flags.routes, middleware: middleware ?? []), environment: .slow)
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
