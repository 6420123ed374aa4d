import FlagDomain
import FlagHTTP
import FlagTransport

/// What came of a request, with the content of its answer.
enum FetchOutcome<Content: Sendable>: Sendable {
  case content(Content, tag: String?, (sources: [EventSource], body: [UInt8]))
  case unchanged
  case failure(FetchFailure)

  /// What it means for what comes next.
  var answer: Result<FetchAnswer, FetchFailure> {
    switch self {
    case .content(_, let tag, let rest): .success(FetchAnswer(tag: tag, sources: rest.sources))
    case .unchanged: .success(FetchAnswer(isUnchanged: true))
    case .failure(let failure): .failure(failure)
    }
  }

  /// The bytes that the content was read from.
  var body: [UInt8]? { if case .content(_, _, let rest) = self { rest.body } else { nil } }
}

extension ServiceFormat {
  /// Sends a request, and reads the answer.
  func fetch(
    _ fetch: SyncState.Fetch, over http: HTTPClient, timeout: Duration, date: @Sendable () -> HTTPDate
  ) async -> FetchOutcome<Content> {
    let response: HTTPResponse
    do {
      response = try await http.send(try request(for: fetch), timeout: timeout)
    } catch let error as FlagError {
      return .failure(FetchFailure(error: error))
    } catch {
      return .failure(FetchFailure(error: FlagError(.general, "\(error)")))
    }
    switch response.status {
    case .ok:
      do throws(FlagError) {
        let content = try content(of: response.body)
        return .content(content, tag: response.fields[.eTag], (sources(in: content), response.body))
      } catch {
        return .failure(FetchFailure(error: error))
      }
    case .notModified where fetch.tag != nil: return .unchanged
    default: return .failure(FetchFailure(response, now: date()))
    }
  }
}

extension FetchFailure {
  /// Creates what a status means; what a service says of it in words is left out, since it may name whoever asks.
  fileprivate init(_ response: HTTPResponse, now: HTTPDate) {
    let error = FlagError(.general, "expected an answer of status 200, found \(response.status)")
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
    reconnectionTime = end.reconnectionTime
    switch end.cause {
    case .failed(.inactive): kind = .silent
    case .refused(let response):
      switch FetchFailure.Kind(response, now: now) {
      case .refused: kind = .refused
      case .busy(let delay): kind = .busy(delay)
      case .other: kind = .other
      }
    case .ended, .failed: kind = .other
    }
  }
}
