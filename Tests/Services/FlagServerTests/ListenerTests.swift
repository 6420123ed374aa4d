import FlagHTTP
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import FlagServer

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

@Suite("Listener that the system ends", .timeLimit(.minutes(15)))
struct ListenerTests {
  private typealias Event = ListenerEvent

  @Test(
    "An error of accept is about one client, about all of them, or about the listener",
    arguments: [
      (EAGAIN, "none"), (EWOULDBLOCK, "none"), (EMFILE, "exhausted"), (ENFILE, "exhausted"), (ENOBUFS, "exhausted"),
      (ENOMEM, "exhausted"), (EBADF, "defunct"), (EINVAL, "defunct"), (ENOTSOCK, "defunct"), (ENOTCONN, "defunct"),
      (ECONNABORTED, "lost"), (EINTR, "lost"), (EPROTO, "lost"), (EPERM, "lost"), (ENETDOWN, "lost"),
      (EHOSTUNREACH, "lost"), (ETIMEDOUT, "lost"), (9999, "lost"),
    ] as [(Int32, String)])
  func classifies(code: Int32, name: String) {
    #expect("\(Listener.Acceptance(failedWith: code))".prefix { $0 != "(" } == name)
  }

  @Test("A lost client does not end a listener; more of them in a row than can have waited do")
  func countsLosses() {
    var recovery = ListenerRecovery(openedAt: .start)
    for _ in 0..<3 {
      let losses = (1..<ListenerRecovery.lossLimit).map { _ in recovery.step(after: .lost(.test), now: .start) }
      #expect(losses.allSatisfy { $0 == .accept })
      #expect(recovery.step(after: .none, now: .start) == .wait)
    }
    let losses = (0..<ListenerRecovery.lossLimit).map { _ in recovery.step(after: .lost(.test), now: .start) }
    #expect(losses.last == .replace(after: .zero, .test))
    #expect(ListenerRecovery.lossLimit > Int(Listener.backlog))
  }

  @Test("A listener that is said to have clients and gives none is ended: by one word of it, or by many times")
  func countsEmptyTurns() {
    let ended = SocketError("poll", reason: "the listener has ended")
    var recovery = ListenerRecovery(openedAt: .start)
    #expect(recovery.step(after: .none, isFirst: true, isHungUp: true, now: .start) == .replace(after: .zero, ended))
    recovery = ListenerRecovery(openedAt: .start)
    for _ in 0..<3 {
      let turns = (1..<ListenerRecovery.emptyTurnLimit).map { _ in
        recovery.step(after: .none, isFirst: true, now: .start)
      }
      #expect(turns.allSatisfy { $0 == .wait })
      // One that comes after a client, or a lost one, is as it should be.
      #expect(recovery.step(after: .none, now: .start) == .wait)
    }
    let turns = (0..<ListenerRecovery.emptyTurnLimit).map { _ in
      recovery.step(after: .none, isFirst: true, now: .start)
    }
    #expect(turns.last == .replace(after: .zero, ended))
  }

  @Test("No descriptors left is a pause, however often")
  func pauses() {
    var recovery = ListenerRecovery(openedAt: .start)
    let steps = (0..<5000).map { _ in recovery.step(after: .exhausted, now: .start) }
    #expect(Set(steps.map { "\($0)" }) == ["\(ListenerRecovery.Step.pause(.milliseconds(100)))"])
  }

