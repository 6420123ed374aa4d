import FlagDomain
import FlagHTTP
import FlagJSON
import FlagProviders
import FlagRemote
import FlagTesting
import FlagTransport
import Foundation
import TestSupport
import Testing

@testable import FlagLaunchDarkly

@Suite("LaunchDarkly's provider for servers, on loopback", .timeLimit(.minutes(15)))
struct ServerProviderTests {
  private let clock = ManualClock()

  private func provider(
    _ server: StandInServer, isStreaming: Bool = true, _ transport: SystemTransport = SystemTransport()
  ) throws -> DefinitionStoreProvider {
    var options = ServiceOptions()
    options.isStreaming = isStreaming
    var environment = ServiceEnvironment(transport, clock: clock)
    environment.randomness = { 0.5 }
    let store = try HTTPDefinitionStore(
      sdkKey: "sdk-1", at: .relay(server.url), options: options, environment: environment)
    return DefinitionStoreProvider(store, name: "LaunchDarkly")
  }

  private func document(_ size: Int, version: Int = 1) -> FlagValue {
    ["flags": ["size": .flag(size, version: version)], "segments": [:]]
  }

  private func waitForSize(_ size: FlagValue?, _ reason: ResolutionReason? = nil, of provider: DefinitionStoreProvider)
    async throws
  {
    try await waitUntil {
      let answer = try? provider.snapshot().answer(for: "size", in: EvaluationContext())
      return answer?.value == size && (reason == nil || answer?.reason == reason)
    }
  }

  @Test("Meets the contract of every provider")
  func meetsContract() async throws {
    var flags: [String: FlagValue] = ["size": .flag(1), "broken": ["on": "yes"]]
    let server = try StandInServer(["flags": .object(flags), "segments": [:]])
    let provider = try provider(server, isStreaming: false)
    try await waitForSize(1, of: provider)
    var contract = ProviderContract(provider, present: ["size": 1], absent: "gone")
    contract.failing = ("broken", .parseError)
    flags["size"] = .flag(2)
    contract.change = .init(to: ["size": 2]) { [flags] in
      server.serve(["flags": .object(flags), "segments": [:]])
      try await provider.refresh()
    }
    try await contract.check()
  }

  @Test("It polls with the key and the tag; unchanged flags stay")
  func polls() async throws {
    let server = try StandInServer(document(1))
    let provider = try provider(server, isStreaming: false)
    try await waitForSize(1, of: provider)
    await clock.waitForSleeper(for: .seconds(30))
    clock.advance(by: .seconds(30))
    try await waitUntil { server.lines.count == 2 }
    #expect(server.lines == ["GET /sdk/latest-all", "GET /sdk/latest-all"])
    #expect(server.server.requests.allSatisfy { $0.contains("uthorization: sdk-1\r\n") })
    #expect(server.server.requests[1].lowercased().contains("if-none-match: \""))
    server.serve(document(2))
    await clock.waitForSleeper(for: .seconds(30))
    clock.advance(by: .seconds(30))
    try await waitForSize(2, of: provider)
  }

  @Test("A stream's flags are served without further requests: a put, then patches, of which late ones are ignored")
  func streams() async throws {
    let server = try StandInServer(document(1))
    let patches = [(3, 30), (2, 20)].map { version, size in
      "event: patch\ndata: {\"path\": \"/flags/size\", \"data\": \(FlagValue.flag(size, version: version))}\n\n"
    }
    server.serve(document(1), events: patches)
    let provider = try provider(server)
    // Changes within a tenth of a second are taken together.
    try await waitUntil {
      if clock.sleeping > 1 { clock.advance(by: .milliseconds(100)) }
      return (try? provider.snapshot().answer(for: "size", in: EvaluationContext()))??.value == 30
    }
    #expect(server.lines == ["GET /sdk/latest-all", "GET /all"])
    #expect(provider.providerStatus.state == .ready)
  }

  @Test("A stream that is cut off in an event: what came before stays, and the next request brings the rest")
  func survivesCut() async throws {
    let server = try StandInServer(document(1))
    server.serve(
      document(1), events: ["event: patch\ndata: {\"path\": \"/flags/size\", \"data\": {\"ver"], endsStreams: true)
    let provider = try provider(server)
    try await waitForSize(1, of: provider)
    await clock.waitForSleeper(for: .milliseconds(500))
    #expect(provider.providerStatus.state == .ready)
    server.serve(document(2, version: 2))
    clock.advance(by: .milliseconds(500))
    try await waitForSize(2, of: provider)
  }

  @Test(
    "After a fault, the last good flags are stale, and new ones come by themselves",
    arguments: [
      ScriptedServer.Step.reset, .response("500 Internal Server Error"), .response("404 Not Found"),
      .response(body: "<html>"), .response(body: "{\"segments\": {}}"), .response("304 Not Modified"),
      .text("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{\"flags\": {"),
    ])
  func recovers(fault: ScriptedServer.Step) async throws {
    let server = try StandInServer(document(1))
    let provider = try provider(server, isStreaming: false)
    try await waitForSize(1, of: provider)
    server.fail([fault])
    await clock.waitForSleeper(for: .seconds(30))
    server.serve(document(3))
    server.fail([fault])
    clock.advance(by: .seconds(30))
    if case .send(let bytes) = fault, bytes.starts(with: "HTTP/1.1 304".utf8) { return }
    try await waitForSize(1, .stale, of: provider)
    await clock.waitForSleeper(for: .milliseconds(500))
    server.serve(document(2))
    clock.advance(by: .milliseconds(500))
    try await waitForSize(2, .static, of: provider)
  }

  @Test("A refused key is asked again after minutes, and no message has the key")
  func isRefused() async throws {
    let server = try StandInServer(document(1))
    server.fail([.response("401 Unauthorized", body: "sdk-1")])
    let provider = try provider(server)
    await clock.waitForSleeper(for: .seconds(350))
    #expect(provider.providerStatus.state == .error && !"\(provider.providerStatus)".contains("sdk-1"))
  }
}
