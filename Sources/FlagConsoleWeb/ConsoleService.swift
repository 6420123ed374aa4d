import FlagConsole
import FlagDefinitions
import FlagDomain
import FlagHTTP
import FlagServer

/// The routes of a console's pages and of the actions on them.
final class ConsoleService: Sendable {
  private let site: Site
  private let gate: ConsoleGate
  /// The feed of new revisions, for open windows.
  private let events = EventFeed()
  private let subscription: FlagSubscription

  private let place: ConsolePlace

  init(_ console: ConsoleModel, _ gate: ConsoleGate, at place: ConsolePlace = .root) {
    site = Site(console: console, base: place.base)
    self.gate = gate
    self.place = place
    subscription = console.subscribe { [events] revision in
      events.send(ServerSentEvent(data: "\(revision)", id: "\(revision)"))
    }
    events.send(ServerSentEvent(data: "\(console.revision)", id: "\(console.revision)"))
  }

  deinit { events.finish() }

  var service: Service {
    Service(place.mounting(pages + actions + HistoryRoutes(site: site).all), middleware: [gate.middleware])
  }

  private var console: ConsoleModel { site.console }
}

// MARK: - Pages

extension ConsoleService {
  private var pages: [Router.Route] {
    [
      get("/start") { [gate] in gate.start($0) },
      get("/icon.svg") { _ in HTTPResponse("image/svg+xml", Icon.file) },
      get("/console.css") { _ in HTTPResponse("text/css", ConsoleStyle.text) },
      get("/console.js") { _ in HTTPResponse("text/javascript", ConsoleScript.text) },
      get("/") { [site] in ListPage(site, $0.target).response },
      get("/flags/{key}") { [self] in try detail(of: $0.key) },
      get("/flags/{key}/edit") { [self] in try editor(console.draft(of: $0.key)) },
      get("/share") { [site] in
        SharePage(site: site, query: $0.target.listQuery, text: $0.target.value(of: "overrides")).response
      },
      get("/export.txt") { [console] in HTTPResponse(.ok, text: console.exportedText(FlagQuery(exporting: $0.target)))
      },
      get("/export.json") { [console] in
        HTTPResponse("application/json", try console.exportedJSON(FlagQuery(exporting: $0.target)))
      },
      get("/flags/{key}/definition") { [self] in try editor(console.draft(of: $0.key)) },
      .init(.get, "/events", .immediate { [events] _ in .events(events) }),
    ]
      // A page that responds to a form has the form's address, which a reload requests again.
      + ["override", "clear", "write", "remove"].map { action in
        get(RoutePattern("/flags/{key}/\(action)")) { [site] in HTTPResponse(seeing: site.path(ofFlag: $0.key)) }
      }
      + ["/clear", "/undo", "/user", "/import"].map {
        get(RoutePattern($0)) { [site] _ in HTTPResponse(seeing: site.home) }
      }
  }

  private func get(
    _ pattern: RoutePattern, _ body: @escaping @Sendable (ServerRequest) throws -> HTTPResponse
  ) -> Router.Route {
    .init(.get, pattern, .immediate { [site] in .response(try Self.answering(site, body)($0)) })
  }

  /// Returns a handler that shows errors as a page.
  static func answering(
    _ site: Site, _ body: @escaping @Sendable (ServerRequest) throws -> HTTPResponse
  ) -> (ServerRequest) throws -> HTTPResponse {
    { request in
      do {
        return try body(request)
      } catch let error as FlagError {
        let status: HTTPStatus = error.code == .flagNotFound ? .notFound : .unprocessableContent
        return Page(
          title: "Flags",
          content: """
            <div class="empty">\(Icon.search)<h1>\(status == .notFound ? "No such flag" : "That did not work")</h1>
            <p>\(error.message)</p><p><a href="\(site.home)">All flags</a></p></div>
            """
        ).response(site, status)
      }
    }
  }

  private func detail(of key: String, refused: (String, String)? = nil) throws -> HTTPResponse {
    guard let detail = console.detail(key) else {
      throw FlagError(.flagNotFound, "No flag has the key “\(key.prefix(100))”.")
    }
    return DetailPage(site: site, detail: detail, refused: refused).response
  }

  private func editor(
    _ draft: DefinitionDraft, problem: String? = nil, theirs: DefinitionDraft? = nil
  ) throws -> HTTPResponse {
    EditorPage(site: site, draft: draft, review: try console.review(draft), problem: problem, theirs: theirs)
      .response
  }
}

// MARK: - Actions

extension ConsoleService {
  private var actions: [Router.Route] {
    [
      change("/flags/{key}/override") { .override(key: $0.key, entering: $1.entered) },
      change("/flags/{key}/clear") { request, _ in .clear(key: request.key) },
      change("/flags/{key}/write") {
        .write(key: $0.key, entering: $1.entered, provider: $1["provider"])
      },
      change("/flags/{key}/remove") { .remove(key: $0.key, provider: $1["provider"] ?? "") },
      change("/clear") { _, _ in .clearAll },
      post("/undo") { [site] _, _ in
        try site.console.undo()
        return HTTPResponse(seeing: site.home)
      },
      post("/user") { [site] _, form in
        try site.console.signIn(form["visitor"] == nil ? try FlagUser(form) : nil)
        return HTTPResponse(seeing: site.home)
      },
      post("/import") { [site] _, form in
        try site.console.importOverrides(form["overrides"] ?? "")
        return HTTPResponse(seeing: site.home)
      },
      .init(.post, "/flags/{key}/review", .immediate { [self] in .response(try review($0)) }),
      .init(.post, "/flags/{key}/definition", .waiting { [self] in .response(try await save($0)) }),
    ]
  }

