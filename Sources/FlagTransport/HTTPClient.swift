import FlagDomain
package import FlagHTTP
package import Foundation

/// Sends requests, and keeps to limits of time, size and whereto.
///
/// - Without encryption it talks to the machine itself, and to hosts that were named for it.
/// - A redirect is followed where it stays at the host, and leaves a GET a GET.
/// - Every wait ends: a request by its limit of time, a stream when nothing comes for its limit.
package struct HTTPClient: Sendable {
  /// The most redirects in a row that are followed.
  package static let redirectLimit = 5

  private let transport: any HTTPTransport
  private let plaintextHosts: Set<String>
  private let limit: Int
  private let clock: any Clock<Duration>

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - transport: What sends.
  ///   - plaintextHosts: The hosts, besides the machine itself, that http is good enough for; without ports.
  ///   - limit: The most bytes of content that a response may have, and that an event may.
  ///   - clock: What times limits.
  package init(
    _ transport: any HTTPTransport, plaintextHosts: Set<String> = [], limit: Int = 10 << 20,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.transport = transport
    self.plaintextHosts = Set(plaintextHosts.map { $0.lowercased() })
    self.limit = max(0, limit)
    self.clock = clock
  }
}

// MARK: Requests

extension HTTPClient {
  /// Returns why nothing may be sent to an address; nil where it may.
  package func objection(to url: URL) -> TransportError? { Self.objection(to: url, plaintextHosts: plaintextHosts) }

  /// Returns why nothing may be sent to an address, where http is good enough for some hosts; nil where it may.
  package static func objection(to url: URL, plaintextHosts: Set<String>) -> TransportError? {
    guard let host = url.host()?.lowercased(), !host.isEmpty, url.user() == nil else { return .unsupportedAddress }
    switch url.scheme?.lowercased() {
    case "https": return nil
    case "http":
      let isLoopback = HTTPHost(url.authority)?.isLoopback ?? false
      return isLoopback || plaintextHosts.contains(host) ? nil : .plaintext(host: host)
    default: return .unsupportedAddress
    }
  }

  /// Sends a request, and waits for the whole response.
  ///
  /// The timeout is for all of it, redirects included. No status is an error, only that there is no whole response.
  package func send(_ request: TransportRequest, timeout: Duration) async throws(TransportError) -> HTTPResponse {
    try await limited(timeout, else: .timedOut(timeout)) { () async throws(TransportError) in
      var (response, exchange) = try await open(request)
      while let bytes = try await exchange.next() {
        guard response.body.count + bytes.count <= limit else {
          exchange.fail(.tooLarge(limit: limit))
          throw .tooLarge(limit: limit)
        }
        response.body += bytes
      }
      return response
    }
  }

  /// Sends a request, and waits for the header of an answer whose content comes bit by bit.
  ///
  /// The timeout is for the header, and for all of a refusal, whose content is in the answer.
  ///
  /// - Returns: The answer, and where the rest of it comes.
  package func begin(
    _ request: TransportRequest, timeout: Duration
  ) async throws(TransportError) -> (response: HTTPResponse, exchange: Exchange) {
    try await limited(timeout, else: .timedOut(timeout)) { () async throws(TransportError) in
      var (response, exchange) = try await open(request)
      guard response.status != .ok else { return (response, exchange) }
      while response.body.count <= 1 << 16, let bytes = try await exchange.next() { response.body += bytes }
      return (response, exchange)
    }
  }

  private func limited<Value: Sendable>(
    _ timeout: Duration, else error: TransportError,
    _ operation: @escaping @Sendable () async throws(TransportError) -> Value
  ) async throws(TransportError) -> Value {
    try await withTimeout(timeout, on: clock, timedOut: error, cancelled: .cancelled, operation).get()
  }

  /// Sends a request and those that redirects lead to, and waits for the header of what is none.
  private func open(_ request: TransportRequest) async throws(TransportError) -> (HTTPResponse, Exchange) {
    var request = request
    for _ in 0...Self.redirectLimit {
      if let objection = objection(to: request.url) { throw objection }
      let exchange = transport.send(request, limit: limit)
      let head = try await exchange.head()
      guard let url = head.redirect(of: request) else { return (head, exchange) }
      exchange.fail(.cancelled)
      guard url.hasSameOrigin(as: request.url) else { throw .redirected(to: url.authority) }
      request.url = url
    }
    throw .tooManyRedirects(limit: Self.redirectLimit)
  }
}

extension HTTPResponse {
  /// Where a request is to be sent instead, with its method as it is; nil for any other answer.
  fileprivate func redirect(of request: TransportRequest) -> URL? {
    switch status.code {
    case 307, 308: break
    case 301, 302, 303: guard request.method == .get else { return nil }
    default: return nil
    }
    return fields[.location].flatMap { URL(string: $0, relativeTo: request.url)?.absoluteURL }
  }
}

// MARK: Streams

extension HTTPClient {
  package struct StreamEnd: Sendable {
    package enum Cause: Hashable, Sendable {
      /// The server ended it.
      case ended
      case failed(TransportError)
      /// It never began: this was the answer.
      case refused(HTTPResponse)
    }

    package var cause: Cause
    /// How long the server wants to be left alone before the next attempt, where it said so.
    package var reconnectionTime: Duration?
  }

  /// What a stream does before it ends.
  package enum StreamEvent: Hashable, Sendable {
    case opened
    case event(ServerSentEvent)
  }

  /// Follows a stream of server-sent events until it ends, and says how.
  ///
  /// - Parameters:
  ///   - request: What is sent; the field that asks for events is added.
  ///   - timeout: How long it may take until the header is there.
  ///   - inactivity: How long the stream may send nothing, heartbeats being something.
  ///   - onEvent: Is told of the beginning and of every event, in order, on the task that called.
  /// - Returns: How it ended.
  package func follow(
    _ request: TransportRequest, timeout: Duration, inactivity: Duration,
    onEvent: @Sendable (StreamEvent) -> Void
  ) async -> StreamEnd {
    var request = request
    request.fields[.accept] = "text/event-stream"
    request.fields[.cacheControl] = "no-cache"
    var parser = EventStreamParser(limits: EventStreamLimits(line: min(1 << 20, limit), event: limit))
    do throws(TransportError) {
      let (head, exchange) = try await limited(timeout, else: .timedOut(timeout)) {
        [request] () async throws(TransportError) in try await open(request)
      }
      guard head.status == .ok else { return StreamEnd(cause: .refused(head)) }
      guard head.fields[.contentType].flatMap(MediaType.init)?.essence == "text/event-stream" else {
        exchange.fail(.cancelled)
        return StreamEnd(cause: .failed(.unreadable("found another type of content")))
      }
      onEvent(.opened)
      while true {
        let bytes = try await limited(inactivity, else: .inactive(inactivity)) {
          () async throws(TransportError) in try await exchange.next()
        }
        guard let bytes else { return StreamEnd(cause: .ended, reconnectionTime: parser.reconnectionTime) }
        for event in try parser.read(bytes) { onEvent(.event(event)) }
      }
    } catch {
      return StreamEnd(cause: .failed(error), reconnectionTime: parser.reconnectionTime)
    }
  }
}

extension EventStreamParser {
  fileprivate mutating func read(_ bytes: [UInt8]) throws(TransportError) -> [ServerSentEvent] {
    do throws(EventStreamError) {
      return try append(bytes)
    } catch {
      switch error {
      case .lineTooLong(let limit): throw .unreadable("found a line of more than \(limit) bytes")
      case .eventTooLong(let limit): throw .unreadable("found an event of more than \(limit) bytes")
      }
    }
  }
}
