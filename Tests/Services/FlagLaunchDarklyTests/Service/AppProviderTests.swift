import FlagDomain
import FlagJSON
import FlagRemote
import FlagServices
import FlagTesting
import FlagTransport
import Foundation
import TestSupport
import Testing

@testable import FlagLaunchDarkly

@Suite("LaunchDarkly's provider for apps, on loopback", .timeLimit(.minutes(15)))
struct AppProviderTests {
  private let clock = ManualClock()
  private let ann = FlagUser(
    id: "ann", attributes: ["email": "ann@example.com"], contexts: ["organization": ["key": "acme"]])

  private func provider(
    _ server: StandInServer, isStreaming: Bool = true, version: FlagValue = "2.0", cache: AnswerCache? = nil
  ) throws -> RemoteProvider {
    var options = ServiceOptions()
    options.cache = cache
    options.isStreaming = isStreaming
    options.privateAttributes = ["email", "segments"]
    var environment = ServiceEnvironment(SystemTransport(), clock: clock)
    environment.randomness = { 0.5 }
    return try RemoteProvider(
      launchDarklyMobileKey: "mob-1", attributes: ["appVersion": version], at: .relay(server.url), options: options,
      environment: environment)
  }

  private func answers(_ size: Int) -> FlagValue {
    [
      "size": [
        "value": .int(Int128(size)), "variation": 1, "version": 3,
        "reason": ["kind": "RULE_MATCH", "ruleIndex": 0, "ruleId": "r", "inExperiment": true],
      ],
      "off": ["value": .null, "variation": .null, "version": 1, "reason": ["kind": "OFF"]],
      "bad": ["value": .null, "version": 1, "reason": ["kind": "ERROR", "errorKind": "MALFORMED_FLAG"]],
    ]
  }

  private func answer(_ provider: RemoteProvider, _ key: FlagKey, for user: FlagUser?) throws -> FlagAnswer? {
    try provider.snapshot().answer(for: key, in: EvaluationContext(user: user))
  }

  private func waitForSize(_ size: FlagValue, of provider: RemoteProvider) async throws {
    try await waitUntil { (try? answer(provider, "size", for: ann))??.value == size }
  }

  /// The contexts that a server was asked about, one for each request.
  private func contexts(_ server: StandInServer) throws -> [String] {
    try server.lines.map { line in
      let last = try #require(line.split(separator: "/").last?.split(separator: "?").first)
      var text = String(last).replacing("-", with: "+").replacing("_", with: "/")
      text += String(repeating: "=", count: (4 - text.count % 4) % 4)
      return String(decoding: try #require(Data(base64Encoded: text)), as: UTF8.self)
    }
  }

  @Test("Meets the contract of every provider")
  func meetsContract() async throws {
    let server = try StandInServer(answers(1))
    let provider = try provider(server, isStreaming: false)
    provider.setUser(ann)
    try await waitForSize(1, of: provider)
    var contract = ProviderContract(provider, present: ["size": 1], absent: "gone")
    contract.user = ann
    contract.failing = ("bad", .parseError)
    contract.change = .init(to: ["size": 2]) {
      server.serve(answers(2))
      try await provider.refresh()
    }
    try await contract.check()
  }

  @Test("It sends the user and its contexts, without private attributes, and takes values, variations and reasons")
  func asks() async throws {
    let server = try StandInServer(answers(1))
    let provider = try provider(server)
    provider.setUser(ann)
    try await waitForSize(1, of: provider)
    let answer = try #require(try answer(provider, "size", for: ann))
    #expect(answer.variant == "1" && answer.reason == .split && answer.isExperiment)
    #expect(
      answer.metadata == ["reason": "RULE_MATCH", "ruleIndex": 0, "ruleId": "r", "inExperiment": true])
    let off = try #require(try self.answer(provider, "off", for: ann))
    #expect(off.value == nil && off.reason == .disabled)
    try await waitUntil { server.lines.count == 2 }
    #expect(server.lines[0].hasPrefix("GET /msdk/evalx/contexts/") && server.lines[0].hasSuffix("?withReasons=true"))
    #expect(server.lines[1].hasPrefix("GET /meval/"))
    let context = #"{"kind":"multi","organization":{"key":"acme"},"user":{"appVersion":"2.0","key":"ann"}}"#
    #expect(try contexts(server) == [context, context])
    #expect(server.server.requests.allSatisfy { $0.contains("uthorization: mob-1\r\n") })
  }

  @Test("A stream's answers are served without further requests")
  func streams() async throws {
    let server = try StandInServer(answers(1))
    let patch = #"{"key": "size", "version": 4, "value": 7, "variation": 0, "reason": {"kind": "FALLTHROUGH"}}"#
    server.serve(answers(1), events: ["event: patch\ndata: \(patch)\n\n"])
    let provider = try provider(server)
    provider.setUser(ann)
    try await waitUntil {
      if clock.sleeping > 1 { clock.advance(by: .milliseconds(100)) }
      return (try? answer(provider, "size", for: ann))??.value == 7
    }
    #expect(server.lines.count == 2)
  }

  @Test("After an update of the app a user's last values are CACHED, and nobody else's")
  func keepsAcrossUpdates() async throws {
    let folder = CacheFolder()
    let good = try StandInServer(answers(7))
    let first = try provider(good, isStreaming: false, cache: AnswerCache(in: folder.url))
    first.setUser(ann)
    try await waitForSize(7, of: first)
    await first.waitForWrites()
    good.serve("broken")
    let later = try provider(good, isStreaming: false, version: "3.0", cache: AnswerCache(in: folder.url))
    later.setUser(FlagUser(id: "ben"))
    await later.waitForWrites()
    #expect(throws: FlagError.self) { try answer(later, "size", for: FlagUser(id: "ben")) }
    later.setUser(ann)
    await later.waitForWrites()
    let kept = try answer(later, "size", for: ann)
    #expect(kept?.value == 7 && [.cached, .stale].contains(kept?.reason))
  }

  @Test("A user who signs in has no answers of the one before; a visitor without an id is not asked about")
  func changesUser() async throws {
    let server = try StandInServer(answers(1))
    let provider = try provider(server, isStreaming: false)
    try await waitUntil { provider.providerStatus.state == .error }
    #expect(provider.providerStatus.error?.code == .targetingKeyMissing && server.lines.isEmpty)
    provider.setUser(ann)
    try await waitForSize(1, of: provider)
    provider.setUser(nil)
    #expect(throws: FlagError.self) { try answer(provider, "size", for: nil) }
    provider.setContext(EvaluationContext(anonymousID: "visitor"))
    try await waitUntil { (try? answer(provider, "size", for: nil))??.value == 1 }
    #expect(
      try contexts(server).last
        == #"{"anonymous":true,"appVersion":"2.0","key":"visitor","kind":"user","visitorID":"visitor"}"#)
  }
}
