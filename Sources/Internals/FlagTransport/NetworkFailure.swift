import FlagHTTP
import FlagSupport

/// A network failure in system error codes: an error of Foundation without its texts, which contain addresses with
/// their queries.
struct NetworkFailure: Hashable, Sendable {
  /// The code of Foundation's URL error; 0 for an error of another domain.
  var code: Int
  /// The `errno` codes of the underlying system errors.
  var systemErrors: [Int32] = []
  /// Whether the system reports that the app may not use the local network.
  var isLocalNetworkProhibited = false
  /// Whether the system requires the user's permission before an app may use the local network.
  var hasLocalNetworkPrivacy = false
  /// The host that the request was for, if it is known.
  var host: HTTPHost?

  /// The error as the client reports it, without Foundation's text.
  var error: TransportError {
    if [-1004, -1005, -1009].contains(code), isLocalNetworkRefused { return .localNetworkRefused(host) }
    // Foundation does not name all of its codes on every platform.
    return switch code {
    case -999: .cancelled
    case -1001: .networkTimeout(host)
    case -1003, -1006: .unknownHost(host)
    case -1004: known ?? TransportError(unreachable: host)
    case -1005: .failed("connection lost")
    case -1009: .failed("no network connection")
    case -1011, -1017: .noHTTP
    case -1022: .appTransportSecurity(host)
    case -1200: .handshakeFailed(host)
    case -1201: .hostExpired
    case -1203 ... -1202: .hostRefused
    case -1204: .hostNotYetValid
    case -1206 ... -1205: .certificate("TLS: the client certificate is missing, or was refused")
    default: known ?? .failed("the network failed (\(numbers))")
    }
  }

  /// The error for the system's own codes, if one of them explains a failed connection.
  private var known: TransportError? {
    systemErrors.lazy.compactMap { TransportError(unreachable: host, systemError: $0) }.first
  }

  private var numbers: String {
    ([code] + systemErrors.map { Int($0) }).filter { $0 != 0 }.map(\.description).joined(separator: ", ")
  }

  /// Whether the user's permission for the local network is missing: the system reports that, or refuses the
  /// connection, or finds no route to a host of the local network.
  private var isLocalNetworkRefused: Bool {
    if isLocalNetworkProhibited { return true }
    guard hasLocalNetworkPrivacy, host?.isOnLocalNetwork == true else { return false }
    return systemErrors.contains { [EPERM, EHOSTUNREACH].contains($0) }
  }
}

extension TransportError {
  /// Creates the error for a failed connection, in the system's words; nil for a code that does not explain it.
  init?(unreachable host: HTTPHost?, systemError number: Int32) {
    switch number {
    case ETIMEDOUT: self = .networkTimeout(host)
    case ECONNREFUSED, EHOSTUNREACH, ENETUNREACH, EADDRNOTAVAIL, ENETDOWN, EPERM, EACCES:
      let hint = [EPERM, EACCES].contains(number) ? ": a firewall or a filter forbids it" : ""
      self = .notConnected("cannot connect to \(host.words): \(SystemError(code: number))\(hint)")
    default: return nil
    }
  }

  /// Creates the error for a failed connection, without a reason.
  init(unreachable host: HTTPHost?) {
    self = .notConnected("cannot connect to \(host.words): connection refused, or no route")
  }

  static let noHTTP = Self.failed("expected a response of HTTP, found another")

  static func unknownHost(_ host: HTTPHost?) -> Self { .notConnected("DNS: no address for \(host.name)") }

  static func networkTimeout(_ host: HTTPHost?) -> Self { .unanswered("timeout: no response of \(host.words)") }

  static let proxyAuthentication = Self.notConnected(
    "the proxy wants a name and a password (407): set them in the address of the proxy")

  static func proxyRefuses(_ host: HTTPHost?, _ name: String) -> Self {
    .notConnected(
      "the proxy \(name) refuses requests to \(host.words) (403): permit the host there, or go around the proxy")
  }

  static func proxyUnreachable(_ variable: String) -> Self {
    .notConnected("cannot connect to the proxy that \(variable) names, or to the host: look at the proxy first")
  }

  static func handshakeFailed(_ host: HTTPHost?) -> Self {
    .failed("TLS: the handshake with \(host.words) failed: no common version or cipher, or no TLS there")
  }

  fileprivate static func appTransportSecurity(_ host: HTTPHost?) -> Self {
    let exception =
      host?.isOnLocalNetwork == false && host?.isLoopback == false
      ? "NSExceptionDomains" : "NSAllowsLocalNetworking"
    return .notConnected(
      "App Transport Security blocks plain http: add an exception for \(host.name) to Info.plist "
        + "(NSAppTransportSecurity, \(exception)), or use https")
  }

  fileprivate static func localNetworkRefused(_ host: HTTPHost?) -> Self {
    .notConnected(
      "the local network is not permitted, and \(host.words) is on it: the app needs NSLocalNetworkUsageDescription "
        + "in Info.plist and the user's permission (Settings, Privacy & Security, Local Network)")
  }
}

extension HTTPHost? {
  var name: String { self?.name ?? "the host" }
  /// The name, with the port if the address has one.
  var words: String { self?.description ?? "the host" }
}
