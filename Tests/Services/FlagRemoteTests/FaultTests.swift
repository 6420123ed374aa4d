import FlagDomain
import FlagHTTP
import FlagProviders
import FlagTesting
import FlagTransport
import Foundation
import TestSupport
import Testing

@testable import FlagRemote

@Suite("A service that fails, on loopback", .timeLimit(.minutes(15)))
struct FaultTests {
  /// A fault of a service, and the client's delay after it.
  struct Fault: Sendable, CustomTestStringConvertible {
    var name: String
    var steps: [ScriptedServer.Step]
    var delay = Duration.milliseconds(500)
    /// The bytes after which the client's own timeout ends the request; nil if it does not.
    var bytesUntilTimeout: Int?

    var testDescription: String { name }
  }

  private static let date = HTTPDate(secondsSince1970: 1_700_000_000)

  private static let faults = [
    Fault(name: "reset", steps: [.reset]),
    Fault(name: "reset in the middle", steps: [.text("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{\"fl"), .reset]),
    Fault(name: "slow header", steps: [.text("HTTP/1.1 200 OK\r\nContent-"), .waitForClient], bytesUntilTimeout: 17),
    Fault(
      name: "slow body", steps: [.text("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"), .waitForClient],
      bytesUntilTimeout: 40),
    Fault(name: "truncated", steps: [.text("HTTP/1.1 200 OK\r\n\r\n{\"flags\": {")]),
    Fault(name: "a length too long", steps: [.text("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{\"flags\": {}}")]),
    Fault(name: "a length too short", steps: [.text("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n{\"flags\": {}}")]),
    Fault(name: "500", steps: [.response("500 Internal Server Error", body: "ann and her token")]),
    Fault(name: "404", steps: [.response("404 Not Found")]),
    Fault(name: "401", steps: [.response("401 Unauthorized")], delay: .seconds(350)),
    Fault(name: "403", steps: [.response("403 Forbidden")], delay: .seconds(350)),
    Fault(name: "429 in seconds", steps: [.response("429 X", ["Retry-After: 6"])], delay: .seconds(7)),
    Fault(
      name: "429 by a date", steps: [.response("429 X", ["Retry-After: Tue, 14 Nov 2023 22:13:38 GMT"])],
      delay: .seconds(21)),
    Fault(
      name: "429 by a date of OFREP", steps: [.response("429 X", ["Retry-After: 2023-11-14T22:13:44Z"])],
      delay: .seconds(28)),
    Fault(
      name: "503 by a date of a service whose clock is an hour ahead",
      steps: [
        .response("503 X", ["Date: Tue, 14 Nov 2023 23:13:20 GMT", "Retry-After: Tue, 14 Nov 2023 23:13:38 GMT"])
      ], delay: .seconds(21)),
    Fault(name: "429 in no form", steps: [.response("429 X", ["Retry-After: soon"])]),
    Fault(name: "503 in seconds", steps: [.response("503 X", ["Retry-After: 12"])], delay: .seconds(14)),
    Fault(name: "no JSON", steps: [.response(body: "<html>Log in</html>")]),
    Fault(name: "JSON of another shape", steps: [.response(body: "{\"flags\": [[]]} ")]),
    Fault(name: "a 304 that nobody asked for", steps: [.response("304 Not Modified")]),
    Fault(name: "a redirect loop", steps: [.response("302 Found", ["Location: ?"])]),
    Fault(name: "a redirect elsewhere", steps: [.response("302 Found", ["Location: https://elsewhere.example/?ann"])]),
    Fault(
      name: "100 MiB",
      steps: [
        .text("HTTP/1.1 200 OK\r\n\r\n"), .sendRepeatedly([UInt8](repeating: 0x20, count: 1 << 20), times: 100),
      ]),
    Fault(
      name: "100 MiB, as it says",
      steps: [.text("HTTP/1.1 200 OK\r\nContent-Length: 104857600\r\n\r\n{"), .waitForClient]),
  ]

  @Test(
    "Reads give the last good value as STALE, the next request comes as is said, and then all is well",
    arguments: faults)
  func recovers(fault: Fault) async throws {
    let mode = Locked(Mode.good(1))
    let server = try ScriptedServer { _, _ in mode.withLock { $0 }.steps }
    let clock = ManualClock()
    let transport = SystemTransport()
    let measured = MeasuredTransport(transport)
    do {
      let provider = try provider(server, clock, measured)
      await provider.wait { $0.read("size") == Reading(1, "STATIC") }
      await clock.waitForSleeper(for: .seconds(30))
      mode.withLock { $0 = .bad(fault) }
      let before = server.requests.count
      clock.advance(by: .seconds(30))
      if let bytes = fault.bytesUntilTimeout {
        try await waitUntil { server.requests.count > before && measured.moved == bytes }
        await clock.waitForSleeper(for: .seconds(10))
        clock.advance(by: .seconds(10))
      }
      await provider.wait { $0.read("size") == Reading(1, "STALE") }
      let status = provider.providerStatus
      #expect(status.state == .stale && !"\(status)".contains("ann"))
      await clock.waitForSleeper(for: fault.delay)
      // Nothing is asked for before.
      let requests = server.requests.count
      #expect(clock.sleeping == 1)
      mode.withLock { $0 = .good(2) }
      clock.advance(by: fault.delay)
      await provider.wait { $0.read("size") == Reading(2, "STATIC") }
      #expect(server.requests.count == requests + 1)
      await clock.waitForSleeper(for: .seconds(30))
      #expect(clock.sleeping == 1)
    }
    // Nothing leaks: no connection, no task, no wait.
    try await waitUntil { server.connections == 0 && transport.running == 0 && clock.sleeping == 0 }
  }

