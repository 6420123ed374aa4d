import FlagConsole
import FlagDomain
import FlagHTTP
import FlagServer

/// The consoles behind the pages: one for everyone, or one for each browser in a server that lets many people in.
///
/// With several environments, each of these is a console for each environment.
final class ConsoleVisitors: Sendable {
  /// The cookie that tells browsers apart; it opens nothing, and counts only for the person who got it.
  struct Cookie: Sendable {
    let name: String
    let makeValue: @Sendable () -> String
  }

  /// A console, and the feed of its revisions, or of those of all environments, for open windows.
  final class Visit: Sendable {
    let site: Site
    let events = EventFeed()
    private let subscriptions: [FlagSubscription]

    init(_ site: Site, following consoles: [ConsoleModel]? = nil) {
      self.site = site
      let consoles = consoles ?? [site.console]
      let send: @Sendable () -> Void = { [events] in
        let revision = consoles.revision
        events.send(ServerSentEvent(data: revision, id: revision))
      }
      subscriptions = consoles.map { $0.subscribe { _ in send() } }
      send()
    }

    deinit {
      for subscription in subscriptions { subscription.cancel() }
      events.finish()
    }
  }

  private struct Known {
    let value: String
    let person: FlagConsolePerson?
    let visits: [Visit]
  }

  private let shared: [Visit]
  /// The page that compares the environments, which shows everyone the same definitions; nil for one console.
  let comparison: Visit?
  private let place: ConsolePlace
  private let cookie: Cookie?
  /// The visits of browsers, the most recent one last.
  private let known = Locked<[Known]>([])

  /// The number of browsers that are remembered; the one that has been away for longest is forgotten first.
  static let maximum = 200

  /// Creates visitors of sites: of one site, or of one for each environment.
  init(_ sites: [Site], at place: ConsolePlace, _ cookie: Cookie?) {
    shared = sites.map { Visit($0) }
    comparison = sites.count > 1 ? Visit(sites[0], following: sites.map(\.console)) : nil
    (self.place, self.cookie) = (place, cookie)
  }

  /// Returns the visits of a browser in all environments; nil if it is not known to be this person's.
  func known(_ message: HTTPRequest, _ person: FlagConsolePerson?) -> [Visit]? {
    guard let cookie else { return shared }
    let values = message.cookies(named: cookie.name).map(String.init)
    return known.withLock { known in
      guard let index = known.lastIndex(where: { values.contains($0.value) && $0.person == person }) else { return nil }
      known.append(known.remove(at: index))
      return known.last?.visits
    }
  }

  /// The consoles that all share, for what shows nothing of a person.
  var everyone: [Visit] { shared }

  /// Returns the visits of a browser, and the field that sets its cookie if they are new.
  func begun(_ message: HTTPRequest, _ person: FlagConsolePerson?) -> ([Visit], field: String?) {
    if let known = known(message, person) { return (known, nil) }
    guard let cookie else { return (shared, nil) }
    let visits = shared.map { $0.begun(for: person) }
    if message.method == .head { return (visits, nil) }
    let value = cookie.makeValue()
    let forgotten = known.withLock { known in
      known.append(Known(value: value, person: person, visits: visits))
      return known.count > Self.maximum ? known.removeFirst().visits : []
    }
    withExtendedLifetime(forgotten) {}  // released outside of the lock
    return (visits, "\(cookie.name)=\(value); \(place.cookieAttributes(.lax))")
  }
}

extension ConsoleVisitors.Visit {
  fileprivate func begun(for person: FlagConsolePerson?) -> ConsoleVisitors.Visit {
    var site = site
    site.console = site.console.session(for: person, in: site.environmentName)
    return ConsoleVisitors.Visit(site)
  }
}
