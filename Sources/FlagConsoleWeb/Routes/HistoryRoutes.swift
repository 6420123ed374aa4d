import FlagConsole
import FlagDefinitions
import FlagDomain
import FlagHTTP
import FlagServer

/// The routes of the pages that list published revisions, review one, and roll back to one.
struct HistoryRoutes {
  let sites: ConsoleSites

  /// All routes; without a history, each responds with an error page.
  var all: [Router.Route] {
    [
      sites.waiting(.get, "/history") { site, _ in
        HistoryPage(site: site, history: try await site.console.history()).response
      },
      sites.waiting(.get, "/history/{number}") { site, request in try await Self.detail(site, request.number) },
      sites.waiting(.post, "/history/{number}/back") { site, request in try await Self.goBack(site, request) },
      sites.leading("/history/{number}/back") { site, request in site.path("/history/\(request.number)") },
    ]
  }

  private static func detail(_ site: Site, _ number: Int, problem: String? = nil) async throws -> HTTPResponse {
    RevisionPage(site: site, review: try await site.console.review(ofRevision: number), problem: problem).response
  }

  private static func goBack(_ site: Site, _ request: ServerRequest) async throws -> HTTPResponse {
    let current = ConsoleForm(request.message.body)["current"].flatMap { Int($0) } ?? 0
    do {
      try await site.console.goBack(toRevision: request.number, from: current)
      return HTTPResponse(seeing: site.path("/history"))
    } catch let error as DefinitionStoreError where error.code == .conflict {
      return try await detail(
        site, request.number,
        problem: "Conflict: someone else published first: \(error.message). Review the changes again.")
    }
  }
}

extension ServerRequest {
  /// The revision number in the path; 0, which no revision has, if it is not a number.
  fileprivate var number: Int { parameters["number"].flatMap { Int($0) } ?? 0 }
}
