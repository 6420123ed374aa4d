import FlagConsole
import FlagDefinitions
import FlagDomain
import FlagHTTP
import FlagServer

/// The routes of the pages that list published revisions, review one, and roll back to one.
struct HistoryRoutes {
  let site: Site
}

extension HistoryRoutes {
  private var console: ConsoleModel { site.console }

  /// All routes; without a history, each responds with an error page.
  var all: [Router.Route] {
    [
      waiting(.get, "/history") { _ in try await list() },
      waiting(.get, "/history/{number}") { request in try await detail(request.number) },
      waiting(.post, "/history/{number}/back") { request in try await goBack(request) },
      waiting(.get, "/history/{number}/back") { request in HTTPResponse(seeing: site.path("/history/\(request.number)"))
      },
    ]
  }

  /// Returns a route whose handler awaits the store; errors are shown as a page.
  private func waiting(
    _ method: HTTPMethod, _ pattern: RoutePattern,
    _ body: @escaping @Sendable (ServerRequest) async throws -> HTTPResponse
  ) -> Router.Route {
    .init(
      method, pattern,
      .waiting { request in
        do {
          return .response(try await body(request))
        } catch let error as FlagError {
          return .response(failed(error.message, error.code == .flagNotFound ? .notFound : .unprocessableContent))
        } catch let error as DefinitionStoreError {
          return .response(failed("\(error)", .serviceUnavailable))
        }
      })
  }

  private func failed(_ message: String, _ status: HTTPStatus) -> HTTPResponse {
    Page(
      title: "History · Flags",
      content: """
        <div class="empty">\(Icon.search)<h1>That did not work</h1><p>\(message)</p>
        <p><a href="\(site.home)">All flags</a></p></div>
        """
    ).response(site, status)
  }

  private func list() async throws -> HTTPResponse {
    HistoryPage(site: site, history: try await console.history()).response
  }

  private func detail(_ number: Int, problem: String? = nil) async throws -> HTTPResponse {
    RevisionPage(site: site, review: try await console.review(ofRevision: number), problem: problem).response
  }

  private func goBack(_ request: ServerRequest) async throws -> HTTPResponse {
    let current = ConsoleForm(request.message.body)["current"].flatMap { Int($0) } ?? 0
    do {
      try await console.goBack(toRevision: request.number, from: current)
      return HTTPResponse(seeing: site.path("/history"))
    } catch let error as DefinitionStoreError where error.code == .conflict {
      return try await detail(
        request.number,
        problem: "Conflict: someone else published first: \(error.message). Review the changes again.")
    }
  }
}

extension ServerRequest {
  /// The revision number in the path; 0, which no revision has, if it is not a number.
  fileprivate var number: Int { parameters["number"].flatMap { Int($0) } ?? 0 }
}
