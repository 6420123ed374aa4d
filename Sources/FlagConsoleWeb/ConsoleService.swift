import FlagConsole
import FlagDomain
import FlagHTTP
import FlagServer

/// The routes of a console's pages, of the actions on them, and of the definitions behind them.
final class ConsoleService: Sendable {
  private let sites: ConsoleSites
  private let gate: ConsoleGate
  private let place: ConsolePlace

  init(
    _ console: ConsoleModel, _ gate: ConsoleGate, at place: ConsolePlace = .root,
    sessions cookie: ConsoleSites.Cookie? = nil
  ) {
    sites = ConsoleSites(console, at: place, cookie)
    (self.gate, self.place) = (gate, place)
  }

  var service: Service {
    let routes = pages + ActionRoutes(sites: sites).all + DefinitionRoutes(sites: sites).all
    return Service(place.mounting(routes + others), middleware: [gate.middleware])
  }

  private var others: [Router.Route] {
    HistoryRoutes(sites: sites).all + UserRoutes(sites: sites).all + UndoRoutes(sites: sites).all
  }

  private var pages: [Router.Route] {
    [
      file("/start") { [gate] in gate.start($0) },
      file("/icon.svg") { _ in HTTPResponse("image/svg+xml", Icon.file) },
      file("/console.css") { _ in HTTPResponse("text/css", ConsoleStyle.text) },
      file("/console.js") { _ in HTTPResponse("text/javascript", ConsoleScript.text) },
      .init(.get, "/events", .immediate { [sites] in .events(sites.visit(of: $0.message).events) }),
      sites.get("/") { site, request in ListPage(site, request.target).response },
      sites.get("/flags/{key}") { site, request in try DetailPage.response(site, request.flagKey) },
      sites.get("/flags/{key}/value") { site, request in
        HTTPResponse(.ok, text: try site.console.existingDetail(request.flagKey).row.valueText)
      },
      sites.get("/share") { site, request in
        SharePage(site: site, query: request.target.listQuery, text: request.target.value(of: "overrides")).response
      },
      sites.get("/export.txt") { site, request in
        HTTPResponse(.ok, text: site.console.exportedText(FlagQuery(exporting: request.target)))
      },
      sites.get("/export.json") { site, request in
        HTTPResponse("application/json", try site.console.exportedJSON(FlagQuery(exporting: request.target)))
      },
    ]
  }

  private func file(
    _ pattern: RoutePattern, _ body: @escaping @Sendable (ServerRequest) -> HTTPResponse
  ) -> Router.Route {
    .init(.get, pattern, .immediate { .response(body($0)) })
  }
}

extension HTTPResponse {
  init(_ type: String, _ text: String) {
    self.init(.ok, fields: [.contentType: "\(type); charset=utf-8"], body: Array(text.utf8))
  }
}
