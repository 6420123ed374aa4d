package import FlagDefinitions
import FlagDomain
package import FlagHTTP
import Synchronization

/// Server routes for the flags of a store, which follow the store as long as the service lives.
package final class FlagService: Sendable {
  package struct Options: Sendable {
    /// The age of the store's last confirmation above which the service is not ready; nil for any.
    package var maximumAge: Duration?
    /// The tickets that open streams of events if tokens are required; nil if they are not.
    package var tickets: Tickets?
    /// The path under which a proxy serves the routes, such as "/flags"; empty for none, or for the one that it says.
    package var pathPrefix = ""
    /// Whether the definitions themselves are served, and not their answers alone.
    package var servesDefinitions = true

    package init() {}
  }

  package let metrics: ServerMetrics
  let options: Options
  let environment: ServerEnvironment
  let events = EventFeed()
  private let store: any DefinitionStore
  /// The stores that the store merges, or the store itself.
  private let parts: [any DefinitionStore]
  private let served = Locked<ServedDefinitions?>(nil)
  private let isDraining = Atomic(false)
  private let startedAt: HTTPDate
  private let subscription = Locked<FlagSubscription?>(nil)

  /// Creates a service with the store's current definitions.
  ///
  /// - Parameters:
  ///   - store: The store of the definitions.
  ///   - parts: The stores that it merges, for metrics; empty for a store that merges none.
  ///   - options: What is served, and when the service is ready.
  ///   - environment: The source of time for rules and ages.
  package init(
    _ store: any DefinitionStore, of parts: [any DefinitionStore] = [], options: Options = Options(),
    environment: ServerEnvironment = ServerEnvironment()
  ) {
    self.store = store
    self.parts = parts.isEmpty ? [store] : parts
    self.options = options
    startedAt = environment.date()
    self.environment = environment
    metrics = ServerMetrics()
    let subscription = store.subscribe { [weak self] in self?.take($0) }
    self.subscription.withLock { $0 = subscription }
  }

  private func take(_ update: Result<StoredDefinitions, DefinitionStoreError>) {
    // Without a failure, the store itself may say that its definitions are out of date.
    let isStale = if case .failure = update { true } else { store.status.isStale }
    switch update {
    case .success(let definitions):
      // A store of several documents publishes the same definitions again after the failure of one.
      if let current, current.version == definitions.version, current.text == definitions.text {
        return served.withLock { $0?.isStale = isStale }
      }
      var new = ServedDefinitions(
        definitions, replacing: current, loaded: environment.now(), date: environment.date())
      new.isStale = isStale
      let old = served.withLock { [new] served in
        defer { served = new }
        return served
      }
      guard old?.tag != new.tag else { return }
      events.send(
        ServerSentEvent(data: #"{"etag":"\#(new.tag.opaque)","type":"refetchEvaluation"}"#, id: new.tag.opaque))
    case .failure:
      served.withLock { $0?.isStale = isStale }
      metrics.recordReloadFailure()
    }
  }
}

extension FlagService {
  var current: ServedDefinitions? { served.withLock { $0 } }

  package var routes: [Router.Route] {
    let document = Router.Route(.get, "/flags.json", .immediate { [self] in .response(definitions($0)) })
    return (options.servesDefinitions ? [document] : []) + [
      .init(.post, "/ofrep/v1/evaluate/flags/{key}", .immediate { [self] in .response(evaluate($0)) }),
      .init(.post, "/ofrep/v1/evaluate/flags", .immediate { [self] in .response(evaluateAll($0)) }),
      .init(.get, "/flags/events", .immediate { [self] _ in .events(events) }),
      .init(.get, Self.eventPath, .immediate { [self] _ in .events(events) }),
      .init(.get, "/metrics", isHealthCheck: true, .immediate { [self] _ in .response(measures()) }),
      .init(.get, "/healthz", isHealthCheck: true, .immediate { _ in .response(HTTPResponse(.ok, text: "ok\n")) }),
      .init(.get, "/readyz", isHealthCheck: true, .immediate { [self] _ in .response(readiness()) }),
    ]
  }

  /// The paths that need no token, and are for any host: health checks send none, and name an address.
  package static let openPaths: Set<[String]> = [["healthz"], ["readyz"]]

  /// The stream of events as bulk answers name it: beside them, where a proxy that serves them serves it, too.
  static let eventPath: RoutePattern = "/ofrep/v1/flags/events"

  /// Returns whether a ticket authorizes a request without a token: one for the stream of events alone.
  package func acceptsTicket(_ target: RequestTarget) -> Bool {
    guard let tickets = options.tickets, let ticket = target.value(of: "ticket"),
      target.path == ["flags", "events"] || Self.eventPath.match(target.path) != nil
    else { return false }
    return tickets.accepts(ticket)
  }

  /// Returns whether a target is that of the definitions, which are more than their answers.
  package static func isDefinitions(_ target: RequestTarget) -> Bool { target.path.last == "flags.json" }

  /// The version and the number of flags of the definitions; nil if there are none.
  package var summary: (version: String, flags: Int)? { current.map { ($0.tag.opaque, $0.flags.count) } }

  /// Makes the service not ready, and leaves everything else as it is, before the server stops.
  package func beginDraining() { isDraining.store(true, ordering: .relaxed) }

  package func observe(_ request: ServedRequest) { metrics.record(request) }

  private func readiness() -> HTTPResponse {
    if isDraining.load(ordering: .relaxed) { return HTTPResponse(.serviceUnavailable, text: "stopping\n") }
    if current == nil { return notReady }
    guard let age = excessiveAge else { return HTTPResponse(.ok, text: "ready\n") }
    return HTTPResponse(.serviceUnavailable, text: "stale: the definitions were last confirmed \(age) s ago\n")
  }

  /// Returns whether answers of definitions may be out of date.
  func isStale(_ current: ServedDefinitions) -> Bool {
    current.isStale || excessiveAge != nil
  }

  /// The age of the store's last confirmation in seconds if it is above the maximum; else nil.
  ///
  /// A store that does not say when it confirmed its definitions has no age.
  private var excessiveAge: Int64? {
    guard let maximumAge = options.maximumAge, let confirmed = store.status.fetchedAt else { return nil }
    let age = max(0, seconds - confirmed)
    return .seconds(age) > maximumAge ? age : nil
  }

  /// The time in seconds since 1970, as rules see it.
  var seconds: Int64 { environment.date().secondsSince1970 }

  private func definitions(_ request: ServerRequest) -> HTTPResponse {
    guard let current else { return notReady }
    let fields: HTTPFields = [.eTag: current.tag.description, .cacheControl: "no-cache"]
    if request.message.names(current.tag) { return HTTPResponse(.notModified, fields: fields) }
    var response = HTTPResponse(.ok, fields: fields, body: current.text)
    response.fields.append(.contentType, "application/json")
    return response
  }

  private func measures() -> HTTPResponse {
    let text = metrics.text(
      of: current.map { ($0, environment.now() - $0.loaded) }, stores: parts, at: seconds, streams: events.streams,
      process: .current(startedAt: startedAt.secondsSince1970))
    var response = HTTPResponse(.ok, text: text)
    response.fields[.contentType] = "text/plain; version=0.0.4; charset=utf-8"
    return response
  }

  var notReady: HTTPResponse {
    var response = HTTPResponse(
      .serviceUnavailable, fields: [.contentType: "application/json", .retryAfter: "1"],
      body: Array(#"{"errorDetails":"there are no definitions yet"}"#.utf8))
    response.fields[.cacheControl] = "no-store"
    return response
  }
}

extension HTTPRequest {
  /// Returns whether the client has the state of a tag already; a condition that cannot be parsed is ignored.
  func names(_ tag: ETag) -> Bool {
    fields[.ifNoneMatch].flatMap { ETagCondition($0) }?.matchesWeakly(tag) ?? false
  }
}
