#if canImport(Glibc)
  import FlagCurl
  import FlagDomain
  import FlagHTTP
  import Foundation

  /// The loop of the thread of all transports: performs commands, and waits for the network and for further commands.
  struct CurlLoop {
    private let work: CurlWork
    private let event: Int32

    init(_ work: CurlWork, event: Int32) {
      self.work = work
      self.event = event
    }

    func run() {
      guard let loop = flag_curl_loop_create() else { return refuseAll() }
      var transfers: [Int: CurlTransfer] = [:]
      while true {
        for command in work.takeCommands() {
          switch command {
          case .send(let request): transfers[request.number] = begin(request, in: loop)
          case .cancel(let number):
            end(transfers.removeValue(forKey: number), in: loop, .cancelled)
          case .end:
            for transfer in transfers.values { end(transfer, in: loop, .cancelled) }
            flag_curl_loop_dispose(loop)
            return
          }
        }
        flag_curl_loop_perform(loop)
        var outcome = flag_curl_outcome()
        while let context = flag_curl_loop_next(loop, &outcome) {
          // It is in `transfers`, so it is alive.
          let transfer = CurlTransfer.of(context)
          transfers[transfer.number] = nil
          end(transfer, in: loop, transfer.error(outcome))
        }
        flag_curl_loop_wait(loop, event)
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
        try transfer.begin(in: loop)
        return transfer
      } catch {
        work.forget(request.number)
        exchange.finish(error)
        return nil
      }
    }

    private func end(_ transfer: CurlTransfer?, in loop: OpaquePointer, _ error: TransportError?) {
      guard let transfer else { return }
      transfer.end(in: loop)
      work.forget(transfer.number)
      transfer.exchange?.finish(error)
    }

    /// Fails all pending commands; the next command starts a new thread.
    private func refuseAll() {
      for case .send(let request) in work.reset() {
        work.forget(request.number)
        request.exchange?.finish(.failed("out of memory for a connection"))
      }
    }
  }
#endif
