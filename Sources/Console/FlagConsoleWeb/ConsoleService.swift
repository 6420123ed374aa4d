import FlagConsole
import FlagConsoleEditor
import FlagHTTP
import FlagServer

/// The routes of the pages of one console, or of one for each of several environments.
final class ConsoleService: Sendable {
  private let visitors: ConsoleVisitors
  private let environments: FlagEnvironments
  private let gate: ConsoleGate
  private let place: ConsolePlace

  init(
    _ environments: FlagEnvironments, _ gate: ConsoleGate, at place: ConsolePlace = .root,
    sessions cookie: ConsoleVisitors.Cookie? = nil
  ) {
    let sites = environments.all.enumerated().map { number, environment in
      let beside =
        environments.areNamed ? SiteEnvironments(all: environments, base: place.base, current: number) : nil
      return Site(
        console: environment.console, base: beside?.base(of: number) ?? place.base,
        isSecret: place.base != place.outer, environments: beside)
    }
    visitors = ConsoleVisitors(sites, at: place, cookie)
    (self.environments, self.gate, self.place) = (environments, gate, place)
  }

  convenience init(
    _ console: ConsoleModel, _ gate: ConsoleGate, at place: ConsolePlace = .root,
    sessions cookie: ConsoleVisitors.Cookie? = nil
  ) {
    self.init(FlagEnvironments(alone: console), gate, at: place, sessions: cookie)
  }

  /// The service for everyone whom the gate lets in.
  var service: Service { service(for: nil) }

  /// Returns the service for a person whom the app's policy lets in.
  func service(for person: FlagConsolePerson?) -> Service {
    Service(place.mounting(routes { _ in person }), middleware: [gate.middleware])
  }

  /// Returns the service for those whom a proxy signs in.
  func service(for team: ConsoleTeam) -> Service {
    let closed = gate.closed
    let entrance = Middleware { message, target, peer in
      team.person(of: message, from: peer) == nil ? closed.answer(message, target, peer) : nil
    } decorate: { _, _ in
    }
    return Service(
      place.mounting(routes { team.person(of: $0.message, from: $0.peer) }), middleware: [gate.middleware, entrance])
  }

  /// The service for a person whom the app's policy does not let in.
  var closed: Service {
    Service(place.mounting(styles), middleware: [gate.middleware, gate.closed])
  }
}

// MARK: - Routes

extension ConsoleService {
  /// Returns all routes, below the base path: with environments, those of each are below its name.
  func routes(for person: @escaping @Sendable (ServerRequest) -> FlagConsolePerson?) -> [Router.Route] {
    guard environments.areNamed else { return files + Self.pages(ConsoleSites(visitors: visitors, person: person)) }
    let pages = environments.all.enumerated().flatMap { number, environment in
      ConsolePlace.mounting(
        styles + [script] + Self.pages(ConsoleSites(visitors: visitors, environment: number, person: person)),
        below: "/\(environment.name)", of: place.base)
    }
    let first = HTTPResponse(seeing: "\(place.base)/\(environments.all[0].name)/")
    return files + pages + [.init(.get, "/", .immediate { _ in .response(first) })]
      + EnvironmentRoutes(sites: ConsoleSites(visitors: visitors, person: person)).comparison
  }

  private static func pages(_ sites: ConsoleSites) -> [Router.Route] {
    [
      .init(.get, "/events", .immediate { [sites] in .events(sites.visit(of: $0).events) }),
      sites.route(.get, "/") { site, request in ListPage(site, request.target).response },
      sites.route(.get, "/flags/{key}") { site, request in try await DetailPage.response(site, request.flagKey) },
      sites.route(.get, "/flags/{key}/value") { site, request in
        HTTPResponse(.ok, text: try site.console.existingDetail(request.flagKey).row.valueText)
      },
      sites.route(.get, "/share") { site, request in
        SharePage(site: site, query: request.target.listQuery).response
      },
      sites.route(.post, "/share") { site, request in
        SharePage(site: site, text: ConsoleForm(request.message.body)["overrides"]).response
      },
      sites.route(.get, "/export.txt") { site, request in
        HTTPResponse(.ok, text: site.console.exportedText(FlagQuery(exporting: request.target)))
      },
      sites.route(.get, "/export.json") { site, request in
        let json = try site.console.exportedJSON(FlagQuery(exporting: request.target))
        return HTTPResponse("application/json", Array(json.utf8))
      },
    ] + ActionRoutes(sites: sites).all + DefinitionRoutes(sites: sites).all + HistoryRoutes(sites: sites).all
      + LifecycleRoutes(sites: sites).all + EnvironmentRoutes(sites: sites).promotion + UserRoutes(sites: sites).all
  }

  // MARK: - Files

  private var files: [Router.Route] {
    [.init(.get, "/start", .immediate { [gate] in .response(gate.start($0)) }), script] + styles
  }

  private var script: Router.Route { Self.route(of: .script) }

  /// The files of pages that show nothing of a flag.
  private var styles: [Router.Route] { [Self.route(of: .icon), Self.route(of: .style)] }

  private static func route(of file: PageFile) -> Router.Route {
    .init(.get, RoutePattern("/\(file.name)"), .immediate { .response(file.response(to: $0)) })
  }
}

extension HTTPResponse {
  init(_ type: String, _ body: [UInt8]) {
    self.init(.ok, fields: [.contentType: "\(type); charset=utf-8"], body: body)
  }
}
