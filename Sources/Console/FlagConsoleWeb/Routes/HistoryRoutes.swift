import FlagConsole
import FlagConsoleEditor
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
        try await Self.revision(site, editor, request.number, nil)
      },
      sites.editing(.post, "/history/{number}/back") { site, editor, request in
        try await Self.revision(site, editor, request.number, ConsoleForm(request.message.body))
      },
      sites.leading("/history/{number}/back") { site, request in site.path("/history/\(request.number)") },
      sites.route(.post, "/saved/dismiss") { site, _ in
        let place = Self.place(site)
        site.console.editor?.forgetSavedChange()
        return HTTPResponse(seeing: place)
      },
      sites.leading("/saved/dismiss") { site, _ in site.home },
    ] + sites.changing("/saved/undo") { site, editor, _, form in try await Self.undo(site, editor, form) }
  }

  /// Answers with the changes of a revision, and the review of going back to it; goes back if that was seen.
  private static func revision(
    _ site: Site, _ editor: DefinitionEditor, _ number: Int, _ form: ConsoleForm?
  ) async throws -> HTTPResponse {
    if form == nil { await editor.refreshTestUsers() }
    let review = try await editor.review(ofRevision: number)
    func page(_ card: ReviewCard?) -> HTTPResponse { RevisionPage(site: site, review: review, card: card).response }
    let mayGoBack = review.canGoBack && editor.access.permission == .edit && review.head.candidate == nil
    if form == nil, !mayGoBack { return page(nil) }
    let saving = SaveRequest(
      review.back, form, on: site, editor, title: "Effect of going back from revision \(review.head.revision.number)",
      action: "Go back to revision \(number)", cancel: site.path("/history"))
    return try await saving.response(then: site.path("/history"), page)
  }

  /// Answers with the review of taking the last saving back; takes it back if that was seen.
  private static func undo(
    _ site: Site, _ editor: DefinitionEditor, _ form: ConsoleForm?
  ) async throws -> HTTPResponse {
    let saved = editor.savedChange
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
    return try await saving.response(then: place(site), page)
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
