#if canImport(Glibc)
  import FlagCurl
  import FlagDomain
  import Foundation

  /// Sends requests with libcurl, on which Foundation on Linux is built, over reused connections.
  ///
  /// One thread serves all requests of a transport; it starts with the first one and ends with the transport.
  /// Foundation's own session on Linux (Swift 6.3) ends the program at a response with trailers, and at a header that
  /// breaks off ("Transfer completed, but there's no response"), and never completes a POST whose reused connection the
  /// server closes; so this transport replaces it.
  ///
  /// A proxy is used as the environment says (`https_proxy`, `no_proxy`), but never for the machine itself.
  package final class CurlTransport: HTTPTransport {
    private let work: CurlWork

    /// The reason why nothing can be sent; nil if the library, which is loaded once, is available.
    private static let problem = flag_curl_load().map { String(cString: $0) }

    /// Creates a transport.
    ///
    /// - Parameter certificates: Files to use in place of the system's trusted certificates and of no client
    ///   certificate.
    package init(certificates: TransportCertificates? = nil) { work = CurlWork(certificates) }

    deinit { work.end() }

    package static func check(_ certificates: TransportCertificates) throws(TransportError) {
      try certificates.check()
    }

    package func send(_ request: TransportRequest, limit: Int) -> Exchange {
      let exchange = Exchange(limit: limit)
      if let problem = Self.problem {
        exchange.finish(.failed("expected libcurl.so.4, on which networking on Linux is built: \(problem)"))
      } else if let number = work.add(request, for: exchange) {
        exchange.onCancel { [work] in work.cancel(number) }
      } else {
        exchange.finish(.failed("out of file descriptors (RLIMIT_NOFILE)"))
      }
      return exchange
    }

    package var running: Int { work.running }
  }

  /// The commands of a transport to its thread.
  final class CurlWork: Sendable {
    enum Command: Sendable {
      /// The exchange is weak, so that one without a waiting task is released, and so cancelled.
      case send(Int, TransportRequest, Weak)
      case cancel(Int)
      case end
    }

    struct Weak: Sendable { weak var exchange: Exchange? }

    private struct State {
      var commands: [Command] = []
      var running: Set<Int> = []
      var lastNumber = 0
      /// The descriptor that wakes the thread, once it has started.
      var event: Int32?
    }

    let certificates: TransportCertificates?
    private let state = Locked(State())

    init(_ certificates: TransportCertificates?) { self.certificates = certificates }

    deinit { state.withLock { if let event = $0.event { flag_curl_event_close(event) } } }

    var running: Int { state.withLock { $0.running.count } }

    /// Queues a request, and returns its number; nil if the thread cannot start.
    func add(_ request: TransportRequest, for exchange: Exchange) -> Int? {
      let (number, begins) = state.withLock { state -> (Int?, Int32?) in
        var begins: Int32?
        if state.event == nil {
          let event = flag_curl_event_create()
          guard event >= 0 else { return (nil, nil) }
          state.event = event
          begins = event
        }
        state.lastNumber += 1
        state.running.insert(state.lastNumber)
        state.commands.append(.send(state.lastNumber, request, Weak(exchange: exchange)))
        return (state.lastNumber, begins)
      }
      if let begins {
        Thread.detachNewThread { CurlLoop(self, event: begins).run() }
      } else {
        wake()
      }
      return number
    }

    func cancel(_ number: Int) {
      let isRunning = state.withLock { state in
        guard state.running.contains(number) else { return false }
        state.commands.append(.cancel(number))
        return true
      }
      if isRunning { wake() }
    }

    func end() {
      state.withLock { $0.commands.append(.end) }
      wake()
    }

    private func wake() { state.withLock { if let event = $0.event { flag_curl_event_signal(event) } } }

    func takeCommands() -> [Command] {
      state.withLock { state in
        defer { state.commands = [] }
        return state.commands
      }
    }

    /// Returns to the state without a thread, and returns the pending commands.
    func reset() -> [Command] {
      state.withLock { state in
        if let event = state.event { flag_curl_event_close(event) }
        state.event = nil
        defer { state.commands = [] }
        return state.commands
      }
    }

    func forget(_ number: Int) { state.withLock { _ = $0.running.remove(number) } }
  }
#endif
