#if canImport(Glibc)
  import FlagCurl
  import FlagDomain
  import Foundation

  /// Sends requests by libcurl, which is what Foundation on Linux is built on, over connections that are kept open.
  ///
  /// All requests of a transport are served by one thread, which begins with the first one and ends with the transport.
  /// Foundation's own session on Linux (Swift 6.3) ends the program at an answer with trailers, and at a header that
  /// breaks off ("Transfer completed, but there's no response"), and never answers a POST whose kept connection the
  /// server closes; so it is gone around.
  ///
  /// A proxy is used as the environment says (`https_proxy`, `no_proxy`), but never to the machine itself.
  package final class CurlTransport: HTTPTransport {
    private let work: CurlWork

    /// Why nothing can be sent; nil where the library, which is loaded once, is there.
    private static let problem = flag_curl_load().map { String(cString: $0) }

    /// Creates a transport.
    ///
    /// - Parameter certificates: Files that are used in place of the system's certificates, and of none.
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
        exchange.finish(.failed("the process has no descriptor left"))
      }
      return exchange
    }

    package var running: Int { work.running }
  }

  /// What a transport wants of its thread.
  final class CurlWork: Sendable {
    enum Command: Sendable {
      /// The exchange is weak, so that one that nobody waits for is let go of, and so cancelled.
      case send(Int, TransportRequest, Weak)
      case cancel(Int)
      case end
    }

    struct Weak: Sendable { weak var exchange: Exchange? }

    private struct State {
      var commands: [Command] = []
      var running: Set<Int> = []
      var lastNumber = 0
      /// What wakes the thread, once it has begun.
      var event: Int32?
    }

    let certificates: TransportCertificates?
    private let state = Locked(State())

    init(_ certificates: TransportCertificates?) { self.certificates = certificates }

    deinit { state.withLock { if let event = $0.event { flag_curl_event_close(event) } } }

    var running: Int { state.withLock { $0.running.count } }

    /// Has a request sent, and returns its number; nil where the thread cannot begin.
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

    /// Returns to where no thread has begun, and hands over what that was to do.
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
