import FlagDomain
import FlagGrowthBook
import FlagRemote
import FlagProviders
import FlagServices
import FlagTesting
import FlagTransport
import Foundation
import TestSupport
import Testing

@Suite("A provider of GrowthBook's features, on loopback", .timeLimit(.minutes(15)))
struct GrowthBookProviderTests {
  private let clock = ManualClock()

  private func provider(_ host: URL, _ options: ServiceOptions = ServiceOptions()) throws -> GrowthBookProvider {
    var environment = ServiceEnvironment(SystemTransport(), clock: clock)
    environment.randomness = { 0.5 }
    return try GrowthBookProvider(clientKey: "sdk-1", host: host, options: options, environment: environment)
  }

  private static func document(_ size: Int) -> String {
    #"{"status": 200, "features": {"size": {"defaultValue": \#(size)}}}"#
  }

  @Test("Meets the contract of every provider")
  func meetsContract() async throws {
    let standIn = try StandIn(Self.document(1), isStreaming: false)
    let provider = try provider(standIn.host)
    try await waitUntil { provider.size == "1 STATIC" }
    var contract = ProviderContract(provider, present: ["size": 1], absent: "none")
    contract.change = .init(to: ["size": 2]) {
      standIn.set(Self.document(2))
      try await provider.refresh()
    }
    try await contract.check()
    await standIn.stop()
  }

  @Test("A stream is followed where answers offer one, and its events bring the newest document")
  func follows() async throws {
    let standIn = try StandIn(Self.document(1))
    var options = ServiceOptions()
    options.polling = nil
    let provider = try provider(standIn.host, options)
    // The document, the stream, and what changed before the stream was open.
    try await waitUntil { standIn.requests.count == 3 && provider.size == "1 STATIC" }
    #expect(standIn.requests == ["features", "sub", "unchanged"])
    standIn.set(Self.document(2))
    await clock.waitForSleeper(for: .milliseconds(100))
    clock.advance(by: .milliseconds(100))
    try await waitUntil { provider.size == "2 STATIC" }
    await standIn.stop()
  }

  @Test("Without an offer it polls, with the tag")
  func polls() async throws {
    let standIn = try StandIn(Self.document(1), isStreaming: false)
    let provider = try provider(standIn.host)
    for size in ["1 STATIC", "2 STATIC"] {
      await clock.waitForSleeper(for: .seconds(30))
      standIn.set(Self.document(2), isAnnounced: false)
      #expect(provider.size == (size == "1 STATIC" ? "1 STATIC" : "2 STATIC"))
      clock.advance(by: .seconds(30))
    }
    await clock.waitForSleeper(for: .seconds(30))
    clock.advance(by: .seconds(30))
    try await waitUntil { standIn.requests == ["features", "features", "features", "unchanged"] }
    await standIn.stop()
  }

  @Test("After a start from the cache, an unchanged answer is enough to find the stream")
  func followsFromCache() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let standIn = try StandIn(Self.document(1))
    var options = ServiceOptions()
    options.cache = AnswerCache(in: folder)
    do {
      let provider = try provider(standIn.host, options)
      try await waitUntil { provider.size == "1 STATIC" && standIn.requests.count == 3 }
      await (provider.store as? HTTPDefinitionStore)?.waitForWrites()
    }
    let provider = try provider(standIn.host, options)
    #expect(provider.size == "1 CACHED")
    try await waitUntil { standIn.requests.count == 6 && provider.size == "1 STATIC" }
    #expect(standIn.requests[3...] == ["unchanged", "sub", "unchanged"])
    await standIn.stop()
  }

  @Test(
    "A service that fails: the last good value is STALE, and comes back",
    arguments: [
      [.reset], [.response("500 Internal Server Error")], [.response("404 Not Found")],
      [.response(body: "<html>Log in</html>")], [.response(body: #"{"status": 200, "features": [1]}"#)],
      [.response(body: #"{"status": 200, "features": {"size": {"defaultVal"#)], [.response("304 Not Modified")],
      [.text("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{\"features\": {"), .reset],
    ] as [[ScriptedServer.Step]])
  func survivesFaults(steps: [ScriptedServer.Step]) async throws {
    let script = Locked<[ScriptedServer.Step]>([.response(body: Self.document(1))])
    let server = try ScriptedServer { _, _ in script.withLock { $0 } }
    let provider = try provider(#require(URL(string: "http://127.0.0.1:\(server.port)")))
    for (next, delay, size) in [
      (steps, Duration.seconds(30), "1 STATIC"), ([.response(body: Self.document(2))], .milliseconds(500), "1 STALE"),
    ] {
      await clock.waitForSleeper(for: delay)
      #expect(provider.size == size)
      script.withLock { $0 = next }
      clock.advance(by: delay)
    }
    try await waitUntil { provider.size == "2 STATIC" }
  }

  @Test("A stream that is cut in an event is opened again, and misses nothing")
  func survivesCutStream() async throws {
    let size = Locked(1)
    let cuts = Locked(0)
    let server = try ScriptedServer { _, request in
      guard request.hasPrefix("GET /sub/sdk-1 ") else {
        return [.response("200 OK", ["X-SSE-Support: enabled"], body: size.withLock { Self.document($0) })]
      }
      let open = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
      let isFirst = cuts.withLock { cuts in
        defer { cuts += 1 }
        return cuts == 0
      }
      return isFirst ? [.text(open + "event: features\ndata: {\"feat"), .reset] : [.text(open), .waitForClient]
    }
    let provider = try provider(#require(URL(string: "http://127.0.0.1:\(server.port)")))
    await clock.waitForSleeper(for: .milliseconds(500))
    size.withLock { $0 = 2 }
    clock.advance(by: .milliseconds(500))
    try await waitUntil { provider.size == "2 STATIC" && cuts.withLock { $0 } == 2 }
  }

  @Test(
    "An address that would not be encrypted, or no key, is refused",
    arguments: [
      ("sdk-1", "http://flags.example"), ("", "https://flags.example"),
    ])
  func refusesAddresses(key: String, host: String) throws {
    let host = try #require(URL(string: host))
    #expect(throws: FlagError.self) { try GrowthBookProvider(clientKey: key, host: host) }
  }
}

extension FlagProvider {
  /// The value and the reason of the flag "size", or its error.
  fileprivate var size: String {
    do throws(FlagError) {
      guard let answer = try snapshot().answer(for: "size", in: EvaluationContext()) else { return "NONE" }
      return "\(answer.value ?? .null) \(answer.reason)"
    } catch {
      return "\(error.code)"
    }
  }
}
