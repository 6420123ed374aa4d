import FlagDefinitions
import FlagDomain
import FlagHTTP
import FlagJSON
import Testing

@testable import FlagServer

/// A service of flags that is asked without a socket.
struct FlagServiceFixture {
  let store: InMemoryDefinitionStore
  let flags: FlagService
  let time = TestTime()
  private let service: Service

  init(
    _ text: String? = FlagServiceFixture.document, format: any DefinitionFormat = .inHouse, tokens: [String]? = nil,
    _ edit: (inout FlagService.Options) -> Void = { _ in }
  ) throws {
    store = try InMemoryDefinitionStore(text, format: format)
    let environment = time.environment
    var options = FlagService.Options()
    options.tickets = tokens.map { _ in Tickets(now: environment.now) }
    edit(&options)
    let flags = FlagService(store, options: options, environment: environment)
    self.flags = flags
    service = Service(
      flags.routes,
      middleware: tokens.map {
        [.tokens(TokenPolicy(tokens: $0), except: FlagService.openPaths) { flags.acceptsTicket($0) }]
      } ?? [])
  }
}

extension FlagServiceFixture {
  /// Asks, and returns the response; for a stream of events one without content.
  func ask(
    _ method: HTTPMethod, _ target: String, _ fields: HTTPFields = [:], _ body: String = ""
  ) throws -> HTTPResponse {
    let message = HTTPRequest(method, target, fields: fields, body: Array(body.utf8))
    switch service.plan(message, from: Peer(address: "127.0.0.1", port: 1)) {
    case .reply(let response): return response
    case .handle(let route, let request):
      guard case .immediate(let body) = route.handler else {
        Issue.record("a handler that waits")
        return HTTPResponse(.internalServerError)
      }
      let reply = try body(request)
      switch reply {
      case .response(let response):
        flags.observe(
          ServedRequest(
            method: method, target: target, peer: request.peer, route: route.pattern, status: response.status,
            bytes: response.body.count, time: .milliseconds(3)))
        return response
      case .events: return HTTPResponse(.ok)
      }
    }
  }

  /// Asks for one flag.
  func evaluate(_ key: String, context: String = #"{"targetingKey": "u"}"#) throws -> (status: Int, body: String) {
    let response = try ask(.post, "/ofrep/v1/evaluate/flags/\(key)", [:], "{\"context\": \(context)}")
    return (response.status.code, response.text)
  }

  /// Asks for all flags.
  func evaluateAll(
    context: String = #"{"targetingKey": "u"}"#, knowing tag: String? = nil, query: String = ""
  ) throws -> HTTPResponse {
    try ask(
      .post, "/ofrep/v1/evaluate/flags\(query)", tag.map { [.ifNoneMatch: $0] } ?? [:], "{\"context\": \(context)}")
  }

  static let document = """
    {"flags": {
      "fixed": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "on",
                "metadata": {"owner": "growth", "weight": 1.5}},
      "disabled": {"state": "DISABLED", "variants": {"on": "x"}, "defaultVariant": "on"},
      "none": {"state": "ENABLED", "variants": {"on": "x"}},
      "country": {"state": "ENABLED", "variants": {"es": "hola", "en": "hello"}, "defaultVariant": "en",
                  "targeting": {"if": [{"==": [{"var": "country"}, "ES"]}, "es", null]}},
      "split": {"state": "ENABLED", "variants": {"a": 1, "b": 2}, "defaultVariant": "a",
                "targeting": {"fractional": [["a", 1], ["b", 1]]}},
      "float": {"state": "ENABLED", "variants": {"ten": 10, "half": 0.5}, "defaultVariant": "ten"},
      "exponent": {"state": "ENABLED", "variants": {"a": 1e2, "b": 3}, "defaultVariant": "b"},
      "int": {"state": "ENABLED", "variants": {"ten": 10}, "defaultVariant": "ten"},
      "object": {"state": "ENABLED", "variants": {"o": {"list": [1, 2.0], "deep": {"x": null}}}, "defaultVariant": "o"},
      "wrong": {"state": "ENABLED", "variants": {"a": 1}, "defaultVariant": "a", "targeting": {"nope": []}},
      "unknown variant": {"state": "ENABLED", "variants": {"a": 1}, "targeting": {"if": [true, "z"]}},
      "malformed": {"state": "MAYBE", "variants": {"a": 1}}
    }}
    """
}

extension HTTPResponse {
  /// The content as text.
  var text: String { String(decoding: body, as: UTF8.self) }

  /// The content as JSON.
  var json: FlagValue {
    get throws { try FlagValue(json: body) }
  }
}
