import FlagConsole
import FlagDomain
import FlagHTTP
import FlagServer

/// The consoles behind the pages: one for everyone, or one for each browser in a server that lets many people in.
final class ConsoleSites: Sendable {
  /// The cookie that tells browsers apart; it opens nothing.
  struct Cookie: Sendable {
    let name: String
    let makeValue: @Sendable () -> String
  }

  /// A console, and the feed of its revisions for open windows.
  final class Visit: Sendable {
    let site: Site
    let events = EventFeed()
    private let subscription: FlagSubscription

    init(_ console: ConsoleModel, at base: String) {
      site = Site(console: console, base: base)
      subscription = console.subscribe { [events] revision in events.send(Self.event(revision)) }
      events.send(Self.event(console.revision))
    }

    deinit {
      subscription.cancel()
      events.finish()
    }

    private static func event(_ revision: UInt64) -> ServerSentEvent {
      ServerSentEvent(data: "\(revision)", id: "\(revision)")
    }
  }

  private let shared: Visit
  private let place: ConsolePlace
  private let cookie: Cookie?
  /// The visits of browsers by the cookie's value, the most recent one last.
  private let visits = Locked<[(value: String, visit: Visit)]>([])

  /// The number of browsers that are remembered; the one that has been away for longest is forgotten first.
  static let maximum = 200

  init(_ console: ConsoleModel, at place: ConsolePlace, _ cookie: Cookie?) {
    shared = Visit(console, at: place.base)
    (self.place, self.cookie) = (place, cookie)
  }
}

extension ConsoleSites {
  /// Returns the visit of a browser, or the console that all share if it has none yet.
  func visit(of message: HTTPRequest) -> Visit { known(message) ?? shared }

  /// Answers a request on the site of its browser, which gets a cookie at its first request.
  func answer(_ message: HTTPRequest, _ body: (Site) throws -> HTTPResponse) rethrows -> HTTPResponse {
    let (visit, field) = begun(message)
    var response = try body(visit.site)
    if let field { response.fields.append(.setCookie, field) }
    return response
  }

  /// Answers a request on the site of its browser, as ``answer(_:_:)`` does.
  func answer(_ message: HTTPRequest, _ body: (Site) async throws -> HTTPResponse) async rethrows -> HTTPResponse {
    let (visit, field) = begun(message)
    var response = try await body(visit.site)
    if let field { response.fields.append(.setCookie, field) }
    return response
  }

  private func known(_ message: HTTPRequest) -> Visit? {
    guard let cookie else { return shared }
    let values = message.cookies(named: cookie.name).map(String.init)
    return visits.withLock { visits in
      guard let index = visits.lastIndex(where: { values.contains($0.value) }) else { return nil }
      visits.append(visits.remove(at: index))
      return visits.last?.visit
    }
  }

  /// Returns the visit of a browser, and the field that sets its cookie if the visit is new.
  private func begun(_ message: HTTPRequest) -> (Visit, field: String?) {
    if let known = known(message) { return (known, nil) }
    guard let cookie, message.method != .head else { return (shared, nil) }
    let visit = Visit(shared.site.console.session(), at: place.base)
    let value = cookie.makeValue()
    let forgotten = visits.withLock { visits in
      visits.append((value, visit))
      return visits.count > Self.maximum ? visits.removeFirst().visit : nil
    }
    withExtendedLifetime(forgotten) {}  // released outside of the lock
    return (visit, "\(cookie.name)=\(value); \(place.cookieAttributes)")
  }
}
