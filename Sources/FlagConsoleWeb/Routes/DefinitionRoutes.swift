import FlagConsole
import FlagDefinitions
import FlagDomain
import FlagHTTP
import FlagServer

/// The routes of the editor of definitions: showing, reviewing and saving one.
struct DefinitionRoutes {
  let sites: ConsoleSites

  var all: [Router.Route] {
    ["/flags/{key}/edit", "/flags/{key}/definition"].map { pattern in
      sites.get(RoutePattern(pattern)) { site, request in
        try Self.page(site, EditorForm(site.console.draft(of: request.flagKey)))
      }
    } + [
      .init(
        .post, "/flags/{key}/review",
        .immediate { [sites] request in .response(sites.answer(request.message) { Self.review($0, request) }) }),
      sites.waiting(.post, "/flags/{key}/definition") { try await Self.save($0, $1) },
    ]
  }

  private static func page(
    _ site: Site, _ form: EditorForm, problem: String? = nil, theirs: DefinitionDraft? = nil
  ) throws -> HTTPResponse {
    let review = try form.problem == nil ? site.console.review(form.draft) : nil
    return EditorPage(site: site, form: form, review: review, problem: problem, theirs: theirs).response
  }

  private static func form(_ site: Site, _ request: ServerRequest) throws(FlagError) -> EditorForm {
    EditorForm(ConsoleForm(request.message.body), over: try site.console.draft(of: request.flagKey))
  }

  private static func review(_ site: Site, _ request: ServerRequest) -> HTTPResponse {
    do {
      return try page(site, form(site, request))
    } catch {
      return HTTPResponse(.unprocessableContent, text: (error as? FlagError)?.message ?? "\(error)")
    }
  }

  private static func save(_ site: Site, _ request: ServerRequest) async throws -> HTTPResponse {
    let form = try form(site, request)
    // A button that edits the form, and saves nothing.
    if ConsoleForm(request.message.body)["do"] != nil { return try page(site, form) }
    if let problem = form.problem { return try page(site, form, problem: "Not saved: \(problem.message)") }
    do {
      try await site.console.save(form.draft)
      return HTTPResponse(seeing: site.path(ofFlag: request.flagKey))
    } catch let error as DefinitionStoreError where error.code == .conflict {
      return try page(site, form, theirs: site.console.draft(of: request.flagKey))
    } catch let error as DefinitionStoreError {
      let isShown = error.code == .invalid && !error.diagnostics.isEmpty
      return try page(
        site, form, problem: isShown ? "Not saved: the definition has an error." : "Not saved: \(error)")
    } catch let error as FlagError {
      return try page(site, form, problem: error.message)
    }
  }
}
