import FlagDomain
package import FlagTransport

/// A transport that tells how many bytes its last request has sent and received.
package final class MeasuredTransport: HTTPTransport {
  private struct Sent: Sendable { weak var exchange: Exchange? }

  private let transport: any HTTPTransport
  private let last = Locked(Sent())

  package init(_ transport: any HTTPTransport) { self.transport = transport }

  package func send(_ request: TransportRequest, limit: Int) -> Exchange {
    let exchange = transport.send(request, limit: limit)
    last.withLock { $0.exchange = exchange }
    return exchange
  }

  package var moved: Int { last.withLock { $0.exchange }?.moved ?? 0 }
}
