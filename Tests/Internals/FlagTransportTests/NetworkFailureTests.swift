import FlagHTTP
import Foundation
import Testing

@testable import FlagTransport

@Suite("Failures of the network")
struct NetworkFailureTests {
  @Test("A failure's numbers become one sentence, which has the words that people search for", arguments: Row.table)
  func putsIntoWords(row: Row) {
    #expect(row.failure.error == row.error)
  }

  @Test(
    "Only a connection that could not be made is certain not to have sent the request",
    arguments: [(-1003, true), (-1004, true), (-1022, true), (-1005, false), (-1001, false), (-1200, false)])
  func knowsWhatWasNotSent(code: Int, isCertain: Bool) {
    let isNotConnected = if case .notConnected = NetworkFailure(code: code).error { true } else { false }
    #expect(isNotConnected == isCertain)
  }

  @Test(
    "A host is on the local network by its name or its address",
    arguments: [
      ("printer.local", true), ("nas", true), ("10.0.0.1:80", true), ("172.16.0.1", true), ("172.31.9.9", true),
      ("192.168.1.1", true), ("169.254.1.1", true), ("[fe80::1]:80", true), ("[fd00::1]", true), ("localhost", false),
      ("127.0.0.1", false), ("[::1]", false), ("example.com", false), ("172.32.0.1", false), ("11.0.0.1", false),
      ("[2001:db8::1]", false), ("local.example.com", false), ("192.168.1.example.com", false),
    ])
  func knowsLocalHosts(text: String, isLocal: Bool) throws {
    #expect(try #require(HTTPHost(text)).isOnLocalNetwork == isLocal)
  }
}

extension NetworkFailureTests {
  struct Row: CustomTestStringConvertible {
    let failure: NetworkFailure
    let error: TransportError

    var testDescription: String { "\(failure.code) \(failure.systemErrors): \(error)" }

    init(
      _ code: Int, beneath systemErrors: [Int32] = [], at host: String = "example.com:8080", isProhibited: Bool = false,
      isApple: Bool = true, _ error: TransportError
    ) {
      failure = NetworkFailure(
        code: code, systemErrors: systemErrors, isLocalNetworkProhibited: isProhibited,
        hasLocalNetworkPrivacy: isApple, host: HTTPHost(host))
      self.error = error
    }

    private static func localNetwork(_ host: String) -> TransportError {
      .notConnected(
        "the local network is not permitted, and \(host) is on it: the app needs NSLocalNetworkUsageDescription in "
          + "Info.plist and the user's permission (Settings, Privacy & Security, Local Network)")
    }

    /// In the words of the C library, in which Glibc's and Darwin's agree.
    private static func notConnected(_ words: String, to host: String = "example.com:8080") -> TransportError {
      .notConnected("cannot connect to \(host): \(words)")
    }

    private static func transportSecurity(_ host: String, _ key: String) -> TransportError {
      .notConnected(
        "App Transport Security blocks plain http: add an exception for \(host) to Info.plist "
          + "(NSAppTransportSecurity, \(key)), or use https")
    }

    static let table = [
      Row(-999, .cancelled),
      Row(-1003, .notConnected("DNS: no address for example.com")),
      Row(-1006, .notConnected("DNS: no address for example.com")),
      Row(-1004, beneath: [ECONNREFUSED], notConnected("Connection refused")),
      Row(-1004, beneath: [EHOSTUNREACH], notConnected("No route to host")),
      Row(-1004, beneath: [ETIMEDOUT], .unanswered("timeout: no response of example.com:8080")),
      Row(-1004, .notConnected("cannot connect to example.com:8080: connection refused, or no route")),
      Row(-1004, beneath: [9999], .notConnected("cannot connect to example.com:8080: connection refused, or no route")),
      Row(-1004, beneath: [EPERM], notConnected("Operation not permitted: a firewall or a filter forbids it")),
      Row(-1004, beneath: [EHOSTUNREACH], at: "192.168.1.5:80", localNetwork("192.168.1.5:80")),
      Row(-1004, beneath: [EPERM], at: "printer.local", localNetwork("printer.local")),
      Row(
        -1004, beneath: [EHOSTUNREACH], at: "192.168.1.5", isApple: false,
        notConnected("No route to host", to: "192.168.1.5")),
      Row(-1004, beneath: [ECONNREFUSED], at: "192.168.1.5", notConnected("Connection refused", to: "192.168.1.5")),
      Row(-1009, .failed("no network connection")),
      Row(-1009, at: "192.168.1.5", .failed("no network connection")),
      Row(-1009, at: "dev.example.com", isProhibited: true, localNetwork("dev.example.com")),
      Row(-1009, beneath: [EPERM], at: "192.168.1.5", localNetwork("192.168.1.5")),
      Row(-1005, .failed("connection lost")),
      Row(-1001, .unanswered("timeout: no response of example.com:8080")),
      Row(-1022, transportSecurity("example.com", "NSExceptionDomains")),
      Row(-1022, at: "192.168.1.5:80", transportSecurity("192.168.1.5", "NSAllowsLocalNetworking")),
      Row(-1022, at: "localhost:80", transportSecurity("localhost", "NSAllowsLocalNetworking")),
      Row(-1011, .failed("expected a response of HTTP, found another")),
      Row(
        -1200,
        .failed("TLS: the handshake with example.com:8080 failed: no common version or cipher, or no TLS there")),
      Row(-1201, .certificate("TLS: the host's certificate has expired, or this machine's date is wrong")),
      Row(-1202, .hostRefused), Row(-1203, .hostRefused),
      Row(-1204, .certificate("TLS: the host's certificate is not valid yet: look at this machine's date")),
      Row(-1206, .certificate("TLS: the client certificate is missing, or was refused")),
      Row(0, beneath: [ECONNREFUSED], notConnected("Connection refused")),
      Row(0, beneath: [9999], .failed("the network failed (9999)")),
      Row(-1234, .failed("the network failed (-1234)")),
    ]
  }
}
