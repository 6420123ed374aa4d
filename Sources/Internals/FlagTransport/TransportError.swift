package import FlagDomain
package import FlagFoundation

/// The reason why there was no response, or only an incomplete one.
///
/// It names hosts, numbers, limits and files of certificates, and never a URL's path or query, a header or content.
package enum TransportError: Error, Hashable, Sendable {
  /// The scheme is neither https nor http, or there is no host.
  case unsupportedAddress
  /// The request is not encrypted, and its host is not explicitly allowed.
  case plaintext(host: String)
  /// The response redirects to another host.
  case redirected(to: String)
  case tooManyRedirects(limit: Int)
  case tooLarge(limit: Int)
  /// No byte was sent or received for this time.
  case timedOut(Duration)
  /// Fewer bytes a second were sent and received.
  case tooSlow(Int)
  /// The response was not complete in time.
  case unfinished(Duration)
  /// A stream sent nothing for this time.
  case inactive(Duration)
  /// A stream of events is malformed.
  case unreadable(String)
  /// A certificate is not accepted, or cannot be used; retrying does not help.
  case certificate(String)
  /// No connection was made, so the request was certainly not sent.
  case notConnected(String)
  /// The system's own timeout has expired.
  case unanswered(String)
  /// The network failed in another way.
  case failed(String)
  case cancelled
}

extension TransportError: CustomStringConvertible {
  /// The expectation and the finding.
  package var description: String {
    switch self {
    case .unsupportedAddress: "expected an address with https and a host"
    case .plaintext(let host): "expected https, found http for \(host): use https, or add the host to plaintextHosts"
    case .redirected(let host): "expected an answer from the host itself, found a redirect to \(host)"
    case .tooManyRedirects(let limit): "expected an answer after \(limit) redirects at most, found one more"
    case .tooLarge(let limit): "expected \(limit) bytes at most, found more"
    case .timedOut(let time): "timeout: nothing was sent or received for \(time)"
    case .tooSlow(let rate): "timeout: fewer than \(rate) bytes a second were sent and received"
    case .unfinished(let time): "timeout: no whole response within \(time)"
    case .inactive(let time): "timeout: the stream sent nothing for \(time)"
    case .unreadable(let problem): "expected a stream of events: \(problem)"
    case .certificate(let problem), .notConnected(let problem), .unanswered(let problem), .failed(let problem): problem
    case .cancelled: "the request was cancelled"
    }
  }
}

extension FlagError {
  /// Creates the error of a request that had no response; its message names the host.
  package init(_ error: TransportError, from url: URL) {
    let problem = "\(error)"
    self.init(error.code, problem.contains(url.authority) ? problem : "\(url.authority): \(problem)")
  }
}

extension TransportError {
  /// The code by which an app distinguishes a slow service and a missing connection from other errors.
  package var code: FlagError.Code {
    switch self {
    case .timedOut, .tooSlow, .unfinished, .inactive, .unanswered: .timeout
    case .notConnected, .failed: .unreachable
    default: .general
    }
  }
}
