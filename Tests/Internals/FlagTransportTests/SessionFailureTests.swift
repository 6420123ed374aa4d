#if !canImport(Glibc) || TESTS_URLSESSION
  import FlagHTTP
  import Foundation
  import Testing

  @testable import FlagTransport

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  @Suite("Errors of Foundation's session")
  struct SessionFailureTests {
    @Test(
      "The numbers are found in the error and in those beneath it",
      arguments: [
        (NSError.url(-1004, beneath: .system(ECONNREFUSED)), -1004, [ECONNREFUSED], false),
        (.url(-1004, beneath: .stream(domain: 1, ECONNREFUSED)), -1004, [ECONNREFUSED], false),
        (.url(-1003, beneath: .stream(domain: 12, 8)), -1003, [], false),
        (.url(-1009, beneath: .path("unsatisfied (Local network prohibited), interface: en0")), -1009, [], true),
        (.url(-1009, beneath: .path("unsatisfied (No network route)")), -1009, [], false),
        (.url(-1009, beneath: .url(-1009, beneath: .system(EPERM))), -1009, [EPERM], false),
        (.system(EHOSTUNREACH), 0, [EHOSTUNREACH], false), (NSError(domain: "other", code: 7), 0, [], false),
      ] as [(NSError, Int, [Int32], Bool)])
    func findsNumbers(error: NSError, code: Int, systemErrors: [Int32], isProhibited: Bool) {
      let failure = NetworkFailure(error, host: nil)
      #expect(failure.code == code && failure.systemErrors == systemErrors)
      #expect(failure.isLocalNetworkProhibited == isProhibited)
    }

    @Test("An address that the system puts into an error is in none of ours")
    func keepsAddressesSecret() throws {
      let url = try #require(URL(string: "https://example.com/path?token=secret"))
      for code in -1300 ... -990 {
        let error = NSError(
          domain: NSURLErrorDomain, code: code, userInfo: [NSURLErrorFailingURLErrorKey: url, "text": "\(url)"])
        let words = "\(NetworkFailure(error, host: HTTPHost("example.com")).error)"
        #expect(!words.contains("secret") && !words.contains("path"), "\(code)")
      }
    }
  }

  extension NSError {
    fileprivate static func url(_ code: Int, beneath error: NSError) -> NSError {
      NSError(domain: NSURLErrorDomain, code: code, userInfo: [NSUnderlyingErrorKey: error])
    }

    fileprivate static func system(_ number: Int32) -> NSError {
      NSError(domain: NSPOSIXErrorDomain, code: Int(number))
    }

    /// As the errors of the network framework's older interface are.
    fileprivate static func stream(domain: Int, _ number: Int32) -> NSError {
      NSError(
        domain: "kCFErrorDomainCFNetwork", code: -1004,
        userInfo: ["_kCFStreamErrorDomainKey": domain, "_kCFStreamErrorCodeKey": Int(number)])
    }

    fileprivate static func path(_ words: String) -> NSError {
      NSError(domain: "kCFErrorDomainCFNetwork", code: -1009, userInfo: ["path": words])
    }
  }
#endif
