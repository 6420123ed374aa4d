import FlagConsole
import FlagDefinitions
import FlagDomain
import FlagHTTP
import FlagServer

/// The pages of what was published, and the way back, as routes of a server.
struct HistoryRoutes {
  let site: Site
}

extension HistoryRoutes {
  private var console: FlagBrowser { site.console }

  /// The routes; where there is no history, each says so.
  var all: [Router.Route] {
    [
      waiting(.get, "/history") { _ in try await list() },
      waiting(.get, "/history/{number}") { request in try await detail(request.number) },
      waiting(.post, "/history/{number}/back") { request in try await goBack(request) },
      waiting(.get, "/history/{number}/back") { request in HTTPResponse(seeing: site.path("/history/\(request.number)"))
      },
    ]
  }

  /// Answers with what waits for the store; what fails is shown as a page that says so.
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
        problem: "Someone else has published meanwhile: \(error.message). Look again at what it changes.")
    }
  }
}

extension ServerRequest {
  /// The number in the path; none of a revision where there is no number.
  fileprivate var number: Int { parameters["number"].flatMap { Int($0) } ?? 0 }
}
