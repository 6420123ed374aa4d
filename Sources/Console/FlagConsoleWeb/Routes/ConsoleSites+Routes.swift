import FlagConsole
import FlagConsoleEditor
import FlagDefinitions
import FlagDomain
import FlagHTTP
import FlagServer

extension ConsoleSites {
  /// Returns a route of a page; errors are shown as a page.
  func get(
    _ pattern: RoutePattern, _ body: @escaping @Sendable (Site, ServerRequest) throws -> HTTPResponse
  ) -> Router.Route {
    .init(
      .get, pattern,
      .immediate { [self] request in
        .response(
          try answer(request.message) { site in
            do {
              return try body(site, request).shown(to: request)
            } catch let error as FlagError {
              return FailurePage(site: site, error: error).response
            }
          })
      })
  }

  /// Returns a route that leads somewhere else: a page that responds to a form has the form's address, which a reload
  /// requests again.
  func leading(
    _ pattern: RoutePattern, to path: @escaping @Sendable (Site, ServerRequest) -> String
  ) -> Router.Route {
    .init(
      .get, pattern,
      .immediate { [self] request in
        .response(HTTPResponse(seeing: path(visit(of: request.message).site, request)).shown(to: request))
      })
  }

  /// Returns a route whose handler awaits a store; errors are shown as a page.
  func waiting(
    _ method: HTTPMethod, _ pattern: RoutePattern,
    _ body: @escaping @Sendable (Site, ServerRequest) async throws -> HTTPResponse
  ) -> Router.Route {
    .init(
      method, pattern,
      .waiting { [self] request in
        .response(
          try await answer(request.message) { site in
            do {
              return try await body(site, request)
            } catch let error as FlagError {
              return FailurePage(site: site, error: error).response
            } catch let error as DefinitionStoreError {
              return FailurePage(site: site, error: FlagError(.general, "\(error)"), status: .serviceUnavailable)
                .response
            }
          })
      })
  }

  /// Returns a route of the editor of definitions that awaits a store; a console without one has an error page there.
  func editing(
    _ method: HTTPMethod, _ pattern: RoutePattern,
    _ body: @escaping @Sendable (Site, DefinitionEditor, ServerRequest) async throws -> HTTPResponse
  ) -> Router.Route {
    waiting(method, pattern) { site, request in try await body(site, site.console.existingEditor, request) }
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
