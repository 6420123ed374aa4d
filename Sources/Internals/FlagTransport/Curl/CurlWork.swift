#if canImport(Glibc)
  import FlagCurl
  import FlagDomain
  import FlagSupport

  /// The requests of transports, and the commands to the thread that sends them.
  final class CurlWork: Sendable {
    fileprivate struct Request: Sendable {
      let number: Int
      let message: TransportRequest
      let certificates: TransportCertificates?
      /// Weak, so that an exchange without a waiting task is released, and so cancelled.
      weak var exchange: Exchange?
    }

    fileprivate enum Command: Sendable {
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
        let loop = CurlLoop(self, event: begins)
        do throws(SystemError) {
          try SystemThread.start("flags.network") { loop.run() }
        } catch {
          loop.refuseAll("no thread for a connection: \(error)")
        }
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

    fileprivate func takeCommands() -> [Command] {
      state.withLock { state in
        defer { state.commands = [] }
        return state.commands
      }
    }

    /// Returns to the state without a thread, and returns the pending commands.
    fileprivate func reset() -> [Command] {
      state.withLock { state in
        if let event = state.event { flag_curl_event_close(event) }
        state.event = nil
        defer { state.commands = [] }
        return state.commands
      }
    }

    fileprivate func forget(_ number: Int) { state.withLock { $0.running[number] = nil } }
  }

  /// The loop of the thread of all transports: performs commands, and waits for the network and for further commands.
  struct CurlLoop {
    private let work: CurlWork
    private let event: Int32

    init(_ work: CurlWork, event: Int32) {
      self.work = work
      self.event = event
    }

    func run() {
      guard let loop = unsafe flag_curl_loop_create() else { return refuseAll("out of memory for a connection") }
      var transfers: [Int: CurlTransfer] = [:]
      while true {
        for command in work.takeCommands() {
          switch command {
          case .send(let request): transfers[request.number] = unsafe begin(request, in: loop)
          case .cancel(let number):
            unsafe end(transfers.removeValue(forKey: number), in: loop, .cancelled)
          case .end:
            for transfer in transfers.values { unsafe end(transfer, in: loop, .cancelled) }
            unsafe flag_curl_loop_dispose(loop)
            return
          }
        }
        unsafe flag_curl_loop_perform(loop)
        var outcome = flag_curl_outcome()
        while let context = unsafe flag_curl_loop_next(loop, &outcome) {
          // It is in `transfers`, so it is alive.
          let transfer = unsafe CurlTransfer.of(context)
          transfers[transfer.number] = nil
          unsafe end(transfer, in: loop, transfer.error(outcome))
        }
        unsafe flag_curl_loop_wait(loop, event)
      }
    }

    /// Begins a transfer; returns nil if its exchange has been released, or it cannot begin.
    private func begin(_ request: CurlWork.Request, in loop: OpaquePointer) -> CurlTransfer? {
      guard let exchange = request.exchange else {
        work.forget(request.number)
        return nil
      }
      do throws(TransportError) {
        let transfer = try CurlTransfer(
          request.message, request.certificates, number: request.number, exchange: exchange)
        try unsafe transfer.begin(in: loop)
        return transfer
      } catch {
        work.forget(request.number)
        exchange.finish(error)
        return nil
      }
    }

    private func end(_ transfer: CurlTransfer?, in loop: OpaquePointer, _ error: TransportError?) {
      guard let transfer else { return }
      unsafe transfer.end(in: loop)
      work.forget(transfer.number)
      transfer.exchange?.finish(error)
    }

    /// Fails all pending commands; the next command starts a new thread.
    fileprivate func refuseAll(_ problem: String) {
      for case .send(let request) in work.reset() {
        work.forget(request.number)
        request.exchange?.finish(.failed(problem))
      }
    }
  }

  /// The work of all transports of this process, on one thread, which ends with the last of them.
  ///
  /// It is an exception to "no singleton", as the watches of files are: a thread with four descriptors for each service
  /// would add up. It holds no settings, no certificates and no state that a transport could see, and no code of its
  /// users runs on its thread.
  final class SharedCurlWork: Sendable {
    static let instance = SharedCurlWork()

    private let state = Locked<(work: CurlWork?, users: Int)>((nil, 0))

    /// Adds a user, and returns the work that all share.
    func join() -> CurlWork {
      state.withLock { state in
        let work = state.work ?? CurlWork()
        state = (work, state.users + 1)
        return work
      }
    }

    /// Removes a user; the last one ends the thread.
    func leave() {
      let last = state.withLock { state -> CurlWork? in
        state.users -= 1
        guard state.users == 0 else { return nil }
        defer { state.work = nil }
        return state.work
      }
      last?.end()
    }
  }
#endif
