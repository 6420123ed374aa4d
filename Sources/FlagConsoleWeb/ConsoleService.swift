import FlagConsole
import FlagDefinitions
import FlagDomain
import FlagHTTP
import FlagServer

/// The pages of a console and what is done from them, as routes of a server.
final class ConsoleService: Sendable {
  private let console: FlagBrowser
  private let gate: ConsoleGate
  /// The newest revision, for windows that are open.
  private let events = EventFeed()
  private let subscription: FlagSubscription

  init(_ console: FlagBrowser, _ gate: ConsoleGate) {
    self.console = console
    self.gate = gate
    subscription = console.subscribe { [events] revision in
      events.send(ServerSentEvent(data: "\(revision)", id: "\(revision)"))
    }
    events.send(ServerSentEvent(data: "\(console.revision)", id: "\(console.revision)"))
  }

  deinit { events.finish() }

  /// What the server answers.
  var service: Service {
    Service(pages + actions + HistoryRoutes(console: console).all, middleware: [gate.middleware])
  }
}

// MARK: - Pages

extension ConsoleService {
  private var pages: [Router.Route] {
    [
      get("/start") { [gate] in gate.start($0) },
      get("/icon.svg") { _ in HTTPResponse("image/svg+xml", Icon.file) },
      get("/console.css") { _ in HTTPResponse("text/css", ConsoleStyle.text) },
      get("/console.js") { _ in HTTPResponse("text/javascript", ConsoleScript.text) },
      get("/") { [console] in ListPage(console, $0.target).response },
      get("/flags/{key}") { [self] in try detail(of: $0.key) },
      get("/flags/{key}/edit") { [self] in try editor(console.draft(of: $0.key)) },
      get("/share") { [console] in SharePage(console: console, text: $0.target.value(of: "overrides")).response },
      get("/export.txt") { [console] _ in HTTPResponse(.ok, text: console.exportedText()) },
      get("/export.json") { [console] _ in HTTPResponse("application/json", try console.exportedJSON()) },
      get("/flags/{key}/definition") { [self] in try editor(console.draft(of: $0.key)) },
      .init(.get, "/events", .immediate { [events] _ in .events(events) }),
    ]
      // A page that answers a form has that form's address, and is loaded again from there.
      + ["override", "clear", "write"].map { action in
        get(RoutePattern("/flags/{key}/\(action)")) { HTTPResponse(seeing: "/flags/\(PercentEncoding.encode($0.key))") }
      }
      + ["/clear", "/undo", "/user", "/import"].map { get(RoutePattern($0)) { _ in HTTPResponse(seeing: "/") } }
  }

  private func get(
    _ pattern: RoutePattern, _ body: @escaping @Sendable (ServerRequest) throws -> HTTPResponse
  ) -> Router.Route {
    .init(.get, pattern, .immediate { [console] in .response(try Self.answering(console, body)($0)) })
  }

  /// Shows what fails, as a page that says so.
  static func answering(
    _ console: FlagBrowser, _ body: @escaping @Sendable (ServerRequest) throws -> HTTPResponse
  ) -> (ServerRequest) throws -> HTTPResponse {
    { request in
      do {
        return try body(request)
      } catch let error as FlagError {
        let status: HTTPStatus = error.code == .flagNotFound ? .notFound : .unprocessableContent
        return Page(
          title: "Flags",
          content: """
            <div class="empty">\(Icon.search)<h1>\(status == .notFound ? "There is no such flag" : "That did not work")</h1>
            <p>\(error.message)</p><p><a href="/">All flags</a></p></div>
            """
        ).response(console, status)
      }
    }
  }

  private func detail(of key: String, refused: (String, String)? = nil) throws -> HTTPResponse {
    guard let detail = console.detail(key) else {
      throw FlagError(.flagNotFound, "No flag has the key “\(key.prefix(100))”.")
    }
    return DetailPage(console: console, detail: detail, refused: refused).response
  }

  private func editor(
    _ draft: DefinitionDraft, problem: String? = nil, theirs: DefinitionDraft? = nil
  ) throws -> HTTPResponse {
    EditorPage(console: console, draft: draft, review: try console.review(draft), problem: problem, theirs: theirs)
      .response
  }
}

// MARK: - Actions

