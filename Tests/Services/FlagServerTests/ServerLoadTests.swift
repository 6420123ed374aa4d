import FlagHTTP
import Foundation
import TestSupport
import Testing

@testable import FlagServer

@Suite("Server, under load", .timeLimit(.minutes(15)))
struct ServerLoadTests {
  @Test("A thousand slow connections do not stop a fast one, and leave no descriptor behind")
  func servesBesideSlowClients() async throws {
    raiseDescriptorLimit(to: 3000)
    // The time stands still: however long this takes, none of them is too slow for the server.
    let server = try HTTPServer(.test, environment: TestTime().environment)
    let known = try await onThread { [port = server.port] in
      let slow = try (0..<1000).map { number in
        let client = try TestClient(port: port)
        try client.send(
          number.isMultiple(of: 2) ? "GET /echo/a HTTP/1.1\r\nHo" : "POST /body HTTP/1.1\r\nHost: localhost\r\n")
        return client
      }
      let fast = try TestClient(port: port)
      for number in 0..<1000 {
        let answer = try fast.get("/echo/\(number)")
        guard answer == (200, "\(number)") else { return 0 }
      }
      return withExtendedLifetime(slow) { sockets(at: server.port) }
    }
    #expect(known == 2003, "a listener, and both ends of 1001 connections")
    await server.stop()
    #expect(server.connections == 0)
    #expect(sockets(at: server.port) == 0)
  }

  @Test("Beyond the limit, idle connections make room, and busy ones are not disturbed")
  func limitsConnections() async throws {
    var limits = ServerLimits()
    (limits.connections, limits.peerConnections, limits.healthConnections) = (2, 2, 0)
    let server = try HTTPServer(.test, limits: limits, environment: TestTime().environment)
    let answers = try await onThread { [port = server.port] in
      let idle = try TestClient(port: port)
      _ = try idle.get("/echo/a")
      let busy = try TestClient(port: port)
      try busy.send("GET /echo/b HTTP/1.1\r\n")
      // The third takes the place of the idle one; when it is busy, too, no place is left.
      let third = try TestClient(port: port)
      let answers = [try third.get("/echo/c").body, try idle.receiveAll()]
      try third.send("GET /echo/d HTTP/1.1\r\n")
      try busy.send("Host: localhost\r\n")
      let refused = try TestClient(port: port)
      let refusal = String(try refused.receiveAll().prefix(12))
      try busy.send("\r\n")
      return answers + [refusal, try busy.response().body]
    }
    #expect(answers == ["c", "", "HTTP/1.1 503", "b"])
    await server.stop()
  }

