#if !canImport(Glibc) || TESTS_URLSESSION
  import FlagDomain
  import FlagHTTP
  import Foundation

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  /// Sends requests through its own session, whose life ends with it.
  ///
  /// Content is delivered as the session's delegate receives it, so a stream of events arrives as it is sent, on Linux,
  /// too.
  package final class URLSessionTransport: HTTPTransport {
    private let session: URLSession
    private let delegate = SessionDelegate()
    /// The queue for calls to the session: on Linux each call waits for the session's own queue, which a fast peer
    /// keeps busy.
    private let calls = DispatchQueue(label: "FlagTransport.session")

    /// Creates a transport.
    ///
    /// - Parameter certificates: None, since files of certificates are refused by ``check(_:)``.
    package init(certificates: TransportCertificates? = nil) {
      precondition(certificates == nil, "expected the system's certificates")
      let configuration = URLSessionConfiguration.ephemeral
      configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
      configuration.urlCache = nil
      configuration.httpCookieStorage = nil
      configuration.httpShouldSetCookies = false
      configuration.urlCredentialStorage = nil
      // The client applies its own timeouts, by its own clock.
      configuration.timeoutIntervalForRequest = 7 * 86_400
      configuration.timeoutIntervalForResource = 7 * 86_400
      session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: DelegateQueue())
    }

    deinit { calls.async { [session] in session.invalidateAndCancel() } }

    package func send(_ request: TransportRequest, limit: Int) -> Exchange {
      let exchange = Exchange(limit: limit)
      calls.async { [session, delegate, calls] in
        let task = session.dataTask(with: URLRequest(request))
        let number = task.taskIdentifier
        delegate.add(exchange, for: number, at: HTTPHost(request.url.authority))
        exchange.onCancel { [weak delegate] in
          delegate?.remove(number)
          calls.async { task.cancel() }
        }
        task.resume()
      }
      return exchange
    }

    package var running: Int { delegate.running }

    /// Refuses files of certificates: the system's trusted certificates and profiles count.
    package static func check(_ certificates: TransportCertificates) throws(TransportError) {
      throw .certificate("expected the system's certificates, found files, which are for libcurl on Linux")
    }
  }

  extension URLRequest {
    fileprivate init(_ request: TransportRequest) {
      self.init(url: request.url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: 7 * 86_400)
      httpMethod = request.method.name
      httpShouldHandleCookies = false
      for field in request.fields.all { addValue(field.value, forHTTPHeaderField: field.name.text) }
      if !request.body.isEmpty { httpBody = Data(request.body) }
    }
  }

  /// A serial queue for the calls of the session's delegate; on Linux they run at once, on the session's own queue.
  ///
  /// Otherwise the data of a fast peer would wait there for the delegate in unbounded memory. So the delegate never
  /// calls a method that waits for the session.
  ///
  /// `@unchecked Sendable` as its superclass is, to which it adds no state.
  private final class DelegateQueue: OperationQueue, @unchecked Sendable {
    override init() {
      super.init()
      maxConcurrentOperationCount = 1
    }

    #if canImport(FoundationNetworking)
      override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
    #endif
  }

  /// Passes the events of the session to the exchange of their request.
  final class SessionDelegate: NSObject, URLSessionDataDelegate {
    /// Weak, so that an exchange without a waiting task is released, and so cancelled.
    private struct Entry: Sendable {
      weak var exchange: Exchange?
      let host: HTTPHost?
    }

    private let exchanges = Locked<[Int: Entry]>([:])

    var running: Int { exchanges.withLock { $0.count } }

    func add(_ exchange: Exchange, for number: Int, at host: HTTPHost? = nil) {
      exchanges.withLock { $0[number] = Entry(exchange: exchange, host: host) }
    }

    func remove(_ number: Int) { _ = removeEntry(number) }

    private func removeEntry(_ number: Int) -> Entry? { exchanges.withLock { $0.removeValue(forKey: number) } }

    private func exchange(of task: URLSessionTask) -> Exchange? {
      exchanges.withLock { $0[task.taskIdentifier]?.exchange }
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      if let head = HTTPResponse(response), let exchange = exchange(of: dataTask) {
        // The session does not tell the header's size.
        exchange.move(1)
        exchange.deliver(head)
      }
      completionHandler(.allow)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
      totalBytesExpectedToSend: Int64
    ) {
      exchange(of: task)?.move(Int(clamping: bytesSent))
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      exchange(of: dataTask)?.deliver(Array(data))
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      // The client decides about redirects, so the response is the redirect itself.
      completionHandler(nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      guard let entry = removeEntry(task.taskIdentifier), let exchange = entry.exchange else { return }
      if error == nil, let head = task.response.flatMap(HTTPResponse.init) { exchange.deliver(ifMissing: head) }
      // The error has its own text: the system's contains the address, with its query.
      exchange.finish(error.map { NetworkFailure($0, host: entry.host).error })
    }
  }

  extension HTTPResponse {
    fileprivate init?(_ response: URLResponse) {
      guard let response = response as? HTTPURLResponse, let status = HTTPStatus(response.statusCode) else {
        return nil
      }
      var fields = HTTPFields()
      for (name, value) in response.allHeaderFields {
        guard let name = (name as? String).flatMap(HTTPFieldName.init), let value = value as? String else { continue }
        fields.append(name, value)
      }
      self.init(status, fields: fields)
    }
  }
#endif
