import FlagDefinitions
import FlagDomain
import FlagHTTP
import FlagServer
import FlagServices
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import FlagRemote

@Suite("Clients of a service, for a long time", .timeLimit(.minutes(15)))
struct WireSoakTests {
  @Test("Attributes, events, clocks and tokens that change all the time cost few requests, and no value is old")
  func stays() async throws {
    let (service, folder) = (try SoakService(), CacheFolder())
    let (personal, shared) = try clients(of: service, cache: AnswerCache(in: folder.url))
    let began = ContinuousClock.now
    let steps = Effort.rounds(100, thorough: 400, long: 12_000)
    var resources: [Resources] = []
    let events = Task { if Effort.isLong { await service.sendEvents() } }
    for step in 1...steps {
      // Read before the values: a request that the service has received began after the one before was accepted.
      let (floor, version) = service.floors
      #expect(number(of: personal.read("size")) >= floor, "step \(step)")
      #expect(try number(of: shared) >= version, "step \(step)")
      personal.updateAttributes(["step": .int(Int128(step))], removing: [])
      service.change(step)
      if Effort.isLong {
        try await Task.sleep(until: began + .milliseconds(50 * step))
        if step.isMultiple(of: 600) { resources += [Resources(after: .now - began, requests: service.requests)] }
      } else {
        let requests = service.requests
        for _ in 0..<50 { service.sendEvent() }
        personal.updateAttributes(["other": .int(Int128(step))], removing: [])
        try await waitUntil { service.requests > requests }
      }
    }
    events.cancel()
    await events.value
    service.change(steps + 1)
    await personal.wait { self.number(of: $0.read("size")) == steps }
    try await waitUntil { try number(of: shared) == steps + 1 }
    check(resources, service, steps, .now - began)
    // Nothing that the service sent may be written after the answers are counted.
    await service.server.stop()
    await shared.waitForWrites()
    await personal.waitForWrites()
    let cached = try folder.files.count { $0.pathExtension == "cache" }
    print("\(cached) cached answers")
    // One of the definitions; of the contexts a few, and then one a minute.
    #expect(cached <= 1 + 32 + Int((ContinuousClock.now - began) / .seconds(60)))
  }

  private func number(of reading: Reading) -> Int {
    if case .int(let number)? = reading.value { Int(number) } else { -1 }
  }

  private func number(of store: HTTPDefinitionStore) throws -> Int {
    let answer = try store.current?.document.evaluate("size", in: EvaluationContext(), at: 0)
    return number(of: Reading(value: answer?.value, why: ""))
  }

  /// Creates a client of personal answers, and one of definitions that are cached, with a clock that jumps.
  private func clients(
    of service: SoakService, cache: AnswerCache
  ) throws -> (personal: RemoteProvider, shared: HTTPDefinitionStore) {
    var options = ServiceOptions()
    options.credentials = .renewable { isRefused in ["Authorization": "Bearer \(service.token(isNew: isRefused))"] }
    options.onCacheError = { Issue.record($0) }
    var environment = ServiceEnvironment()
    environment.date = { HTTPDate(secondsSince1970: 1_700_000_000 + service.jump) }
    options.cache = cache
    let personal = try RemoteProvider(ofrep: service.url("/"), options: options, environment: environment)
    let shared = try HTTPDefinitionStore(
      service.url("/flags.json"), events: service.url("/flags/events"), options: options, environment: environment)
    return (personal, shared)
  }

  private func check(_ resources: [Resources], _ service: SoakService, _ steps: Int, _ time: Duration) {
    print("\(steps) steps in \(time): \(service.requests) requests, \(service.refusals) refused")
    for sample in resources { print(sample) }
    // One for each change of an attribute, of which a short run makes two, and for each of two clients one for each
    // interval of events.
    let intervals = Int(time / .milliseconds(100)) + 2
    #expect(service.requests <= (Effort.isLong ? 1 : 2) * steps + 2 * intervals + 2 * service.refusals)
    guard Effort.isLong, let last = resources.last else { return }
    // A connection or two may be about to end. The allocator needs minutes until it has what it keeps.
    let middle = resources[resources.count / 2]
    #expect(last.threads <= middle.threads && last.descriptors <= middle.descriptors + 2)
    #expect(last.kibibytes <= middle.kibibytes * 21 / 20)
  }
}

/// A service of one flag: personal answers repeat the attribute `step`, definitions have the last change.
private final class SoakService: Sendable {
  private struct State {
    var version = 0
    var token = 0
    var known = 0
    var jump: Int64 = 0
    /// The values of the answers, in order, as far as they are needed.
    var personal = [-1, -1]
    var shared = [-1, -1]
    var requests = 0
    var refusals = 0
  }

