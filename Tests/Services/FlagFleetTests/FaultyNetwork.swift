import FlagDomain
import FlagTransport
import Foundation

import TestSupport
@testable import FlagFleet
@testable import FlagRemote

/// The network to etcd, which a test cuts, or lets fall silent, and mends.
final class FaultyNetwork: HTTPTransport {
  enum State: Sendable, CaseIterable {
    case good
    /// Connections are lost, and new ones refused.
    case cut
    /// Nothing gets through; what is sent meanwhile is lost, and what was under way comes later.
    case silent
  }

  /// The paths of what was sent, without those that never got through.
  let sent = Watched<[String]>([])
  private let state = Watched(State.good)
  private let network = SystemTransport()
  private let running = Locked<[Weak]>([])

  private struct Weak: Sendable { weak var exchange: Exchange? }

  /// The environment of a client on this network.
  var environment: ServiceEnvironment { ServiceEnvironment(self) }

  func become(_ new: State) {
    state.change { $0 = new }
    guard new == .cut else { return }
    let lost = running.withLock { running in
      defer { running = [] }
      return running.compactMap(\.exchange)
    }
    for exchange in lost { exchange.fail(.failed("connection lost")) }
  }

  func send(_ request: TransportRequest, limit: Int) -> Exchange {
    let outer = Exchange(limit: limit)
    switch state.value {
    case .silent: return outer
    case .cut:
      outer.finish(.notConnected("connection refused"))
      return outer
    case .good: break
    }
    sent.change { $0.append(String(request.url.path().dropFirst(4))) }
    let inner = network.send(request, limit: limit)
    outer.onCancel { inner.fail(.cancelled) }
    running.withLock { running in
      running.removeAll { $0.exchange == nil }
      running.append(Weak(exchange: outer))
    }
    Task { [state, weak outer] in
      do throws(TransportError) {
        let head = try await inner.head()
        await state.wait { $0 != .silent }
        outer?.deliver(head)
        while let bytes = try await inner.next() {
          await state.wait { $0 != .silent }
          outer?.deliver(bytes)
        }
        outer?.finish()
      } catch {
        outer?.finish(error)
      }
    }
    return outer
  }
}