  @Test("A client beyond the limits gets the server's health, and a Retry-After for everything else")
  func keepsHealthChecks() async throws {
    var limits = ServerLimits()
    // A quarter is what one address can have: all three, if the server has not yet seen that the first ones closed.
    (limits.connections, limits.healthConnections) = (4, 12)
    let server = try HTTPServer(.test, limits: limits, environment: TestTime().environment)
    let answers = try await onThread { [port = server.port] in
      // Half of the connections is what one address can have; all are busy.
      let busy = try (0..<2).map { _ in
        let client = try TestClient(port: port)
        _ = try client.get("/echo/a")
        try client.send("GET /echo/b HTTP/1.1\r\n")
        return client
      }
      var answers: [String] = []
      for path in ["health", "echo/c", "health"] {
        let client = try TestClient(port: port)
        try client.send("GET /\(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let (head, body) = try client.response()
        let isClosed = try client.receiveAll().isEmpty
        answers.append("\(head.dropFirst(9).prefix(3)) \(head.contains("Retry-After: 5")) \(isClosed) \(body)")
      }
      return withExtendedLifetime(busy) { answers }
    }
    #expect(answers == ["200 false true ok", "503 true true 503 Service Unavailable\n", "200 false true ok"])
    await server.stop()
  }

  @Test("Every stream has the newest event at once and each later one, and ends with the feed", arguments: [1, 2])
  func streams(threads: Int) async throws {
    let feed = EventFeed()
    feed.send(ServerSentEvent(data: "0", id: "0"))
    let server = try HTTPServer(.test(feed), threads: threads, environment: TestTime().environment)
    let (streams, ends) = try await onThread { [port = server.port] in
      let clients = try (0..<100).map { _ in
        let client = try TestClient(port: port)
        try client.send("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return client
      }
      for client in clients { _ = try client.receive(through: "id: 0\ndata: 0\n\n") }
      feed.send(ServerSentEvent(data: "1", id: "1"))
      for client in clients { _ = try client.receive(through: "id: 1\ndata: 1\n\n") }
      let streams = feed.streams
      feed.finish()
      return (streams, Set(try clients.map { try $0.receiveAll() }))
    }
    #expect(streams == 100)
    #expect(ends == ["\r\n0\r\n\r\n"])
    await server.stop()
    #expect(feed.streams == 0)
  }

  @Test("Two thousand quiet streams do not slow requests down, and each has the next event, and its end is noticed")
  func servesBesideStreams() async throws {
    raiseDescriptorLimit(to: 5000)
    let feed = EventFeed()
    feed.send(ServerSentEvent(data: "0"))
    var limits = ServerLimits()
    (limits.connections, limits.peerConnections) = (3000, 3000)
    let server = try HTTPServer(.test(feed), limits: limits, environment: TestTime().environment)
    let other = try HTTPServer(.test(EventFeed()), environment: TestTime().environment)
    let ratio = try await onThread { [ports = (server.port, other.port)] in
      let streams = try (0..<2000).map { _ in
        let stream = try TestClient(port: ports.0)
        try stream.send("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        _ = try stream.receive(through: "data: 0\n\n")
        return stream
      }
      let clients = (try TestClient(port: ports.0), try TestClient(port: ports.1))
      func time(_ client: TestClient) throws -> Duration {
        let start = ContinuousClock.now
        _ = try client.get("/echo/a")
        return ContinuousClock.now - start
      }
      // Both servers are asked in turn, so that the machine is as busy for one as for the other.
      let ratio =
        try (0..<5).map { _ in
          let times = try (0..<200).map { _ in (try time(clients.0), try time(clients.1)) }
          return times.map(\.0).sorted()[100] / times.map(\.1).sorted()[100]
        }.min() ?? .infinity
      feed.send(ServerSentEvent(data: "1"))
      for stream in streams { _ = try stream.receive(through: "data: 1\n\n") }
      return ratio
    }
    // Where all streams were polled, it was ten times as long.
    #expect(ratio < 2)
    await other.stop()
    try await waitUntil { feed.streams == 0 && server.connections == 0 }
    await server.stop()
  }

  @Test("A stream that is slow to read ends on the newest event, and skips others")
  func skips() async throws {
    let feed = EventFeed()
    let server = try HTTPServer(.test(feed), environment: TestTime().environment)
    let count = 2000
    let text = try await onThread { [port = server.port] in
      let client = try TestClient(port: port, receiveBuffer: 4096)
      try client.send("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
      _ = try client.receive(through: "\r\n\r\n")
      let filler = String(repeating: "x", count: 10_000)
      for number in 1...count { feed.send(ServerSentEvent(data: "\(number)-\(filler)")) }
      feed.finish()
      return try client.receiveAll()
    }
    #expect(text.contains("data: \(count)-"))
    #expect(text.components(separatedBy: "data: ").count - 1 < count)
    await server.stop()
  }

  @Test("A stream whose client is gone is forgotten")
  func forgetsStreams() async throws {
    let feed = EventFeed()
    feed.send(ServerSentEvent(data: "0"))
    let server = try HTTPServer(.test(feed), environment: TestTime().environment)
    try await onThread { [port = server.port] in
      let client = try TestClient(port: port)
      try client.send("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
      _ = try client.receive(through: "data: 0\n\n")
      client.endOutput()
      _ = try client.receiveAll()
    }
    // The stream was removed before its socket was closed.
    #expect(feed.streams == 0)
    await server.stop()
  }

  @Test("A heart beats where nothing happens")
  func beats() async throws {
    let clock = TestTime()
    let server = try HTTPServer(.test(EventFeed()), environment: clock.environment)
    try await onThread { [port = server.port] in
      let client = try TestClient(port: port)
      try client.send("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
      _ = try client.receive(through: "\r\n\r\n")
      clock.advance(by: .seconds(15))
      server.wake()
      _ = try client.receive(through: ":\n\n")
    }
    await server.stop()
  }

  @Test("Stopping finishes what is under way, ends streams, and refuses what comes after")
  func stops() async throws {
    let feed = EventFeed()
    feed.send(ServerSentEvent(data: "0"))
    let gate = Gate()
    let server = try HTTPServer(
      .test(feed, gate: gate), port: try ReservedPort.forRestarts(), environment: TestTime().environment)
    async let outcome = onThread { [port = server.port] in
      let idle = try TestClient(port: port)
      _ = try idle.get("/echo/a")
      let stream = try TestClient(port: port)
      try stream.send("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
      _ = try stream.receive(through: "data: 0\n\n")
      let busy = try TestClient(port: port)
      try busy.send("GET /gate HTTP/1.1\r\nHost: localhost\r\n\r\n")
      gate.waitForArrival()
      let stopped = Task { await server.stop() }
      let ends = [try idle.receiveAll(), try stream.receiveAll()]
      gate.open()
      return (ends, try busy.receiveAll(), stopped)
    }
    let (ends, answer, stopped) = try await outcome
    await stopped.value
    #expect(ends == ["", "\r\n0\r\n\r\n"])
    #expect(answer.contains("\r\nConnection: close\r\n") && answer.hasSuffix("\r\n\r\nopen"))
    #expect(throws: TestClient.Failure.self) { try TestClient(port: server.port) }
  }

  @Test("Stopping does not wait for ever")
  func stopsInTime() async throws {
    let clock = TestTime()
    let gate = Gate()
    let server = try HTTPServer(.test(EventFeed(), gate: gate), environment: clock.environment)
    try await onThread { [port = server.port] in
      let busy = try TestClient(port: port)
      try busy.send("GET /gate HTTP/1.1\r\nHost: localhost\r\n\r\n")
      gate.waitForArrival()
      let idle = try TestClient(port: port)
      _ = try idle.get("/echo/a")
      let stopped = Task { await server.stop() }
      // The idle connection ends when the server has begun to stop.
      _ = try idle.receiveAll()
      clock.advance(by: .seconds(10))
      server.wake()
      _ = try busy.receiveAll()
      _ = stopped
    }
    await server.stop()
    gate.open()
  }
}

private func raiseDescriptorLimit(to count: rlim_t) {
  #if canImport(Darwin)
    let resource = RLIMIT_NOFILE
  #else
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #endif
  var limit = rlimit()
  guard getrlimit(resource, &limit) == 0, limit.rlim_cur < count else { return }
  limit.rlim_cur = min(count, limit.rlim_max)
  setrlimit(resource, &limit)
}

/// The number of the process's sockets at a port, on either end; other tests use other ports.
private func sockets(at port: Int) -> Int {
  (0..<4096).count { descriptor in
    var address = sockaddr_in()
    return [getsockname, getpeername].contains { name in
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let failure = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { name(Int32(descriptor), $0, &length) }
      }
      return failure == 0 && address.sin_family == sa_family_t(AF_INET)
        && Int(in_port_t(bigEndian: address.sin_port)) == port
    }
  }
}
