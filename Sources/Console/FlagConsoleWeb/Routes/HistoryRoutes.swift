import FlagConsole
import FlagConsoleEditor
import FlagDefinitions
import FlagDomain
import FlagEditing
import FlagHTTP
import FlagPublishing
import FlagServer

/// The routes of the pages that list published revisions, review one, and go back: to one, or before the last saving.
struct HistoryRoutes {
  let sites: ConsoleSites

  /// All routes; without a history, those of revisions respond with an error page.
  var all: [Router.Route] {
    [
      sites.editing(.get, "/history") { site, editor, _ in
        HistoryPage(site: site, history: try await editor.history()).response
      },
      sites.editing(.get, "/history/{number}") { site, editor, request in
        try await Self.detail(site, editor, request.number)
      },
      sites.editing(.post, "/history/{number}/back") { site, editor, request in
        try await Self.goBack(site, editor, request)
      },
      sites.leading("/history/{number}/back") { site, request in site.path("/history/\(request.number)") },
      sites.editing(.get, "/saved/undo") { site, editor, _ in try await Self.undo(site, editor, nil) },
      sites.editing(.post, "/saved/undo") { site, editor, request in
        try await Self.undo(site, editor, request.message)
      },
      .init(
        .post, "/saved/dismiss",
        .immediate { [sites] request in
          .response(
            sites.answer(request.message) { site in
              let place = Self.place(site)
              site.console.editor?.forgetSavedChange()
              return HTTPResponse(seeing: place).shown(to: request)
            })
        }),
      sites.leading("/saved/dismiss") { site, _ in site.home },
    ]
  }

  private static func detail(_ site: Site, _ editor: DefinitionEditor, _ number: Int) async throws -> HTTPResponse {
    await editor.refreshTestUsers()
    let review = try await editor.review(ofRevision: number)
    guard review.canGoBack, editor.access.permission == .edit, review.head.candidate == nil else {
      return RevisionPage(site: site, review: review, card: nil).response
    }
    return try saving(site, editor, review, nil).review { RevisionPage(site: site, review: review, card: $0).response }
  }

  private static func goBack(
    _ site: Site, _ editor: DefinitionEditor, _ request: ServerRequest
  ) async throws -> HTTPResponse {
    let review = try await editor.review(ofRevision: request.number)
    let saving = Self.saving(site, editor, review, ConsoleForm(request.message.body))
    return try await saving.response(then: site.path("/history")) {
      RevisionPage(site: site, review: review, card: $0).response
    }
  }

  private static func saving(
    _ site: Site, _ editor: DefinitionEditor, _ review: RevisionReview, _ form: ConsoleForm?
  ) -> SaveRequest {
    let number = review.revision.number
    return SaveRequest(
      review.back, form, on: site, editor, title: "Effect of going back from revision \(review.head.revision.number)",
      action: "Go back to revision \(number)", cancel: site.path("/history"))
  }

  /// Answers with the review of taking the last saving back; takes it back if that was seen.
  private static func undo(
    _ site: Site, _ editor: DefinitionEditor, _ message: HTTPRequest?
  ) async throws -> HTTPResponse {
    let (saved, form) = (editor.savedChange, message.map { ConsoleForm($0.body) })
    let saving = SaveRequest(
      try editor.undoingSavedChange(), form, on: site, editor, action: "Undo", cancel: place(site))
    func page(_ card: ReviewCard) -> HTTPResponse {
      ChangePage(
        site: site, kind: "way-back", title: "Undo", heading: "Undo: \(saved?.title ?? "")",
        back: (place(site), "Back"), action: site.path("/saved/undo"),
        fields: """
          <section class="card"><h2>Taken back</h2><p>\(saved?.title.shortened() ?? ""). What was changed elsewhere since \
          then stays.</p></section>
          """, card: card
      ).response
    }
    return try await form == nil ? saving.review(page) : saving.response(then: place(site), page)
  }

  /// The address of the changed flag's page; that of the list if there are several flags, or it is gone.
  private static func place(_ site: Site) -> String {
    guard let keys = site.console.editor?.savedChange?.keys, keys.count == 1, site.console.detail(keys[0]) != nil else {
      return site.home
    }
    return site.path(ofFlag: keys[0])
  }
}

extension ServerRequest {
  /// The revision number in the path; 0, which no revision has, if it is not a number.
  fileprivate var number: Int { parameters["number"].flatMap { Int($0) } ?? 0 }
}
