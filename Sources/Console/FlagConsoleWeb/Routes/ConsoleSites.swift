import FlagConsole
import FlagConsoleEditor
import FlagDefinitions
import FlagDomain
import FlagHTTP
import FlagServer

/// The sites that routes show to a person in one environment: one console for everyone, or one for each browser.
struct ConsoleSites: Sendable {
  let visitors: ConsoleVisitors
  /// The number of the environment; 0 for a console that is alone.
  var environment = 0
  /// Returns the person who sent a request; nil if people are not told apart.
  let person: @Sendable (ServerRequest) -> FlagConsolePerson?

  /// Returns the visit of a browser, or the console that all share if it has none yet.
  func visit(of request: ServerRequest) -> ConsoleVisitors.Visit {
    (visitors.known(request.message, person(request)) ?? visitors.everyone)[environment]
  }

  /// Returns a route of a page, or of a form on one; errors are shown as a page.
  ///
  /// A browser gets its cookie with the response to its first request.
  func route(
    _ method: HTTPMethod, _ pattern: RoutePattern,
    _ body: @escaping @Sendable (Site, ServerRequest) async throws -> HTTPResponse
  ) -> Router.Route {
    .init(
      method, pattern,
      .waiting { [self] request in
        let (visits, field) = visitors.begun(request.message, person(request))
        let site = visits[environment].site.showing(request.message.target)
        var response: HTTPResponse
        do {
          response = try await body(site, request).shown(to: request)
        } catch let error as FlagError {
          response = FailurePage(site: site, error: error).response
        } catch let error as DefinitionStoreError {
          let error = FlagError(.general, "\(error)")
          response = FailurePage(site: site, error: error, status: .serviceUnavailable).response
        }
        if let field { response.fields.append(.setCookie, field) }
        return .response(response)
      })
  }

  /// Returns a route that leads somewhere else: a page that responds to a form has the form's address, which a reload
  /// requests again.
  func leading(
    _ pattern: RoutePattern, to path: @escaping @Sendable (Site, ServerRequest) -> String
  ) -> Router.Route {
    route(.get, pattern) { site, request in HTTPResponse(seeing: path(site, request)) }
  }

  /// Returns a route of the editor of definitions; a console without one has an error page there.
  func editing(
    _ method: HTTPMethod, _ pattern: RoutePattern,
    _ body: @escaping @Sendable (Site, DefinitionEditor, ServerRequest) async throws -> HTTPResponse
  ) -> Router.Route {
    route(method, pattern) { site, request in try await body(site, site.console.existingEditor, request) }
  }

  /// Returns the routes of a page of the editor, and of the form on it, which is nil for the page.
  func changing(
    _ pattern: RoutePattern,
    _ body: @escaping @Sendable (Site, DefinitionEditor, ServerRequest, ConsoleForm?) async throws -> HTTPResponse
  ) -> [Router.Route] {
    [
      editing(.get, pattern) { site, editor, request in try await body(site, editor, request, nil) },
      editing(.post, pattern) { site, editor, request in
        try await body(site, editor, request, ConsoleForm(request.message.body))
      },
    ]
  }
}

extension HTTPResponse {
  init(seeing path: String) { self.init(.seeOther, fields: [.location: path]) }

  /// Returns the response, or the mere place if it would lead a script elsewhere: a script tells so a login from it.
  func shown(to request: ServerRequest) -> HTTPResponse {
    request.isFromScript && status == .seeOther ? HTTPResponse(.noContent, fields: fields) : self
  }
}

extension ServerRequest {
  /// The key of the flag that the path names; empty if it names none.
  var flagKey: String { Site.key(inComponent: parameters["key"] ?? "") }

  /// Whether a page's script sent the request, and shows the response itself.
  var isFromScript: Bool { message.fields[Self.scriptField] != nil }

  private static let scriptField = HTTPFieldName("X-Console-Script") ?? .origin
}
