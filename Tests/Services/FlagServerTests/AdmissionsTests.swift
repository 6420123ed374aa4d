import Testing

@testable import FlagServer

@Suite("Admissions")
struct AdmissionsTests {
  private func peer(_ name: String) -> Peer { Peer(address: name, port: 1) }

  private func admissions(loops: Int = 1, _ edit: (inout ServerLimits) -> Void = { _ in }) -> Admissions {
    var limits = ServerLimits()
    (limits.connections, limits.healthConnections) = (8, 8)
    edit(&limits)
    return Admissions(limits, loops: loops)
  }

  @Test("One peer has half of the connections at most, and a quarter of those for health; others still come in")
  func sharesByPeer() {
    var admissions = admissions()
    let places = (0..<7).map { _ in admissions.admit(peer("a")) }
    #expect(places == [.open, .open, .open, .open, .health, .health, nil])
    #expect(admissions.crowding(for: peer("a")) == .peer && admissions.crowding(for: peer("b")) == nil)
    #expect((0..<4).map { _ in admissions.admit(peer("b")) } == [.open, .open, .open, .open])
    #expect(admissions.crowding(for: peer("c")) == .all)
    #expect(admissions.admit(peer("c")) == .health)
    admissions.leave(peer("a"), .open)
    #expect(admissions.admit(peer("c")) == .open)
    admissions.leave(peer("a"), .health)
    #expect(admissions.admit(peer("a")) == .health)
  }

  @Test("A proxy has no limit of its own, and the clients that it sends for have theirs")
  func countsForwarded() {
    var admissions = admissions {
      $0.connections = 9
      _ = $0.proxies.add("10.0.0.0/8")
    }
    #expect((0..<8).map { _ in admissions.admit(peer("10.1.2.3")) } == Array(repeating: .open, count: 8))
    let moved = (0..<6).map { _ in admissions.reassign(peer("10.1.2.3"), to: peer("a")) }
    #expect(moved == [true, true, true, true, true, false])
    let back = [
      admissions.reassign(peer("a"), to: peer("10.1.2.3")), admissions.reassign(peer("10.1.2.3"), to: peer("a")),
    ]
    #expect(back == [true, true])
    admissions.leave(peer("a"), .open)
    #expect((0..<2).map { _ in admissions.admit(peer("b")) } == [.open, .open])
    #expect(admissions.crowding(for: peer("b")) == .all)
  }

  @Test("Loops share the limits, and each has one connection at least", arguments: [(1, 6), (2, 3), (3, 2), (64, 1)])
  func sharesByLoop(loops: Int, count: Int) {
    var admissions = admissions(loops: loops) {
      ($0.connections, $0.peerConnections, $0.healthConnections) = (6, 6, 0)
    }
    #expect((0..<9).count { _ in admissions.admit(peer("a")) != nil } == count)
  }
}