  @Test("A service that takes no connection: defaults at first, and its values once it is there")
  func survivesRefusal() async throws {
    let port = try ReservedPort()
    let clock = ManualClock()
    let provider = try DefinitionStoreProvider(
      Addresses.address("http://127.0.0.1:\(port.number)/?token=secret"),
      environment: environment(clock, SystemTransport()))
    for seconds in [0.5, 1, 2, 4] {
      await provider.wait { $0.providerStatus.state == .error }
      #expect(provider.read("size") == Reading(value: nil, why: "PROVIDER_NOT_READY"))
      #expect(!"\(provider.providerStatus)".contains("secret"))
      await clock.waitForSleeper(for: .seconds(seconds))
      clock.advance(by: .seconds(seconds))
    }
    withExtendedLifetime(port) {}
  }

  @Test("A stream without end and without a line feed is given up, and polling goes on")
  func survivesEndlessStream() async throws {
    let server = try ScriptedServer { _, request in
      guard request.hasPrefix("GET /events") else { return [Mode.document(1)] }
      return [
        .text("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"),
        .sendRepeatedly([UInt8](repeating: 0x61, count: 64 << 10)),
      ]
    }
    let clock = ManualClock()
    let transport = SystemTransport()
    let provider = try provider(server, clock, transport, events: "/events")
    // The wait before the stream is opened again, which grows; the value stays fresh.
    for seconds in [0.5, 1, 2] {
      await clock.waitForSleeper(for: .seconds(seconds))
      #expect(provider.read("size") == Reading(1, "STATIC"))
      clock.advance(by: .seconds(seconds))
    }
    withExtendedLifetime(provider) {}
  }

  @Test("A stream that is cut off is noticed at once; the value stays as STALE, and comes back by itself")
  func noticesOutage() async throws {
    let mode = Locked(Mode.good(1))
    let server = try ScriptedServer { _, request in
      let mode = mode.withLock { $0 }
      guard request.hasPrefix("GET /events"), case .good = mode else { return mode.steps }
      return [
        .text("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n:\n\n"), .waitForClient,
      ]
    }
    let (clock, transport) = (ManualClock(), SystemTransport())
    let provider = try provider(server, clock, transport, events: "/events")
    // The request that follows the opened stream has ended, too: one that is cut off would be a failure of its own.
    try await waitUntil { server.requests.count == 3 && transport.running == 1 }
    await provider.wait { $0.read("size") == Reading(1, "STATIC") }
    mode.withLock { $0 = .bad(Fault(name: "down", steps: [.reset])) }
    server.endConnections()
    await clock.waitForSleeper(for: .milliseconds(500))
    clock.advance(by: .milliseconds(500))
    await provider.wait { $0.read("size") == Reading(1, "STALE") }
    // Only then is the service there again: a stream that opens earlier leaves nothing to wait for.
    await clock.waitForSleeper(for: .milliseconds(500))
    mode.withLock { $0 = .good(2) }
    clock.advance(by: .milliseconds(500))
    await provider.wait { $0.read("size") == Reading(2, "STATIC") }
    try await waitUntil { server.requests.last?.hasPrefix("GET /flags.json") == true && server.connections >= 1 }
  }

  @Test("A service that answers 204 for its stream is polled, says so, and is asked for the stream at the next start")
  func heedsNoContent() async throws {
    let server = try ScriptedServer { _, request in
      request.hasPrefix("GET /events") ? [.text("HTTP/1.1 204 No Content\r\n\r\n")] : [Mode.document(1)]
    }
    let clock = ManualClock()
    let provider = try provider(server, clock, SystemTransport(), events: "/events")
    for _ in 0..<3 {
      await clock.waitForSleeper(for: .seconds(30))
      #expect(clock.sleeping == 1)
      clock.advance(by: .seconds(30))
    }
    await clock.waitForSleeper(for: .seconds(30))
    #expect(server.requests.count { $0.hasPrefix("GET /events") } == 1)
    #expect(server.requests.count { $0.hasPrefix("GET /flags.json") } == 4)
    let message = "the stream of changes: 127.0.0.1:\(server.port): 204 No Content: the service wants no stream"
    #expect(provider.providerStatus.updates?.error?.message == message)
    (provider.store as? HTTPDefinitionStore)?.becomeActive()
    try await waitUntil { server.requests.count { $0.hasPrefix("GET /events") } == 2 }
  }

  // MARK: The service and the client

  private enum Mode {
    case good(Int)
    case bad(Fault)

    var steps: [ScriptedServer.Step] {
      switch self {
      case .good(let size): [Self.document(size)]
      case .bad(let fault): fault.steps
      }
    }

    static func document(_ size: Int) -> ScriptedServer.Step { .response(body: HTTPResponse.document(size)) }
  }

  private func environment(_ clock: ManualClock, _ transport: any HTTPTransport) -> ServiceEnvironment {
    var environment = ServiceEnvironment(transport, clock: clock)
    environment.randomness = { 0.5 }
    environment.date = { Self.date }
    return environment
  }

  private func provider(
    _ server: ScriptedServer, _ clock: ManualClock, _ transport: any HTTPTransport, events: String? = nil
  ) throws -> DefinitionStoreProvider {
    let base = "http://127.0.0.1:\(server.port)"
    return try DefinitionStoreProvider(
      Addresses.address("\(base)/flags.json"), events: events.map { Addresses.address(base + $0) },
      environment: environment(clock, transport))
  }
}
