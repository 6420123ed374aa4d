import FlagDomain
import FlagHTTP
import FlagProviders
import FlagTransport
import Foundation

/// A connection to a service over HTTP: its address, the client's credentials, and the limits of requests.
struct ServiceConnection: Sendable {
  let address: ServiceAddress
  private let http: HTTPClient
  private let timeout: Duration
  private let date: @Sendable () -> HTTPDate

  /// Creates a connection, unless the address is not allowed or the credentials cannot be sent; nothing is sent yet.
  init(_ url: URL, _ options: ServiceOptions, _ environment: ServiceEnvironment) throws(FlagError) {
    address = try ServiceAddress(url, options.credentials)
    http = HTTPClient(
      environment.transport, plaintextHosts: options.plaintextHosts, limit: options.sizeLimit,
      clock: environment.clock)
    timeout = options.timeout
    date = environment.date
    do throws(TransportError) { try http.validate(url) } catch { throw FlagError(.providerFatal, "\(error)") }
  }
}

extension ServiceConnection {
  func fetch<Content: Sendable>(
    _ request: TransportRequest, read: ([UInt8]) throws(FlagError) -> (Content, sources: [EventSource])
  ) async -> FetchOutcome<Content> {
    let response: HTTPResponse
    do throws(TransportError) {
      response = try await http.send(request, timeout: timeout)
    } catch {
      return .failure(FetchFailure(error: FlagError(.general, "\(error)")))
    }
    switch response.status {
    case .ok:
      do throws(FlagError) {
        let (content, sources) = try read(response.body)
        return .content(content, FetchAnswer(tag: response.fields[.eTag], sources: sources), body: response.body)
      } catch {
        return .failure(FetchFailure(error: error))
      }
    case .notModified where request.fields[.ifNoneMatch] != nil: return .unchanged
    default: return .failure(FetchFailure(response, now: date()))
    }
  }

  /// Follows a stream of events until it ends, and returns how it ended; `change` returns the change that an event
  /// announces, and nil if it announces none.
  func follow(
    _ stream: EventSource, inactivity: Duration, onEvent: @escaping @Sendable (StreamEvent) -> Void,
    change: @escaping @Sendable (ServerSentEvent) -> StreamEvent?
  ) async -> StreamFailure {
    let request = address.request(for: stream)
    let end = await http.follow(request, timeout: timeout, inactivity: inactivity) { event in
      switch event {
      case .opened: onEvent(.opened)
      case .event(let event): if let change = change(event) { onEvent(change) }
      }
    }
    return StreamFailure(end, now: date())
  }
}

extension FetchFailure {
  /// Creates the failure for a status; the service's own text is left out, since it may name the client.
  fileprivate init(_ response: HTTPResponse, now: HTTPDate) {
    let error = FlagError(.general, "expected status 200, found \(response.status)")
    self.init(error: error, kind: Kind(response, now: now))
  }
}

extension FetchFailure.Kind {
  init(_ response: HTTPResponse, now: HTTPDate) {
    switch response.status {
    case .unauthorized, .forbidden: self = .refused
    case .tooManyRequests, .serviceUnavailable:
      self = .busy(response.fields[.retryAfter].flatMap { RetryAfter($0, now: now)?.delay })
    default: self = .other
    }
  }
}

extension StreamFailure {
  init(_ end: HTTPClient.StreamEnd, now: HTTPDate) {
    let kind: Kind =
      switch end.cause {
      case .failed(.inactive): .silent
      case .refused(let response): .failed(FetchFailure.Kind(response, now: now))
      case .ended, .failed: .failed(.other)
      }
    self.init(kind: kind, reconnectionTime: end.reconnectionTime)
  }
}
