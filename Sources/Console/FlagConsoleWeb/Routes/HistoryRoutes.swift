import FlagConsole
import FlagDefinitions
import FlagDomain
import FlagHTTP
import FlagPublishing
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

  private static func detail(_ site: Site, _ number: Int) async throws -> HTTPResponse {
    await site.console.refreshTestUsers()
    let review = try await site.console.review(ofRevision: number)
    guard review.canGoBack, site.console.permission == .edit, review.head.candidate == nil else {
      return RevisionPage(site: site, review: review, card: nil).response
    }
    return try saving(site, review, nil).review { RevisionPage(site: site, review: review, card: $0).response }
  }

  private static func goBack(_ site: Site, _ request: ServerRequest) async throws -> HTTPResponse {
    let review = try await site.console.review(ofRevision: request.number)
    return try await saving(site, review, ConsoleForm(request.message.body)).response(then: site.path("/history")) {
      RevisionPage(site: site, review: review, card: $0).response
    }
  }

  private static func saving(_ site: Site, _ review: RevisionReview, _ form: ConsoleForm?) throws(FlagError) -> Saving {
    let number = review.revision.number
    return Saving(
      review.back, form, on: site, title: "Effect of going back from revision \(review.head.revision.number)",
      action: "Go back to revision \(number)", cancel: site.path("/history"))
  }
}

extension ServerRequest {
  /// The revision number in the path; 0, which no revision has, if it is not a number.
  fileprivate var number: Int { parameters["number"].flatMap { Int($0) } ?? 0 }
}
