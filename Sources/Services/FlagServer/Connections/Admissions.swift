/// Counts the connections of a loop, and decides which clients are admitted.
///
/// A client beyond the limits may still ask for the server's health, on one of a few connections that are kept for
/// that; of these, too, one peer cannot have all.
struct Admissions {
  enum Place: Equatable {
    /// Any request is answered.
    case open
    /// Only health checks are answered; the connection is closed after the first request.
    case health
  }

  private struct Count {
    let limit: Int
    let peerLimit: Int
    let proxies: TrustedProxies
    private(set) var total = 0
    private var peers: [String: Int] = [:]

    init(limit: Int, peerLimit: Int, proxies: TrustedProxies) {
      self.limit = limit
      self.peerLimit = peerLimit
      self.proxies = proxies
    }

    func isPeerFull(_ address: String) -> Bool {
      peers[address, default: 0] >= peerLimit && !proxies.contains(address)
    }
    var isFull: Bool { total >= limit }

    mutating func add(_ address: String) {
      total += 1
      peers[address, default: 0] += 1
    }

    mutating func remove(_ address: String) {
      total -= 1
      peers[address] = peers[address].flatMap { $0 > 1 ? $0 - 1 : nil }
    }
  }

  private var open: Count
  private var health: Count

  /// Creates the counts of one of several loops, among which clients are distributed evenly.
  init(_ limits: ServerLimits, loops: Int) {
    func share(_ number: Int) -> Int { max(1, number / max(1, loops)) }
    let peers = limits.peerConnections ?? (limits.connections + 1) / 2
    open = Count(limit: share(limits.connections), peerLimit: share(peers), proxies: limits.proxies)
    let health = limits.healthConnections
    self.health = Count(
      limit: health > 0 ? share(health) : 0, peerLimit: share(health / 4), proxies: limits.proxies)
  }

  /// Whether an idle connection must make room for a client: any, or one of the same peer; nil if there is room.
  enum Crowding: Equatable { case peer, all }

  func crowding(for peer: Peer) -> Crowding? {
    open.isPeerFull(peer.address) ? .peer : open.isFull ? .all : nil
  }

  /// Admits a client, and returns its place; nil if there is none.
  mutating func admit(_ peer: Peer) -> Place? {
    if crowding(for: peer) == nil {
      open.add(peer.address)
      return .open
    }
    guard !health.isFull, !health.isPeerFull(peer.address) else { return nil }
    health.add(peer.address)
    return .health
  }

  /// Counts an open connection of a peer for another one, for which a proxy sends; returns false if that has no place.
  mutating func reassign(_ peer: Peer, to other: Peer) -> Bool {
    guard peer.address != other.address else { return true }
    guard !open.isPeerFull(other.address) else { return false }
    open.remove(peer.address)
    open.add(other.address)
    return true
  }

  mutating func leave(_ peer: Peer, _ place: Place) {
    if place == .open { open.remove(peer.address) } else { health.remove(peer.address) }
  }
}
