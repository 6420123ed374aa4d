import FlagConsole
import FlagDomain
import FlagHTTP
import FlagServer

/// The routes of the actions on flags: overriding, writing, undoing, signing in and importing.
struct ActionRoutes {
  let sites: ConsoleSites

  var all: [Router.Route] {
    let flags: [Router.Route] = [
      change("override") { .override(key: $0.flagKey, entering: $1.entered) },
      change("clear") { request, _ in .clear(key: request.flagKey) },
      change("write") { .write(key: $0.flagKey, entering: $1.entered, provider: $1["provider"]) },
      change("assign") { request, _ in .assignAnew(key: request.flagKey) },
      change("remove") { .remove(key: $0.flagKey, provider: $1["provider"] ?? "") },
    ]
    let others: [Router.Route] = [
      post("/clear") { site, request, form in try change(site, request, form, .clearAll) },
      post("/undo") { site, _, _ in
        try site.console.undo()
        return HTTPResponse(seeing: site.home)
      },
      post("/user") { site, _, form in
        try site.console.signIn(form["visitor"] == nil ? try FlagUser(form, of: site.console.options.testUsers) : nil)
        return HTTPResponse(seeing: site.home)
      },
      post("/import") { site, _, form in
        try site.console.importOverrides(form["overrides"] ?? "")
        return HTTPResponse(seeing: site.home)
      },
    ]
    return flags + others
      + ["override", "clear", "write", "assign", "remove"].map { action in
        sites.leading(RoutePattern("/flags/{key}/\(action)")) { site, request in site.path(ofFlag: request.flagKey) }
      }
      + ["/clear", "/undo", "/user", "/import"].map { sites.leading(RoutePattern($0)) { site, _ in site.home } }
  }

  private func change(
    _ action: String, _ read: @escaping @Sendable (ServerRequest, ConsoleForm) -> ConsoleChange
  ) -> Router.Route {
    post(RoutePattern("/flags/{key}/\(action)")) { site, request, form in
      try change(site, request, form, read(request, form))
    }
  }

  /// Applies a change, and redirects to the flag or the list, or asks for confirmation first.
  ///
  /// A script shows the question itself, and sends the form again.
  private func change(
    _ site: Site, _ request: ServerRequest, _ form: ConsoleForm, _ change: ConsoleChange
  ) throws -> HTTPResponse {
    if form["confirmed"] != nil {
      try site.console.apply(change)
    } else if let pending = try site.console.submit(change) {
      if request.isFromScript { return HTTPResponse(.ok, text: pending.question.text) }
      return QuestionPage(site: site, action: request.message.target, form: form, question: pending.question).response
    }
    return HTTPResponse(seeing: request.flagKey.isEmpty ? site.home : site.path(ofFlag: request.flagKey))
  }

  /// Returns a route for an action; for scripts, the response is nothing, a question, or the error message as text.
  private func post(
    _ pattern: RoutePattern,
    _ body: @escaping @Sendable (Site, ServerRequest, ConsoleForm) throws -> HTTPResponse
  ) -> Router.Route {
    sites.route(.post, pattern) { site, request in
      let form = ConsoleForm(request.message.body)
      do {
        return try body(site, request, form)
      } catch {
        let error = error as? FlagError ?? FlagError(.general, "\(error)")
        if request.isFromScript { return HTTPResponse(.unprocessableContent, text: error.message) }
        return Self.failed(site, request, form, error)
      }
    }
  }

  /// Returns the error response: the flag's page with the error if there is such a flag, or else the form's page.
  private static func failed(
    _ site: Site, _ request: ServerRequest, _ form: ConsoleForm, _ error: FlagError
  ) -> HTTPResponse {
    if let detail = site.console.detail(request.flagKey) {
      return DetailPage(site: site, detail: detail, refused: (form["value"] ?? "", error.message)).response
    }
    if let text = form["overrides"] { return SharePage(site: site, text: text, problem: error.message).response }
    if form["id"] != nil { return SignInPage(site: site, form: form, problem: error.message).response }
    return FailurePage(site: site, error: error).response
  }
}

extension FlagUser {
  /// Reads the user to sign in as from a form: the fields of one, or the number of a saved one.
  fileprivate init(_ form: ConsoleForm, of saved: [FlagUser]) throws(FlagError) {
    if let number = form["saved"].flatMap({ Int($0) }), saved.indices.contains(number) {
      self = saved[number]
      return
    }
    guard let id = form["id"], !id.isEmpty else { throw FlagError(.general, "expected a user id, found nothing") }
    let country = form["country"].flatMap { $0.isEmpty ? nil : $0 }
    var contexts: [String: [String: FlagValue]] = [:]
    for (kind, value) in try Self.members(form["contexts"]) {
      guard let attributes = value.fields else {
        throw FlagError(.parseError, "\(kind): expected an object of attributes, found \(value.typeName)")
      }
      contexts[kind] = attributes
    }
    try self.init(
      id: id, countryCode: country, segments: (form["segments"] ?? "").listed,
      attributes: Self.members(form["attributes"]), contexts: contexts)
  }

  private static func members(_ text: String?) throws(FlagError) -> [String: FlagValue] {
    guard let text, !text.allSatisfy(\.isWhitespace) else { return [:] }
    return try ConsoleModel.attributes(text)
  }
}
