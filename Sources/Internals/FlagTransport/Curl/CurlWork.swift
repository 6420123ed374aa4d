#if canImport(Glibc)
  import FlagCurl
  import FlagDomain
  import Foundation

  /// The requests of transports, and the commands to the thread that sends them.
  final class CurlWork: Sendable {
    struct Request: Sendable {
      let number: Int
      let message: TransportRequest
      let certificates: TransportCertificates?
      /// Weak, so that an exchange without a waiting task is released, and so cancelled.
      weak var exchange: Exchange?
    }

    enum Command: Sendable {
      case send(Request)
      case cancel(Int)
      case end
    }

    private struct State {
      var commands: [Command] = []
      /// The transports by the numbers of their requests.
      var running: [Int: ObjectIdentifier] = [:]
      var lastNumber = 0
      /// The descriptor that wakes the thread, once it has started.
      var event: Int32?
    }

    private let state = Locked(State())

    static let threadName = "flags.network"

    deinit { state.withLock { if let event = $0.event { flag_curl_event_close(event) } } }

    func running(of owner: ObjectIdentifier) -> Int { state.withLock { $0.running.count { $0.value == owner } } }

    /// Queues a request of a transport, and returns its number; nil if the thread cannot start.
    func add(
      _ message: TransportRequest, _ certificates: TransportCertificates?, for exchange: Exchange,
      of owner: ObjectIdentifier
    ) -> Int? {
      let (number, begins) = state.withLock { state -> (Int?, Int32?) in
        var begins: Int32?
        if state.event == nil {
          let event = flag_curl_event_create()
          guard event >= 0 else { return (nil, nil) }
          state.event = event
          begins = event
        }
        state.lastNumber += 1
        state.running[state.lastNumber] = owner
        state.commands.append(
          .send(Request(number: state.lastNumber, message: message, certificates: certificates, exchange: exchange)))
        return (state.lastNumber, begins)
      }
      if let begins {
        let thread = Thread { CurlLoop(self, event: begins).run() }
        thread.name = Self.threadName
        thread.start()
      } else {
        wake()
      }
      return number
    }

    func cancel(_ number: Int) {
      let isRunning = state.withLock { state in
        guard state.running[number] != nil else { return false }
        state.commands.append(.cancel(number))
        return true
      }
      if isRunning { wake() }
    }

    func cancelAll(of owner: ObjectIdentifier) {
      let hasAny = state.withLock { state in
        let numbers = state.running.filter { $0.value == owner }.keys
        state.commands += numbers.map { .cancel($0) }
        return !numbers.isEmpty
      }
      if hasAny { wake() }
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

    func forget(_ number: Int) { state.withLock { $0.running[number] = nil } }
  }
#endif
