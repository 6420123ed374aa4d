import FlagDomain
package import FlagFoundation
package import FlagHTTP
import FlagSupport

/// Sends requests within limits of time, size and destination.
///
/// - Unencrypted requests go only to the machine itself, and to explicitly allowed hosts.
/// - A redirect is followed if it stays on the host, and does not change the method.
/// - Every wait ends: a request by the limits of its ``TransferPace``, a stream if nothing is received within its
///   limit.
package struct HTTPClient: Sendable {
  /// The maximum number of consecutive redirects to follow.
  package static let redirectLimit = 5

  private let transport: any HTTPTransport
  private let plaintextHosts: Set<String>
  private let limit: Int
  private let clock: any Clock<Duration>
  private let uptime: @Sendable () -> Duration

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - transport: The transport that sends the requests.
  ///   - plaintextHosts: The hosts, besides the machine itself, to which http is allowed; without ports.
  ///   - limit: The maximum size in bytes of a response's content, and of an event.
  ///   - clock: The clock that measures timeouts.
  package init(
    _ transport: any HTTPTransport, plaintextHosts: Set<String> = [], limit: Int = 10 << 20,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.transport = transport
    self.plaintextHosts = Set(plaintextHosts.map { $0.lowercased() })
    self.limit = max(0, limit)
    self.clock = clock
    uptime = Self.uptime(of: clock)
  }

  private static func uptime<C: Clock>(of clock: C) -> @Sendable () -> Duration where C.Duration == Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }

  // MARK: Requests

  /// Checks that requests may be sent to an address.
  package func validate(_ url: URL) throws(TransportError) {
    try Self.validate(url, plaintextHosts: plaintextHosts)
  }

  /// Checks that requests may be sent to an address, given the hosts to which http is allowed.
  package static func validate(_ url: URL, plaintextHosts: Set<String>) throws(TransportError) {
    guard let host = url.host()?.lowercased(), !host.isEmpty, url.user() == nil else { throw .unsupportedAddress }
    switch url.scheme?.lowercased() {
    case "https": break
    case "http":
      let isLoopback = HTTPHost(url.authority)?.isLoopback ?? false
      guard isLoopback || plaintextHosts.contains(host) else { throw .plaintext(host: host) }
    default: throw .unsupportedAddress
    }
  }

  /// Sends a request, and waits for the complete response.
  ///
  /// No status is an error, only an incomplete response.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - timeout: The maximum time without any byte in either direction, the first one included.
  ///   - total: The maximum time of all, including redirects; nil for ten times the timeout.
  /// - Returns: The response with its content.
  /// - Throws: The reason why there is none.
  package func send(
    _ request: TransportRequest, timeout: Duration, total: Duration? = nil
  ) async throws(TransportError) -> HTTPResponse {
    let pace = TransferPace(uptime)
    return try await withTimeout(
      cancelled: .cancelled,
      expiry: { [clock] in try await pace.waitForExpiry(silence: timeout, total: total ?? timeout * 10, on: clock) }
    ) { () async throws(TransportError) -> HTTPResponse in
      var (response, exchange) = try await open(request, at: pace)
      // An array that grows has room for up to twice its content.
      if let length = response.fields[.contentLength].flatMap({ Int($0) }), length > 0 {
        response.body.reserveCapacity(min(length, limit))
      }
      while let bytes = try await exchange.next() {
        guard response.body.count + bytes.count <= limit else {
          exchange.fail(.tooLarge(limit: limit))
          throw .tooLarge(limit: limit)
        }
        response.body += bytes
      }
      return response
    }.get()
  }

  /// Sends a request, and waits for the header of a response with streamed content.
  ///
  /// The timeout covers the header, and all of a refusal, whose content is in the response.
  ///
  /// - Returns: The response, and the exchange that delivers the rest of it.
  package func begin(
    _ request: TransportRequest, timeout: Duration
  ) async throws(TransportError) -> (response: HTTPResponse, exchange: Exchange) {
    try await limited(timeout, else: .unfinished(timeout)) { () async throws(TransportError) in
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

  /// Sends a request and follows its redirects, and waits for the header of the final response.
  private func open(
    _ request: TransportRequest, at pace: TransferPace? = nil
  ) async throws(TransportError) -> (HTTPResponse, Exchange) {
    var request = request
    request.fields[.userAgent] = request.fields[.userAgent] ?? "swift-feature-flags"
    for _ in 0...Self.redirectLimit {
      try validate(request.url)
      let exchange = transport.send(request, limit: limit)
      pace?.follow(exchange)
      let head = try await exchange.head()
      if head.status.code == 407 { throw .proxyAuthentication }
      if let proxy = head.refusingProxy(named: request.url.plainProxyVariable) {
        throw .proxyRefuses(HTTPHost(request.url.authority), proxy)
      }
      if request.acceptsCoding, let coding = head.unknownCoding {
        // The content was not decoded, so it is requested once more as it is.
        exchange.fail(.cancelled)
        guard !head.isCompressed else {
          throw .failed("expected content by gzip or as it is, found the coding \(coding.excerpt) beside another")
        }
        request.acceptsCoding = false
        continue
      }
      guard let url = head.redirect(of: request) else { return (head, exchange) }
      exchange.fail(.cancelled)
      guard url.hasSameOrigin(as: request.url) else { throw .redirected(to: url.authority) }
      request.url = url
    }
    throw .tooManyRedirects(limit: Self.redirectLimit)
  }
}

extension HTTPResponse {
  private var codings: [String] {
    (fields[.contentEncoding] ?? "").split(separator: ",").map { $0.trimmingHTTPSpace.lowercased() }
  }

  /// The first coding of the content that no transport decodes, as services write it that mean something else.
  fileprivate var unknownCoding: String? {
    codings.first { !Self.compressions.contains($0) && !["", "identity", "none"].contains($0) }
  }

  fileprivate var isCompressed: Bool { codings.contains(where: Self.compressions.contains) }

  private static let compressions: Set = ["br", "compress", "deflate", "gzip", "x-gzip", "zstd"]

  /// The address to which a request is redirected with the same method; nil for any other response.
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
      /// The server has ended the stream.
      case ended
      case failed(TransportError)
      /// The stream never began: this was the response.
      case refused(HTTPResponse)
    }

    package var cause: Cause
    /// The time that the server asks for before the next attempt, if it does.
    package var reconnectionTime: Duration?
  }

  /// An event before the end of a stream.
  package enum StreamEvent: Hashable, Sendable {
    case opened
    case event(ServerSentEvent)
  }

  /// Follows a stream of server-sent events until it ends, and returns how it ended.
  ///
  /// - Parameters:
  ///   - request: The request to send; the field that requests events is added.
  ///   - timeout: The maximum time until the header is received.
  ///   - inactivity: The maximum time without any bytes from the stream; heartbeats count as bytes.
  ///   - onEvent: Receives the beginning and every event, in order, on the calling task.
  /// - Returns: The way in which the stream ended.
  package func follow(
    _ request: TransportRequest, timeout: Duration, inactivity: Duration,
    onEvent: @Sendable (StreamEvent) -> Void
  ) async -> StreamEnd {
    var request = request
    request.fields[.accept] = "text/event-stream"
    request.fields[.cacheControl] = "no-cache"
    var parser = EventStreamParser(limits: EventStreamLimits(line: limit, event: limit))
    do throws(TransportError) {
      let (head, exchange) = try await limited(timeout, else: .unfinished(timeout)) {
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