  @Test("Another listener is opened at once, and after failures at growing intervals of up to ten seconds")
  func backsOff() {
    var recovery = ListenerRecovery(openedAt: .start)
    #expect(recovery.step(after: .defunct(.test), now: .start) == .replace(after: .zero, .test))
    let failures = (0..<9).map { _ in recovery.openingFailed(.test) }
    #expect(failures.map { $0.delay / .milliseconds(1) } == [100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000])
    #expect(failures.map(\.isNew) == [true] + Array(repeating: false, count: 8))
    #expect(recovery.openingFailed(SocketError("other", reason: "")).isNew)
    recovery.opened(now: .start)
    // It ends as soon as it is open, so it is not hurried.
    #expect(recovery.step(after: .defunct(.test), now: .start) == .replace(after: .seconds(10), .test))
    recovery.opened(now: .start)
    #expect(
      recovery.step(after: .defunct(.test), now: .start + .seconds(10)) == .replace(after: .zero, .test),
      "It lasted for a while")
  }

  @Test("A client that is accepted ends the growing of intervals")
  func forgivesFailures() async throws {
    var recovery = ListenerRecovery(openedAt: .start)
    for _ in 0..<5 { _ = recovery.step(after: .defunct(.test), now: .start) }
    let listener = try Listener(host: "127.0.0.1", port: 0)
    let client = try connectedSocket(port: listener.address.port)
    defer { close(client) }
    var acceptance = listener.accept()
    while case .none = acceptance { acceptance = listener.accept() }
    #expect(recovery.step(after: acceptance, now: .start) == .accept)
    #expect(recovery.step(after: .defunct(.test), now: .start) == .replace(after: .zero, .test))
  }

  @Test("The server reports it once, and answers again on its port, the loop at rest", arguments: [1, 2])
  func reopens(threads: Int) async throws {
    let events = Recorder()
    let turns = Mutex(0)
    var environment = TestTime().environment
    environment.observeListener = events.add
    environment.now = { [now = environment.now] in
      turns.withLock { $0 += 1 }
      return now()
    }
    let server = try HTTPServer(
      .test, port: try ReservedPort.forRestarts(), threads: threads, environment: environment)
    let (port, kept) = (server.port, try TestClient(port: server.port))
    #expect(try await onThread { try TestClient(port: port).get("/echo/a").body } == "a")
    #expect(shutDownListeners(at: port) == 1)
    try await waitUntil { events.all.count >= 2 }
    #expect(try await onThread { try TestClient(port: port).get("/echo/b").body } == "b")
    // Clients stay connected.
    #expect(try kept.get("/echo/c").body == "c")
    await server.stop()
    #expect(events.all == [.lost(SocketError("accept", code: EINVAL)), .reopened(port: port)])
    #expect(turns.withLock { $0 } < 1000)
  }

  @Test("While the port is taken it is tried at growing intervals, and the reason reported once")
  func waitsForPort() async throws {
    let (events, time) = (Recorder(), TestTime())
    let turns = Mutex(0)
    var environment = time.environment
    environment.observeListener = events.add
    environment.now = { [now = environment.now] in
      turns.withLock { $0 += 1 }
      return now()
    }
    let port = try ReservedPort.forRestarts()
    let server = try HTTPServer(.test, port: port, environment: environment)
    #expect(shutDownListeners(at: port) == 1)
    try await waitUntil { events.all.count >= 2 }
    // As short-lived as the one before, so the port is free for a time that stands still.
    #expect(shutDownListeners(at: port) == 1)
    try await waitUntil { events.all.count >= 3 }
    do {
      let other = try await bound(to: port)
      time.advance(by: .milliseconds(100))
      server.wake()
      try await waitUntil { events.all.count >= 4 }
      for _ in 0..<3 {
        time.advance(by: .seconds(10))
        server.wake()
      }
      withExtendedLifetime(other) {}
    }
    try await waitUntil {
      time.advance(by: .seconds(10))
      server.wake()
      return events.all.count >= 5
    }
    #expect(try await onThread { try TestClient(port: port).get("/echo/a").body } == "a")
    await server.stop()
    let lost = Event.lost(SocketError("accept", code: EINVAL))
    let taken = Event.notReopened(SocketError("listen at 127.0.0.1:\(port)", code: EADDRINUSE))
    #expect(events.all == [lost, .reopened(port: port), lost, taken, .reopened(port: port)])
    #expect(turns.withLock { $0 } < 1000)
  }

  @Test("A server that is stopped opens no listener")
  func staysStopped() async throws {
    let (events, time) = (Recorder(), TestTime())
    var environment = time.environment
    environment.observeListener = events.add
    let server = try HTTPServer(.test, port: try ReservedPort.forRestarts(), environment: environment)
    for count in [2, 3] {
      #expect(shutDownListeners(at: server.port) == 1)
      try await waitUntil { events.all.count >= count }
    }
    time.advance(by: .milliseconds(50))
    await server.stop()
    #expect(events.all.count == 3)
    #expect(throws: TestClient.Failure.self) { try TestClient(port: server.port) }
  }

  /// The system may need a moment until a port is free.
  private func bound(to port: Int) async throws -> Listener {
    var listener: Listener?
    try await waitUntil {
      listener = try? Listener(host: "127.0.0.1", port: port)
      return listener != nil
    }
    return try #require(listener)
  }

  private final class Recorder: Sendable {
    private let events = Mutex<[ListenerEvent]>([])
    var all: [ListenerEvent] { events.withLock { $0 } }
    @Sendable func add(_ event: ListenerEvent) { events.withLock { $0.append(event) } }
  }
}

extension ContinuousClock.Instant {
  fileprivate static let start = ContinuousClock.now
}

extension SocketError {
  fileprivate static let test = SocketError("accept", reason: "test")
}
