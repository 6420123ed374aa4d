import FlagConsole
import FlagHTTP
import FlagServer

/// The sites that routes show to a person in one environment: one console for everyone, or one for each browser.
struct ConsoleSites: Sendable {
  let visitors: ConsoleVisitors
  /// The number of the environment; 0 for a console that is alone.
  var environment = 0
  /// The person, as the app's policy says; nil if it does not tell people apart.
  var person: FlagConsolePerson?

  /// Returns the visit of a browser, or the console that all share if it has none yet.
  func visit(of message: HTTPRequest) -> ConsoleVisitors.Visit {
    (visitors.known(message, person) ?? visitors.everyone)[environment]
  }

  /// Answers a request on the site of its browser, which gets a cookie at its first request.
  func answer(_ message: HTTPRequest, _ body: (Site) throws -> HTTPResponse) rethrows -> HTTPResponse {
    let (visits, field) = visitors.begun(message, person)
    var response = try body(visits[environment].site.showing(message.target))
    if let field { response.fields.append(.setCookie, field) }
    return response
  }

  /// Answers a request on the site of its browser, as ``answer(_:_:)`` does.
  func answer(_ message: HTTPRequest, _ body: (Site) async throws -> HTTPResponse) async rethrows -> HTTPResponse {
    let (visits, field) = visitors.begun(message, person)
    var response = try await body(visits[environment].site.showing(message.target))
    if let field { response.fields.append(.setCookie, field) }
    return response
  }
}
