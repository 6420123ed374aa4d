import FlagConsole
import FlagDefinitions
import FlagDomain
import FlagHTTP
import FlagServer

/// The routes of the editor of definitions: showing, reviewing and saving one.
struct DefinitionRoutes {
  let sites: ConsoleSites

  var all: [Router.Route] {
    ["edit", "definition", "review"].map { action in
      sites.get(RoutePattern("/flags/{key}/\(action)")) { site, request in
        let form = try EditorForm(site.console.draft(of: request.flagKey))
        return try Self.saving(form, nil, site).review { EditorPage(site: site, form: form, card: $0).response }
      }
    } + [
      .init(
        .post, "/flags/{key}/review",
        .immediate { [sites] request in .response(sites.answer(request.message) { Self.review($0, request) }) }),
      sites.waiting(.post, "/flags/{key}/definition") { try await Self.save($0, $1) },
    ]
  }

  private static func saving(
    _ form: EditorForm, _ sent: ConsoleForm?, _ site: Site, isOverwriting: Bool = false
  ) throws(FlagError) -> Saving {
    try Saving(
      form.problem == nil ? DocumentChange(form.draft) : nil, problem: form.problem, sent, on: site,
      action: isOverwriting ? "Overwrite with mine" : "Save", cancel: site.path(ofFlag: form.draft.key))
  }

  private static func review(_ site: Site, _ request: ServerRequest) -> HTTPResponse {
    do throws(FlagError) {
      let sent = ConsoleForm(request.message.body)
      let form = EditorForm(sent, over: try site.console.draft(of: request.flagKey))
      return try saving(form, sent, site).review { EditorPage(site: site, form: form, card: $0).response }
    } catch {
      return HTTPResponse(.unprocessableContent, text: error.message)
    }
  }

  private static func save(_ site: Site, _ request: ServerRequest) async throws -> HTTPResponse {
    let sent = ConsoleForm(request.message.body)
    let theirs = try site.console.draft(of: request.flagKey)
    let form = EditorForm(sent, over: theirs)
    let isConflict = form.draft.version != theirs.version && site.console.permission == .edit
    let saving = try saving(form, sent, site, isOverwriting: isConflict)
    func page(_ card: ReviewCard) throws(FlagError) -> HTTPResponse {
      let isConflict = isConflict || card.occasion == .conflict
      return EditorPage(site: site, form: form, card: card, theirs: isConflict ? theirs : nil).response
    }
    // A button that edits the form saves nothing.
    if sent["do"] != nil { return try saving.review(page) }
    if isConflict, form.problem == nil { return try saving.review(page) }
    return try await saving.response(then: site.path(ofFlag: request.flagKey), page)
  }
}
