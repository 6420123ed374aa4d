#if canImport(Glibc)
  import FlagCurl
  import FlagFoundation
  import FlagHTTP
  import FlagSupport

  /// A request in progress, confined to its thread: the data to send, and the response as it is received.
  @safe
  final class CurlTransfer {
    /// The maximum size of a header in bytes.
    private static let headerLimit = 256 << 10

    let number: Int
    private let host: HTTPHost?
    private let scheme: String
    private let isDirect: Bool
    private let certificates: TransportCertificates?
    private(set) weak var exchange: Exchange?
    private var handle: OpaquePointer?
    /// The bytes of the body that were sent until now.
    private var sent = 0
    /// The header as far as it has been received.
    private var head: HTTPResponse?
    private var headerLength = 0
    /// Whether the header is complete: fields after that are trailers, which are ignored.
    private var hasHead = false

    init(
      _ request: TransportRequest, _ certificates: TransportCertificates?, number: Int, exchange: Exchange
    ) throws(TransportError) {
      self.number = number
      host = HTTPHost(request.url.authority)
      scheme = request.url.scheme?.lowercased() ?? ""
      isDirect = host?.isLoopback ?? false
      self.certificates = certificates
      self.exchange = exchange
      let lines = try Self.lines(of: request)
      unsafe handle = Self.handle(request, lines, certificates, context: Unmanaged.passUnretained(self).toOpaque())
      guard unsafe handle != nil else { throw .failed("expected a valid address, and memory for a connection") }
    }

    deinit { if let handle = unsafe handle { unsafe flag_curl_transfer_dispose(handle) } }

    func begin(in loop: OpaquePointer) throws(TransportError) {
      guard let handle = unsafe handle, unsafe flag_curl_loop_add(loop, handle) else {
        throw .failed("the request cannot begin")
      }
    }

    func end(in loop: OpaquePointer) {
      if let handle = unsafe handle { unsafe flag_curl_loop_remove(loop, handle) }
    }

    // MARK: Sending

    private static func lines(of request: TransportRequest) throws(TransportError) -> [String] {
      var lines: [String] = []
      for field in request.fields.all {
        guard field.isSendable else {
          throw .failed("expected a header field of one line, found another for \(field.name)")
        }
        // curl needs a semicolon after a name without a value.
        lines.append(field.value.isEmpty ? "\(field.name.text);" : "\(field.name.text): \(field.value)")
      }
      if !request.acceptsCoding { lines.append("Accept-Encoding: identity") }
      // The fields that the library would add by itself.
      for name in [HTTPFieldName.accept, .contentType, .expect] where request.fields[name] == nil {
        lines.append("\(name.text):")
      }
      return lines
    }

    /// Creates the library's own transfer, which copies all of its input.
    ///
    /// The context is not retained: the loop retains this transfer for as long as the library references it.
    private static func handle(
      _ request: TransportRequest, _ lines: [String], _ certificates: TransportCertificates?,
      context: UnsafeMutableRawPointer
    ) -> OpaquePointer? {
      let known = [
        request.url.absoluteString, request.method.name, certificates?.authorities, certificates?.certificate,
        certificates?.key,
      ]
      let texts = unsafe (known + lines).map { text in unsafe text.flatMap { unsafe strdup($0) } }
      defer { unsafe texts.forEach { unsafe free($0) } }
      return unsafe texts.map { unsafe UnsafePointer($0) }.withUnsafeBufferPointer { texts in
        unsafe request.body.withUnsafeBufferPointer { body in
          var parts = unsafe flag_curl_request(
            url: texts[0], method: texts[1], lines: texts.baseAddress?.advanced(by: known.count),
            line_count: texts.count - known.count, has_body: !body.isEmpty || request.method.anticipatesContent,
            body: body.baseAddress, length: body.count,
            is_direct: HTTPHost(request.url.authority)?.isLoopback ?? false, decodes: request.acceptsCoding,
            authorities: texts[2], certificate: texts[3], key: texts[4], context: context,
            header: { unsafe CurlTransfer.of($0).takeHeader(UnsafeRawBufferPointer(start: $1, count: $2)) },
            content: { unsafe CurlTransfer.of($0).takeContent(UnsafeRawBufferPointer(start: $1, count: $2)) },
            progress: { unsafe CurlTransfer.of($0).noteSent(Int($1)) })
          return unsafe flag_curl_transfer_create(&parts)
        }
      }
    }

    /// Returns the transfer of a context: the library passes it back while the loop retains it.
    static func of(_ context: UnsafeMutableRawPointer?) -> CurlTransfer {
      guard let context = unsafe context else { preconditionFailure("expected the context of a transfer") }
      return unsafe Unmanaged.fromOpaque(context).takeUnretainedValue()
    }

    // MARK: Receiving

    /// Parses a line of a header or of trailers, and returns whether to continue.
    private func takeHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
      guard let exchange else { return false }
      exchange.move(bytes.count)
      headerLength += bytes.count
      guard headerLength <= Self.headerLimit else {
        exchange.fail(.failed("expected a header of \(Self.headerLimit) bytes at most, found more"))
        return false
      }
      guard !hasHead else { return true }
      let line = unsafe String(decoding: bytes, as: UTF8.self).trimmingSpaces
      guard let head else {
        guard let status = Self.status(of: line) else {
          exchange.fail(.failed("expected a status, found another answer"))
          return false
        }
        self.head = HTTPResponse(status)
        return true
      }
      if line.isEmpty {
        // 100 Continue and 103 Early Hints: the final response follows.
        self.head = nil
        if head.status.code >= 200 {
          hasHead = true
          exchange.deliver(head)
        }
      } else if let colon = line.firstIndex(of: ":"), let name = HTTPFieldName(String(line[..<colon])) {
        let value = String(line[line.index(after: colon)...].trimmingHTTPSpace)
        self.head?.fields.append(name, value)
      }
      return true
    }

    /// Parses the status of a status line: "HTTP/1.1 200 OK", "HTTP/2 200".
    private static func status(of line: String) -> HTTPStatus? {
      line.split(separator: " ").dropFirst().first.flatMap { Int($0) }.flatMap(HTTPStatus.init)
    }

    /// Counts what was sent of the body until now; a redirected or repeated request begins again.
    private func noteSent(_ count: Int) {
      if count > sent { exchange?.move(count - sent) }
      sent = count
    }

    /// Delivers the next bytes of the content, and returns whether to continue.
    private func takeContent(_ bytes: UnsafeRawBufferPointer) -> Bool {
      guard let exchange else { return false }
      unsafe exchange.deliver(Array(bytes))
      return true
    }

    /// Returns the error for a finished transfer: in our words if the user can act on it, and else in the library's
    /// words for the code, which contain no address.
    func error(_ outcome: flag_curl_outcome) -> TransportError? {
      if let refusal = refusalOfProxy(outcome) { return refusal }
      return switch outcome.code {
      case 0: hasHead ? nil : .failed("connection lost: it ended before there was a response")
      case 1, 8: .noHTTP
      case 5: .notConnected("DNS: no address for the proxy\(proxy.map { " of \($0)" } ?? "")")
      case 6: .unknownHost(host)
      case 7:
        proxy.map(TransportError.proxyUnreachable)
          ?? TransportError(unreachable: host, systemError: Int32(truncatingIfNeeded: outcome.system_error))
          ?? TransportError(unreachable: host)
      case 28: .networkTimeout(host)
      case 35: .handshakeFailed(host)
      case 58: clientRefused
      case 60: .hostRefused(host, verification: outcome.verification)
      case 77: .certificate("TLS: the trusted certificates cannot be read")
      default: .failed("the network failed: \(unsafe String(cString: flag_curl_text(outcome.code)))")
      }
    }

    /// The variable of the environment that names a proxy for the request, if one may be in use.
    private var proxy: String? { isDirect ? nil : Self.proxy(for: scheme, in: ProcessInfo.processInfo.environment) }

    /// Returns the variable that names a proxy for a scheme, as the library reads the environment.
    ///
    /// Hosts that `no_proxy` excludes are not known here.
    static func proxy(for scheme: String, in environment: [String: String]) -> String? {
      let names = ["\(scheme)_proxy", "all_proxy"].flatMap { name in
        // The library ignores HTTP_PROXY, which a request could set for a CGI program.
        name == "http_proxy" ? [name] : [name, name.uppercased()]
      }
      return names.first { environment[$0]?.isEmpty == false }
    }

    /// Returns the error for a proxy that did not connect to the host.
    private func refusalOfProxy(_ outcome: flag_curl_outcome) -> TransportError? {
      switch outcome.proxy_status {
      case 0, 200..<300: nil
      case 407: .proxyAuthentication
      default: .notConnected("the proxy does not connect to \(host.words): it answered \(outcome.proxy_status)")
      }
    }

    /// Returns the error for an unusable client certificate, as far as its files explain it.
    private var clientRefused: TransportError {
      do throws(TransportError) { try certificates?.check() } catch { return error }
      return .certificate("TLS: the client certificate or its key cannot be used")
    }
  }
#endif