  /// Returns a route that applies a change, and redirects to the flag or the list, or asks for confirmation first.
  ///
  /// The script asks for confirmation before it sends a request.
  private func change(
    _ pattern: RoutePattern, _ read: @escaping @Sendable (ServerRequest, ConsoleForm) -> ConsoleChange
  ) -> Router.Route {
    post(pattern) { [site] request, form in
      let change = read(request, form)
      if request.isFromScript || form["confirmed"] != nil {
        try site.console.apply(change)
      } else if let pending = try site.console.submit(change) {
        return QuestionPage(site: site, action: request.message.target, form: form, question: pending.question).response
      }
      return HTTPResponse(seeing: request.key.isEmpty ? site.home : site.path(ofFlag: request.key))
    }
  }

  /// Returns a route for an action; the response is a page, or for scripts the error message in one line, if any.
  private func post(
    _ pattern: RoutePattern, _ body: @escaping @Sendable (ServerRequest, ConsoleForm) throws -> HTTPResponse
  ) -> Router.Route {
    .init(
      .post, pattern,
      .immediate { [self] request in
        let form = ConsoleForm(request.message.body)
        do {
          let page = try body(request, form)
          return .response(request.isFromScript ? HTTPResponse(.noContent) : page)
        } catch let error as FlagError {
          if request.isFromScript { return .response(HTTPResponse(.unprocessableContent, text: error.message)) }
          return .response(try failed(request, form, error))
        }
      })
  }

  /// Returns the error response: the flag's page with the error if there is such a flag, or else the form's page.
  private func failed(_ request: ServerRequest, _ form: ConsoleForm, _ error: FlagError) throws -> HTTPResponse {
    let key = request.parameters["key"] ?? ""
    if console.detail(key) != nil { return try detail(of: key, refused: (form["value"] ?? "", error.message)) }
    if let text = form["overrides"] { return SharePage(site: site, text: text, problem: error.message).response }
    return try Self.answering(site) { _ in throw error }(request)
  }
}

// MARK: - Definitions

extension ConsoleService {
  /// Returns the definition that a form describes, based on the version in the form.
  private func draft(_ key: String, _ form: ConsoleForm) throws -> DefinitionDraft {
    var draft = try console.draft(of: key)
    draft.isEnabled = form["state"] != "DISABLED"
    draft.defaultVariant = form["default"].flatMap { $0.isEmpty ? nil : $0 }
    draft.rule = form["rule"] ?? ""
    if form["changed"] == "shares" {
      for number in draft.splits.indices where draft.splits[number].sum > 0 {
        let names = draft.splits[number].entries.indices.map { "weight-\(number)-\($0)" }
        let weights = names.map { form[$0].flatMap { Int($0) } ?? -1 }
        try draft.setWeights(weights, ofSplit: number)
      }
    }
    return draft
  }

  private func review(_ request: ServerRequest) throws -> HTTPResponse {
    do {
      return try editor(draft(request.key, ConsoleForm(request.message.body)))
    } catch let error as FlagError {
      return HTTPResponse(.unprocessableContent, text: error.message)
    }
  }

  private func save(_ request: ServerRequest) async throws -> HTTPResponse {
    let form = ConsoleForm(request.message.body)
    do {
      let edited = try draft(request.key, form)
      do {
        try await console.save(edited.based(on: form["version"] ?? ""))
        return HTTPResponse(seeing: site.path(ofFlag: request.key))
      } catch let error as DefinitionStoreError {
        let isConflict = error.code == .conflict
        let problem = error.diagnostics.isEmpty ? "\(error)" : "Not saved: the definition has an error."
        return try editor(
          edited, problem: isConflict ? nil : problem, theirs: isConflict ? console.draft(of: request.key) : nil)
      } catch let error as FlagError {
        return try editor(edited, problem: error.message)
      }
    } catch let error as FlagError {
      return try Self.answering(site) { _ in throw error }(request)
    }
  }
}

// MARK: - Requests

extension ServerRequest {
  fileprivate var key: String { parameters["key"] ?? "" }

  /// Whether a page's script sent the request, and shows the response itself.
  fileprivate var isFromScript: Bool { message.fields[Self.scriptField] != nil }

  private static let scriptField = HTTPFieldName("X-Console-Script") ?? .origin
}

extension HTTPResponse {
  fileprivate init(_ type: String, _ text: String) {
    self.init(.ok, fields: [.contentType: "\(type); charset=utf-8"], body: Array(text.utf8))
  }
}

extension FlagUser {
  /// Reads the user to sign in as from a form.
  fileprivate init(_ form: ConsoleForm) throws(FlagError) {
    guard let id = form["id"], !id.isEmpty else { throw FlagError(.general, "expected a user id, found nothing") }
    let segments = (form["segments"] ?? "").split(separator: ",").map { $0.filter { !$0.isWhitespace } }
    let country = form["country"].flatMap { $0.isEmpty ? nil : $0 }
    let attributes = form["attributes"] ?? ""
    try self.init(
      id: id, countryCode: country, segments: segments.filter { !$0.isEmpty },
      attributes: attributes.allSatisfy(\.isWhitespace) ? [:] : ConsoleModel.attributes(attributes))
  }
}
