import FlagDomain
import FlagHTTP
import FlagTesting
import FlagTransport
import Foundation
import TestSupport
import Testing

@Suite("The pace of requests", .timeLimit(.minutes(15)))
struct PaceTests {
  private let clock = ManualClock()
  private let network = HeldNetwork()

  private func send() -> Task<Result<Int, TransportError>, Never> { Self.send(clock, network) }

  private static func send(
    _ clock: ManualClock, _ network: HeldNetwork
  ) -> Task<Result<Int, TransportError>, Never> {
    Task {
      let client = HTTPClient(network, clock: clock)
      do throws(TransportError) {
        guard let url = URL(string: "https://flags.example/") else { throw .unsupportedAddress }
        return .success(try await client.send(TransportRequest(.get, url), timeout: .seconds(10)).body.count)
      } catch {
        return .failure(error)
      }
    }
  }

  /// Delivers bytes at an interval, so many times.
  private func deliver(_ count: Int, every interval: Duration, times: Int) async throws {
    let exchange = await network.exchange
    for _ in 0..<times {
      await clock.waitForSleepers(1)
      clock.advance(by: interval)
      exchange.deliver([UInt8](repeating: 0x20, count: count))
      // Until the host has taken all, the time of silence does not begin.
      try await waitUntil { exchange.isAwaited }
    }
  }

  @Test("400 kB at 20 kB/s arrive whole, in twice the timeout")
  func waitsForSlow() async throws {
    let result = send()
    await network.exchange.deliver(HTTPResponse(.ok))
    try await deliver(20_000, every: .seconds(1), times: 20)
    await network.exchange.finish()
    #expect(await result.value == .success(400_000))
  }

  @Test("An answer that is silent for the timeout is given up, however much came before")
  func endsSilence() async throws {
    let result = send()
    await network.exchange.deliver(HTTPResponse(.ok))
    try await deliver(20_000, every: .seconds(7), times: 3)
    for time in [Duration.seconds(9), .seconds(10)] {
      await clock.waitForSleepers(1)
      clock.advance(by: time)
    }
    #expect(await result.value == .failure(.timedOut(.seconds(10))))
  }

  @Test("An answer that comes drop by drop is given up after a few timeouts, one that never ends after ten")
  func endsDrops() async throws {
    for (count, error) in [(1, TransportError.tooSlow(100)), (1000, .unfinished(.seconds(100)))] {
      let (clock, network) = (ManualClock(), HeldNetwork())
      let isDone = Watched(false)
      let result = Task {
        defer { isDone.change { $0 = true } }
        return await Self.send(clock, network).value
      }
      let exchange = await network.exchange
      while !isDone.value {
        try await waitUntil { clock.sleeping > 0 || isDone.value }
        exchange.deliver([UInt8](repeating: 0x20, count: count))
        try await waitUntil { exchange.isAwaited || isDone.value }
        clock.advance(by: .seconds(4))
      }
      #expect(await result.value == .failure(error))
      #expect(clock.now.sinceStart <= .seconds(count == 1 ? 40 : 112))
    }
  }

  @Test("A body that the server reads slowly is sent whole, in more than the timeout")
  func sendsSlowly() async throws {
    let mayRead = DispatchSemaphore(value: 0)
    let server = try ScriptedServer(receiveBuffer: 16 << 10, beforeReading: { mayRead.wait() }) { _, request in
      [.response(body: "\(request.utf8.count)")]
    }
    let measured = MeasuredTransport(SystemTransport())
    let clock = ManualClock()
    let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/"))
    let isDone = Watched(false)
    let result = Task {
      defer { isDone.change { $0 = true } }
      let body = [UInt8](repeating: 0x20, count: 2_000_000)
      return try await HTTPClient(measured, clock: clock)
        .send(TransportRequest(.post, url, body: body), timeout: .seconds(100))
    }
    try await waitUntil { measured.moved > 0 }
    var steps = 0
    while !isDone.value {
      let before = measured.moved
      try await waitUntil {
        mayRead.signal()
        return measured.moved > before || isDone.value
      }
      // Few steps are certain, and so many seconds that they are over the timeout.
      steps += 1
      if steps <= 4 { clock.advance(by: .seconds(45)) }
    }
    let response = try await result.value
    #expect(Int(String(decoding: response.body, as: UTF8.self)) ?? 0 > 2_000_000)
    #expect(clock.now.sinceStart > .seconds(100))
    server.stop()
  }

  @Test("Time before a request is under way, and of bytes that a busy host has not taken, is no silence")
  func forgivesBusyHosts() async throws {
    let start = clock.now
    let pace = TransferPace { [clock] in start.duration(to: clock.now) }
    let expiry = Task { [clock] in
      try await pace.waitForExpiry(silence: .seconds(10), total: .seconds(100), on: clock)
    }
    func wait() async {
      await clock.waitForSleeper(for: .seconds(10))
      clock.advance(by: .seconds(10))
    }
    await wait()
    await clock.waitForSleeper(for: .seconds(10))
    clock.advance(by: .seconds(9))
    let exchange = Exchange(limit: 100)
    pace.follow(exchange)
    let receiver = Task { try await exchange.next() }
    try await waitUntil { exchange.isAwaited }
    // The request is one second old.
    clock.advance(by: .seconds(1))
    await clock.waitForSleeper(for: .seconds(9))
    exchange.deliver([1])
    #expect(try await receiver.value == [1])
    exchange.deliver([2])
    clock.advance(by: .seconds(9))
    await wait()
    await clock.waitForSleeper(for: .seconds(10))
    let last = Task { [try await exchange.next(), try await exchange.next()] }
    try await waitUntil { exchange.isAwaited }
    clock.advance(by: .seconds(10))
    #expect(try await expiry.value == .timedOut(.seconds(10)))
    exchange.finish()
    #expect(try await last.value == [[2], nil])
  }
}

/// A network in memory with one request.
private final class HeldNetwork: HTTPTransport {
  private let sent = Watched<[Exchange]>([])

  func send(_ request: TransportRequest, limit: Int) -> Exchange {
    let exchange = Exchange(limit: limit)
    sent.change { $0.append(exchange) }
    return exchange
  }

  var exchange: Exchange {
    get async {
      await sent.wait { !$0.isEmpty }
      return sent.value[0]
    }
  }
}
