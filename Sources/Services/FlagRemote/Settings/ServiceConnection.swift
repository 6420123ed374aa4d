package import FlagDomain
package import FlagFoundation
package import FlagHTTP
package import FlagServices
import FlagSupport
package import FlagTransport

/// A connection to a service over HTTP: its address, the client's credentials, and the limits of requests.
package struct ServiceConnection: Sendable {
  package let address: ServiceAddress
  private let http: HTTPClient
  private let renewal: ServiceCredentials.Renewal?
  private let timeout: Duration
  private let clock: any Clock<Duration>
  private let date: @Sendable () -> HTTPDate

  /// Creates a connection, unless the address is not allowed or the credentials cannot be sent; nothing is sent yet.
  package init(_ url: URL, _ options: ServiceOptions, _ environment: ServiceEnvironment) throws(FlagError) {
    address = try ServiceAddress(url, options.credentials)
    http = HTTPClient(
      environment.transport, plaintextHosts: options.plaintextHosts, limit: options.sizeLimit,
      clock: environment.clock)
    renewal = options.credentials?.renewal
    timeout = options.timeout
    clock = environment.clock
    date = environment.date
    do throws(TransportError) { try http.validate(url) } catch { throw FlagError(.providerFatal, "\(error)") }
  }

  /// Sends a request, and reads the answer.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - offered: Returns the streams that the header fields of an answer offer.
  ///   - code: Returns the error code that the body of a refusal names, if it names one.
  ///   - read: Reads the body of an answer, which may bring further streams.
  /// - Returns: The answer, or the reason why there is none.
  package func fetch<Content: Sendable>(
    _ request: TransportRequest, offered: (HTTPFields) -> [EventSource] = { _ in [] },
    code: ([UInt8]) -> FlagError.Code? = { _ in nil },
    read: ([UInt8]) throws(FlagError) -> (Content, sources: [EventSource])
  ) async -> FetchOutcome<Content> {
    let response: HTTPResponse
    do throws(FlagError) {
      response = try await send(request)
    } catch {
      return .failure(FetchFailure(error: error))
    }
    switch response.status {
    case .ok:
      do throws(FlagError) {
        let (content, sources) = try read(response.body)
        let answer = FetchAnswer(tag: response.fields[.eTag], sources: sources + offered(response.fields))
        return .content(content, answer, body: response.body)
      } catch {
        return .failure(FetchFailure(error: error))
      }
    case .notModified where request.fields[.ifNoneMatch] != nil:
      return .unchanged(sources: offered(response.fields))
    default:
      var failure = FetchFailure(response, from: address.url, now: date())
      if failure.error.code == .general, let code = code(response.body) { failure.error.code = code }
      return .failure(failure)
    }
  }

  /// Sends a request; if it is refused by a 401, once more with renewed credentials.
  private func send(_ request: TransportRequest) async throws(FlagError) -> HTTPResponse {
    let response = try await send(request, isRefused: false)
    guard response.status == .unauthorized, renewal != nil else { return response }
    return try await send(request, isRefused: true)
  }

  private func send(_ request: TransportRequest, isRefused: Bool) async throws(FlagError) -> HTTPResponse {
    let request = try await authorized(request, isRefused: isRefused)
    do throws(TransportError) {
      return try await http.send(request, timeout: timeout)
    } catch {
      throw FlagError(error, from: request.url)
    }
  }

  /// Returns a request with the renewable credentials, if it goes to the service itself.
  private func authorized(
    _ request: TransportRequest, isRefused: Bool
  ) async throws(FlagError) -> TransportRequest {
    guard let renewal, request.url.hasSameOrigin(as: address.url) else { return request }
    let timedOut = FlagError(.timeout, "timeout: no credentials within \(timeout)")
    let fields = try await withTimeout(timeout, on: clock, timedOut: timedOut, cancelled: .cancelled) {
      () async throws(FlagError) -> HTTPFields in
      do {
        return try HTTPFields(credentials: try await renewal(isRefused).map { ($0.key, $0.value) })
      } catch let error as FlagError {
        throw error
      } catch {
        throw FlagError(.general, "the credentials cannot be renewed: \(error)")
      }
    }.get()
    var request = request
    for field in fields.all { request.fields.append(field) }
    return request
  }

  /// Follows a stream of events until it ends, and returns how it ended; `change` returns the change that an event
  /// announces, and nil if it announces none.
  package func follow(
    _ stream: EventSource, inactivity: Duration, onEvent: @escaping @Sendable (StreamEvent) -> Void,
    change: @escaping @Sendable (ServerSentEvent) -> StreamEvent?
  ) async -> StreamFailure {
    let follow = { (isRefused: Bool) async throws(FlagError) -> HTTPClient.StreamEnd in
      let request = try await authorized(address.request(for: stream), isRefused: isRefused)
      return await http.follow(request, timeout: timeout, inactivity: inactivity) { event in
        switch event {
        case .opened: onEvent(.opened)
        case .event(let event): if let change = change(event) { onEvent(change) }
        }
      }
    }
    do throws(FlagError) {
      var end = try await follow(false)
      if renewal != nil, case .refused(let response) = end.cause, response.status == .unauthorized {
        end = try await follow(true)
      }
      return StreamFailure(end, of: stream.url, now: date())
    } catch {
      return StreamFailure(error: error)
    }
  }
}

extension FetchFailure {
  /// Creates the failure for a status; the service's own text is left out, since it may name the client.
  fileprivate init(_ response: HTTPResponse, from url: URL, now: HTTPDate) {
    let message = "\(url.authority): expected status 200, found \(response.status)"
    self.init(error: FlagError(.init(response.status), message), kind: Kind(response, now: now))
  }
}

extension FlagError.Code {
  fileprivate init(_ status: HTTPStatus) {
    switch status.code {
    case 401, 403: self = .unauthorized
    case 404, 410: self = .notFound
    case 408, 504: self = .timeout
    default: self = .general
    }
  }
}

extension FetchFailure.Kind {
  init(_ response: HTTPResponse, now: HTTPDate) {
    switch response.status {
    case .unauthorized, .forbidden: self = .refused
    case .tooManyRequests, .serviceUnavailable:
      self = .busy(RetryAfter(response.fields, now: now)?.delay)
    default: self = .other
    }
  }
}

extension StreamFailure {
  init(_ end: HTTPClient.StreamEnd, of url: URL, now: HTTPDate) {
    var kind = Kind.failed(.other)
    var error: FlagError
    switch end.cause {
    case .ended: error = FlagError(.unreachable, "\(url.authority): it ended before it began")
    case .failed(let failure):
      if case .inactive = failure { kind = .silent }
      error = FlagError(failure, from: url)
    case .refused(let response) where response.status == .noContent:
      kind = .declined
      error = FlagError(.general, "\(url.authority): \(response.status): the service wants no stream")
    case .refused(let response):
      let failure = FetchFailure(response, from: url, now: now)
      (kind, error) = (.failed(failure.kind), failure.error)
    }
    error.message = "the stream of changes: \(error.message)"
    self.init(kind: kind, reconnectionTime: end.reconnectionTime, error: error)
  }
}