  /// The state, which the service shares with its routes.
  private final class Book: Sendable {
    private let state = Locked(State())

    func withLock<Result: Sendable>(_ work: (inout State) -> Result) -> Result { state.withLock { work(&$0) } }
  }

  private let state: Book
  private let feed: EventFeed
  let server: HTTPServer

  init() throws {
    let (state, feed) = (Book(), EventFeed())
    (self.state, self.feed) = (state, feed)
    let tokens = Middleware { request, target, _ in
      if target.path == ["flags", "events"] { return nil }
      return state.withLock { state in
        state.requests += 1
        // The one before is accepted for a while.
        let accepted = ["Bearer \(state.token)", "Bearer \(state.token - 1)"]
        guard !accepted.contains(request.fields[.authorization] ?? "") else { return nil }
        state.refusals += 1
        return HTTPResponse(plain: .unauthorized)
      }
    } decorate: { _, _ in
    }
    let routes: [Router.Route] = [
      .init(.post, "/ofrep/v1/evaluate/flags", .immediate { .response(Self.answer(to: $0, state)) }),
      .init(.get, "/flags.json", .immediate { _ in .response(Self.definitions(state)) }),
      .init(.get, "/flags/events", .immediate { _ in .events(feed) }),
    ]
    server = try HTTPServer(Service(routes, middleware: [tokens]))
  }

  private static func answer(to request: ServerRequest, _ state: Book) -> HTTPResponse {
    let text = String(decoding: request.message.body, as: UTF8.self)
    let step = text.firstMatch(of: /"step":(\d+)/).flatMap { Int($0.1) } ?? -1
    state.withLock { $0.personal = [$0.personal[1], step] }
    return HTTPResponse(
      .ok, fields: [.contentType: "application/json"],
      body: Array(
        """
        {"flags": [{"key": "size", "value": \(step), "reason": "STATIC"}],
         "eventStreams": [{"type": "sse", "endpoint": {"requestUri": "/flags/events"}}]}
        """.utf8))
  }

  private static func definitions(_ state: Book) -> HTTPResponse {
    let version = state.withLock { state in
      state.shared = [state.shared[1], state.version]
      return state.version
    }
    return .definitions(version, tag: "\"\(version)\"")
  }
}

extension SoakService {
  func url(_ path: String) -> URL { Addresses.address("http://127.0.0.1:\(server.port)\(path)") }

  var requests: Int { state.withLock { $0.requests } }
  var refusals: Int { state.withLock { $0.refusals } }
  var jump: Int64 { state.withLock { $0.jump } }

  /// The values of the last but one answers: a client has them, or newer ones.
  var floors: (personal: Int, shared: Int) { state.withLock { ($0.personal[0], $0.shared[0]) } }

  /// The token that a client has, or a new one.
  func token(isNew: Bool) -> Int {
    state.withLock { state in
      if isNew { state.known = state.token }
      return state.known
    }
  }

  /// Changes the definitions; every twentieth time the token, and the clock by up to a day.
  func change(_ step: Int) {
    state.withLock { state in
      state.version = step
      guard step.isMultiple(of: 20) else { return }
      state.token += 1
      state.jump = .random(in: -86_400...86_400)
    }
    send(step)
  }

  private func send(_ number: Int) {
    feed.send(ServerSentEvent(data: #"{"etag":"\#(number)","type":"refetchEvaluation"}"#))
  }

  /// Announces a change that is none, as a service with many flags does.
  func sendEvent() { send(-1) }

  /// Sends a thousand events a second until the task is cancelled.
  func sendEvents() async {
    let began = ContinuousClock.now
    var number = 0
    while !Task.isCancelled {
      for _ in 0..<10 { sendEvent() }
      number += 10
      do { try await Task.sleep(until: began + .milliseconds(number)) } catch { return }
    }
  }
}

/// The resources of this process at a time.
private struct Resources: CustomStringConvertible {
  let time: Duration
  let requests: Int
  let threads: Int
  let descriptors: Int
  let kibibytes: Int

  init(after time: Duration, requests: Int) {
    self.time = time
    self.requests = requests
    let status = FileManager.default.contents(atPath: "/proc/self/status").map { String(decoding: $0, as: UTF8.self) }
    func number(_ name: String) -> Int {
      let line = status?.split(separator: "\n").first { $0.hasPrefix("\(name):") }
      return line?.firstMatch(of: /\d+/).flatMap { Int($0.0) } ?? 0
    }
    threads = number("Threads")
    kibibytes = number("VmRSS")
    do { descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count } catch {
      descriptors = 0
    }
  }

  var description: String {
    "after \(time): \(requests) requests, \(threads) threads, \(descriptors) descriptors, \(kibibytes) KiB"
  }
}