extension ConsoleService {
  private var actions: [Router.Route] {
    [
      post("/flags/{key}/override") { [console] request, form in
        try console.override(request.key, entering: form["value"] ?? "")
        return "/flags/\(PercentEncoding.encode(request.key))"
      },
      post("/flags/{key}/clear") { [console] request, _ in
        try console.clearOverride(of: request.key)
        return "/flags/\(PercentEncoding.encode(request.key))"
      },
      post("/flags/{key}/write") { [console] request, form in
        let value = try console.value(of: request.key, entering: form["value"] ?? "")
        try console.write(.set(value), to: request.key, in: [form["provider"]].compactMap { $0 })
        return "/flags/\(PercentEncoding.encode(request.key))"
      },
      post("/clear") { [console] _, _ in
        try console.clearOverrides()
        return "/"
      },
      post("/undo") { [console] _, _ in
        try console.undo()
        return "/"
      },
      post("/user") { [console] _, form in
        try console.signIn(form["visitor"] == nil ? try FlagUser(form) : nil)
        return "/"
      },
      post("/import") { [console] _, form in
        try console.importOverrides(form["overrides"] ?? "")
        return "/"
      },
      .init(.post, "/flags/{key}/review", .immediate { [self] in .response(try review($0)) }),
      .init(.post, "/flags/{key}/definition", .waiting { [self] in .response(try await save($0)) }),
    ]
  }

  /// Does something, and leads to a page; to a script it says in a line whether that failed, and why.
  private func post(
    _ pattern: RoutePattern, _ body: @escaping @Sendable (ServerRequest, ConsoleForm) throws -> String
  ) -> Router.Route {
    .init(
      .post, pattern,
      .immediate { [self] request in
        let form = ConsoleForm(request.message.body)
        let isScript = request.message.fields[Self.scriptField] != nil
        do {
          let path = try body(request, form)
          return .response(isScript ? HTTPResponse(.noContent) : HTTPResponse(seeing: path))
        } catch let error as FlagError {
          if isScript { return .response(HTTPResponse(.unprocessableContent, text: error.message)) }
          return .response(try failed(request, form, error))
        }
      })
  }

  private static let scriptField = HTTPFieldName("X-Console-Script") ?? .origin

  /// Shows what failed where it was done: on the flag's page where there is one.
  private func failed(_ request: ServerRequest, _ form: ConsoleForm, _ error: FlagError) throws -> HTTPResponse {
    let key = request.parameters["key"] ?? ""
    if console.detail(key) != nil { return try detail(of: key, refused: (form["value"] ?? "", error.message)) }
    if let text = form["overrides"] { return SharePage(console: console, text: text, problem: error.message).response }
    return try Self.answering(console) { _ in throw error }(request)
  }
}

// MARK: - Definitions

extension ConsoleService {
  /// Returns the definition that a form describes, based on the version that the form is from.
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
        return HTTPResponse(seeing: "/flags/\(PercentEncoding.encode(request.key))")
      } catch let error as DefinitionStoreError {
        let isConflict = error.code == .conflict
        let problem = error.diagnostics.isEmpty ? "\(error)" : "It was not saved: it could not be served."
        return try editor(
          edited, problem: isConflict ? nil : problem, theirs: isConflict ? console.draft(of: request.key) : nil)
      } catch let error as FlagError {
        return try editor(edited, problem: error.message)
      }
    } catch let error as FlagError {
      return try Self.answering(console) { _ in throw error }(request)
    }
  }
}

// MARK: - Requests

/// The fields of a form that was sent.
struct ConsoleForm {
  private let fields: [RequestTarget.QueryItem]

  /// Reads a form; one that cannot be read has no fields.
  init(_ body: [UInt8]) { fields = RequestTarget("/?\(String(decoding: body, as: UTF8.self))")?.query ?? [] }

  subscript(name: String) -> String? { fields.first { $0.name == name }?.value }
}

extension ServerRequest {
  /// The key in the path.
  fileprivate var key: String { parameters["key"] ?? "" }
}

extension HTTPResponse {
  fileprivate init(_ type: String, _ text: String) {
    self.init(.ok, fields: [.contentType: "\(type); charset=utf-8"], body: Array(text.utf8))
  }
}

extension FlagUser {
  /// Reads who someone says to be.
  fileprivate init(_ form: ConsoleForm) throws(FlagError) {
    guard let id = form["id"], !id.isEmpty else { throw FlagError(.general, "expected a user id, found nothing") }
    let segments = (form["segments"] ?? "").split(separator: ",").map { $0.filter { !$0.isWhitespace } }
    let country = form["country"].flatMap { $0.isEmpty ? nil : $0 }
    let attributes = form["attributes"] ?? ""
    try self.init(
      id: id, countryCode: country, segments: segments.filter { !$0.isEmpty },
      attributes: attributes.allSatisfy(\.isWhitespace) ? [:] : FlagBrowser.attributes(attributes))
  }
}
