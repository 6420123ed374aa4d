package import FlagDefinitions
import FlagDomain
package import FlagHTTP

/// Server routes for the flags of a store, which follow the store as long as the service lives.
package final class FlagService: Sendable {
  package let metrics: ServerMetrics
  let tickets: Tickets?
  let environment: ServerEnvironment
  let freshness: Freshness
  let events = EventFeed()
  private let served = Locked<ServedDefinitions?>(nil)
  private let subscription = Locked<FlagSubscription?>(nil)

  /// Creates a service with the store's current definitions.
  ///
  /// - Parameters:
  ///   - store: The store of the definitions.
  ///   - parts: The stores that it merges, for metrics; empty for a store that merges none.
  ///   - maximumAge: The age of the store's last confirmation above which the service is not ready; nil for any.
  ///   - tickets: The tickets that open streams of events if tokens are required; nil if they are not.
  ///   - environment: The source of time for rules and ages.
  package init(
    _ store: any DefinitionStore, of parts: [any DefinitionStore] = [], maximumAge: Duration? = nil,
    tickets: Tickets? = nil, environment: ServerEnvironment = ServerEnvironment()
  ) {
    freshness = Freshness(store: store, parts: parts.isEmpty ? [store] : parts, maximumAge: maximumAge)
    self.tickets = tickets
    self.environment = environment
    metrics = ServerMetrics()
    let subscription = store.subscribe { [weak self] in self?.take($0) }
    self.subscription.withLock { $0 = subscription }
  }

  private func take(_ update: Result<StoredDefinitions, DefinitionStoreError>) {
    let isStale = freshness.isStale(after: update)
    switch update {
    case .success(let definitions):
      // A store of several documents publishes the same definitions again after the failure of one.
      if let current, current.version == definitions.version, current.text == definitions.text {
        return served.withLock { $0?.isStale = isStale }
      }
      var new = ServedDefinitions(definitions, loaded: environment.now(), date: environment.date())
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
    [
      .init(.post, "/ofrep/v1/evaluate/flags/{key}", .immediate { [self] in .response(evaluate($0)) }),
      .init(.post, "/ofrep/v1/evaluate/flags", .immediate { [self] in .response(evaluateAll($0)) }),
      .init(.get, "/flags.json", .immediate { [self] in .response(definitions($0)) }),
      .init(.get, Self.eventPath, .immediate { [self] _ in .events(events) }),
      .init(.get, "/metrics", .immediate { [self] _ in .response(measures()) }),
      .init(.get, "/healthz", isHealthCheck: true, .immediate { _ in .response(HTTPResponse(.ok, text: "ok\n")) }),
      .init(.get, "/readyz", isHealthCheck: true, .immediate { [self] _ in .response(readiness()) }),
    ]
  }

  /// The paths that need no token: health checks send none.
  package static let openPaths: Set<[String]> = [["healthz"], ["readyz"]]

  static let eventPath: RoutePattern = "/flags/events"

  /// Returns whether a ticket authorizes a request without a token: one for the stream of events alone.
  package func acceptsTicket(_ target: RequestTarget) -> Bool {
    guard let tickets, target.path == ["flags", "events"], let ticket = target.value(of: "ticket") else { return false }
    return tickets.accepts(ticket)
  }

  package func observe(_ request: ServedRequest) { metrics.record(request) }

  private func readiness() -> HTTPResponse {
    if current == nil { return notReady }
    guard let age = freshness.excessiveAge(at: seconds) else { return HTTPResponse(.ok, text: "ready\n") }
    return HTTPResponse(.serviceUnavailable, text: "stale: the definitions were last confirmed \(age) s ago\n")
  }

  /// Returns whether answers of definitions may be out of date.
  func isStale(_ current: ServedDefinitions) -> Bool {
    current.isStale || freshness.excessiveAge(at: seconds) != nil
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
    let gauges = current.map {
      ServerMetrics.DocumentGauges(
        version: $0.tag.opaque, flags: $0.flags.count, age: environment.now() - $0.loaded)
    }
    var response = HTTPResponse(
      .ok, text: metrics.text(of: gauges, stores: freshness.gauges(at: seconds), streams: events.streams))
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
