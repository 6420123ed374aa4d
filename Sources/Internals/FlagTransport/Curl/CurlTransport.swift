#if canImport(Glibc)
  import FlagCurl
  import FlagSupport

  /// Sends requests with libcurl, on which Foundation on Linux is built, over reused connections.
  ///
  /// One thread serves the requests of all transports of the process: ``SharedCurlWork``.
  /// Foundation's own session on Linux (Swift 6.3) ends the program at a response with trailers, and at a header that
  /// breaks off ("Transfer completed, but there's no response"), and never completes a POST whose reused connection the
  /// server closes; so this transport replaces it.
  ///
  /// A proxy is used as the environment says (`https_proxy`, `no_proxy`), but never for the machine itself.
  package final class CurlTransport: HTTPTransport {
    let work: CurlWork
    private let sharedWork: SharedCurlWork
    private let certificates: TransportCertificates?

    /// The reason why nothing can be sent; nil if the library, which is loaded once, is available.
    private static let problem = unsafe flag_curl_load().map { unsafe String(cString: $0) }

    /// Creates a transport.
    ///
    /// - Parameter certificates: Files to use in place of the system's trusted certificates and of no client
    ///   certificate.
    package convenience init(certificates: TransportCertificates? = nil) {
      self.init(certificates: certificates, on: .instance)
    }

    init(certificates: TransportCertificates? = nil, on sharedWork: SharedCurlWork) {
      self.certificates = certificates
      self.sharedWork = sharedWork
      work = sharedWork.join()
    }

    deinit {
      work.cancelAll(of: ObjectIdentifier(self))
      sharedWork.leave()
    }

    package static func check(_ certificates: TransportCertificates) throws(TransportError) {
      try certificates.check()
    }

    package func send(_ request: TransportRequest, limit: Int) -> Exchange {
      let exchange = Exchange(limit: limit)
      if let problem = Self.problem {
        exchange.finish(.failed("expected libcurl.so.4, on which networking on Linux is built: \(problem)"))
      } else if let number = work.add(request, certificates, for: exchange, of: ObjectIdentifier(self)) {
        exchange.onCancel { [work] in work.cancel(number) }
      } else {
        exchange.finish(.failed("out of file descriptors (RLIMIT_NOFILE)"))
      }
      return exchange
    }

    package var running: Int { work.running(of: ObjectIdentifier(self)) }
  }
#endif
