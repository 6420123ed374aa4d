import FlagHTTP
import Foundation

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
}

extension NetworkFailure {
  /// Codes of URL errors, not all of which Foundation names on every platform.
  private enum Code {
    static let cancelled = -999
    static let badURL = -1000
    static let timedOut = -1001
    static let unsupportedURL = -1002
    static let cannotFindHost = -1003
    static let cannotConnectToHost = -1004
    static let networkConnectionLost = -1005
    static let dnsLookupFailed = -1006
    static let notConnectedToInternet = -1009
    static let badServerResponse = -1011
    static let cannotParseResponse = -1017
    static let internationalRoamingOff = -1018
    static let callIsActive = -1019
    static let dataNotAllowed = -1020
    static let appTransportSecurity = -1022
    static let secureConnectionFailed = -1200
    static let expiredCertificate = -1201
    static let untrustedCertificates = -1203 ... -1202
    static let futureCertificate = -1204
    static let clientCertificates = -1206 ... -1205
    static let backgroundSession = -997 ... -995
  }

  /// The error as the client reports it, without Foundation's text.
  var error: TransportError {
    switch code {
    case Code.cancelled: .cancelled
    // The client has checked the address; on Linux this code also means a response of another protocol.
    case Code.badURL, Code.unsupportedURL: .failed("the system does not support the address, or the response to it")
    case Code.cannotFindHost, Code.dnsLookupFailed: .unknownHost(host)
    case Code.cannotConnectToHost: unreachable
    case Code.notConnectedToInternet:
      isLocalNetworkRefused ? .localNetworkRefused(host) : .failed("no network connection")
    case Code.networkConnectionLost: isLocalNetworkRefused ? .localNetworkRefused(host) : .connectionLost
    case Code.timedOut: .networkTimeout(host)
    case Code.appTransportSecurity: .appTransportSecurity(host)
    case Code.dataNotAllowed: .failed("no network connection: cellular data is turned off, for the app or altogether")
    case Code.internationalRoamingOff: .failed("no network connection: data roaming is turned off")
    case Code.callIsActive: .failed("no network connection: the carrier has none during a phone call")
    case Code.backgroundSession: .failed("the request was ended: the system suspended the app, or its session")
    case Code.badServerResponse, Code.cannotParseResponse: .noHTTP
    case Code.secureConnectionFailed: .handshakeFailed(host)
    case Code.expiredCertificate: .hostExpired
    case Code.futureCertificate: .hostNotYetValid
    case Code.untrustedCertificates: .hostRefused
    case Code.clientCertificates: .certificate("TLS: the client certificate is missing, or was refused")
    default: unknown
    }
  }

  /// The error for the system's own codes, if one of them explains a failed connection.
  private var known: TransportError? {
    systemErrors.lazy.compactMap { TransportError(unreachable: host, systemError: $0) }.first
  }

  private var unreachable: TransportError {
    if isLocalNetworkRefused { return .localNetworkRefused(host) }
    return known ?? TransportError(unreachable: host)
  }

  private var unknown: TransportError {
    let codes = [code] + systemErrors.map { number in Int(number) }
    let numbers = codes.filter { $0 != 0 }.map(\.description).joined(separator: ", ")
    return known ?? .failed("the network failed (\(numbers))")
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
  /// Creates the error for a failed connection; nil for a system code that does not explain it.
  init?(unreachable host: HTTPHost?, systemError number: Int32) {
    switch number {
    case ECONNREFUSED: self = .notConnected("connection refused by \(host.words)")
    case EHOSTUNREACH, ENETUNREACH, EADDRNOTAVAIL: self = .notConnected("no route to \(host.words)")
    case ENETDOWN: self = .notConnected("no network connection")
    case ETIMEDOUT: self = .networkTimeout(host)
    case EPERM, EACCES:
      self = .notConnected(
        "the system does not permit a connection to \(host.words): a firewall or a filter forbids it")
    default: return nil
    }
  }

  /// Creates the error for a failed connection, without a reason.
  init(unreachable host: HTTPHost?) {
    self = .notConnected("cannot connect to \(host.words): connection refused, or no route")
  }

  static let connectionLost = Self.failed("connection lost")
  static let noHTTP = Self.failed("expected a response of HTTP, found another")

  static func unknownHost(_ host: HTTPHost?) -> Self { .notConnected("DNS: no address for \(host.name)") }

  static func networkTimeout(_ host: HTTPHost?) -> Self { .unanswered("timeout: no response of \(host.words)") }

  static let proxyAuthentication = Self.notConnected(
    "the proxy wants a name and a password (407): set them in the address of the proxy")

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

// MARK: Reading errors

extension NetworkFailure {
  /// Extracts the codes of an error and of its underlying errors.
  init(_ error: any Error, host: HTTPHost?) {
    // On Linux an error of this domain may be of either type.
    let code = (error as NSError).domain == NSURLErrorDomain ? (error as NSError).code : 0
    self.init(code: (error as? URLError)?.errorCode ?? code, host: host)
    #if canImport(Darwin)
      hasLocalNetworkPrivacy = true
    #endif
    var next: NSError? = error as NSError
    // A cycle of underlying errors would otherwise be an endless loop.
    for _ in 0..<8 {
      guard let error = next else { return }
      if let number = error.systemError { systemErrors.append(number) }
      if error.prohibitsLocalNetwork { isLocalNetworkProhibited = true }
      next = error.userInfo[NSUnderlyingErrorKey] as? NSError
    }
  }
}

extension NSError {
  /// The system's code, from the error itself or from its description of a stream error.
  fileprivate var systemError: Int32? {
    if domain == NSPOSIXErrorDomain { return Int32(exactly: code) }
    // The domain 1 of a stream's error is that of system codes.
    guard userInfo["_kCFStreamErrorDomainKey"] as? Int == 1 else { return nil }
    return (userInfo["_kCFStreamErrorCodeKey"] as? Int).flatMap { Int32(exactly: $0) }
  }

  /// Whether it describes the state of the network, as the system does without the user's permission.
  fileprivate var prohibitsLocalNetwork: Bool {
    userInfo.values.contains { value in
      guard !(value is NSError), !(value is URL) else { return false }
      return "\(value)".contains("Local network prohibited")
    }
  }
}
