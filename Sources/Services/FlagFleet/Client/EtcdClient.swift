import FlagDomain
import FlagFoundation
import FlagHTTP
import FlagJSON
import FlagProviders
import FlagRemote
import FlagSupport
import FlagTransport

/// A client of an etcd cluster, over the JSON API of each member under `/v3`.
///
/// It knows nothing of flags. It may be used by any number of tasks.
final class EtcdClient: Sendable {
  let settings: EtcdSettings
  let environment: ServiceEnvironment
  private let http: HTTPClient
  /// The cached token, and the member that answered last.
  private let session: Locked<(token: String?, preferred: Int)>

  /// Creates a client; nothing is sent yet.
  init(_ settings: EtcdSettings, _ environment: ServiceEnvironment) {
    self.settings = settings
    self.environment = environment
    // Base64 grows everything by a third; the rest is small.
    http = HTTPClient(
      environment.transport, plaintextHosts: settings.plaintextHosts,
      limit: max(4 << 20, settings.sizeLimit / 2 * 3), clock: environment.clock)
    let first = Int(Double(settings.members.count) * environment.randomness())
    session = Locked((nil, max(0, min(first, settings.members.count - 1))))
  }

  // MARK: One member

  /// The member for the first attempt: a different one for each client, and later the one that answered last.
  var preferred: Int { session.withLock { $0.preferred } }

  var memberCount: Int { settings.members.count }

  /// Drops the token, so that the next request fetches a new one.
  func dropToken() { session.withLock { $0.token = nil } }

  /// Returns the name of a member in messages.
  func name(of member: Int) -> String { settings.members[member].authority }

  /// Returns a request to a member, with a token if there is one.
  private func request(
    _ path: String, _ body: FlagValue, at member: Int, token: String?, needsLeader: Bool
  ) throws(EtcdError) -> TransportRequest {
    let text: [UInt8]
    do throws(FlagError) { text = try body.json() } catch { throw .unreadable("a request: \(error.message)") }
    var request = TransportRequest(.post, settings.members[member].appending(path: "v3/\(path)"), body: text)
    request.fields[.contentType] = "application/json"
    request.fields[.accept] = "application/json"
    // Without this, a member that has lost the others never answers.
    if needsLeader, let name = HTTPFieldName("Grpc-Metadata-hasleader") { request.fields[name] = "true" }
    if let token { request.fields[.authorization] = token }
    return request
  }

  /// Sends a request to a member once, and again with a new token if etcd rejects the old one.
  func ask(
    _ path: String, _ body: FlagValue, at member: Int, timeout: Duration, needsLeader: Bool = true
  ) async throws(EtcdError) -> FlagValue {
    try await authenticated(at: member, timeout: timeout) { token throws(EtcdError) in
      let request = try request(path, body, at: member, token: token, needsLeader: needsLeader)
      return try await answer(to: request, timeout: timeout)
    }
  }

  /// Runs an operation with a token, and again with a new one if etcd rejects the old one.
  private func authenticated<Value: Sendable>(
    at member: Int, timeout: Duration, _ work: @Sendable (String?) async throws(EtcdError) -> Value
  ) async throws(EtcdError) -> Value {
    let token = try await token(at: member, timeout: timeout, insteadOf: nil)
    do throws(EtcdError) {
      return try await work(token)
    } catch {
      guard error.isAboutToken, settings.credentials != nil else { throw error }
      return try await work(try await self.token(at: member, timeout: timeout, insteadOf: token))
    }
  }

  /// Watches keys from a revision of the store, and returns the exchange that delivers the watch's messages.
  ///
  /// If the member has not reached that revision yet, the watch is silent until it does.
  func watch(_ keys: EtcdQuery, from revision: Int64, at member: Int) async throws(EtcdError) -> Exchange {
    var range = ["key": EtcdText.encoded(keys.key), "start_revision": EtcdText.number(max(1, revision))]
    range["range_end"] = keys.end.map { EtcdText.encoded($0) }
    let body = FlagValue.object(["create_request": .object(range)])
    let timeout = settings.attemptTimeout * 3
    return try await authenticated(at: member, timeout: timeout) { token throws(EtcdError) in
      let request = try request("watch", body, at: member, token: token, needsLeader: true)
      let (response, exchange): (HTTPResponse, Exchange)
      do throws(TransportError) {
        (response, exchange) = try await http.begin(request, timeout: timeout)
      } catch {
        throw .unreachable(error)
      }
      guard response.status == .ok else {
        exchange.fail(.cancelled)
        throw EtcdError(response)
      }
      return exchange
    }
  }

  private func token(at member: Int, timeout: Duration, insteadOf old: String?) async throws(EtcdError) -> String? {
    guard let credentials = settings.credentials else { return nil }
    if let token = session.withLock({ $0.token }), token != old { return token }
    let body = FlagValue.object(["name": .string(credentials.user), "password": .string(credentials.password)])
    let request = try request("auth/authenticate", body, at: member, token: nil, needsLeader: false)
    do throws(EtcdError) {
      guard let token = try await answer(to: request, timeout: timeout)[etcd: "token"]?.text else {
        throw .unreadable("no token")
      }
      session.withLock { $0.token = token }
      return token
    } catch {
      // If etcd requires no authentication, there are no tokens.
      if case .refused(_, let message) = error, message.contains("authentication is not enabled") { return nil }
      throw error
    }
  }

  private func answer(to request: TransportRequest, timeout: Duration) async throws(EtcdError) -> FlagValue {
    let response: HTTPResponse
    do throws(TransportError) {
      response = try await http.send(request, timeout: timeout, total: timeout)
    } catch {
      throw .unreachable(error)
    }
    guard response.status == .ok else { throw EtcdError(response) }
    do throws(JSONError) {
      return try FlagValue(json: response.body)
    } catch {
      throw .unreadable("invalid JSON")
    }
  }
}

// MARK: Any member

/// The member for the next attempt, and its timeout.
private struct MemberTurn {
  let count: Int
  var member: Int
  var timeout: Duration
  private var failures = 0
  private var hopeless: Set<Int> = []

  init(count: Int, member: Int, timeout: Duration) {
    self.count = count
    self.member = member
    self.timeout = timeout
  }

  /// Moves on to the next member after a failure.
  ///
  /// - Returns: The delay: zero to the next member, and after each round a little more; nil if no member is left.
  mutating func next(after error: EtcdError, randomness: () -> Double) -> Duration? {
    failures += 1
    if error.isAboutMember { hopeless.insert(member) }
    guard hopeless.count < count else { return nil }
    repeat { member = (member + 1) % count } while hopeless.contains(member)
    // Slowly: a write that was forwarded to a failed leader is never answered, and the next one may not be, either.
    if case .unreachable(.timedOut) = error { timeout = timeout * 3 / 2 }
    guard failures % count == 0 else { return .zero }
    let pause = Backoff(base: .milliseconds(100), cap: .seconds(2), minimum: .milliseconds(10))
    return pause.delay(afterFailures: failures / count, randomness: randomness())
  }
}

extension EtcdClient {
  /// Sends a request to one member after the other until one answers, or the timeout expires; timeouts of attempts
  /// grow.
  ///
  /// A member whose certificate is not accepted is tried once; if none is accepted, the error is thrown at once.
  ///
  /// The closure receives the error of each failed attempt. Without a limit, the timeout of the settings counts.
  func askAny(
    _ path: String, _ body: FlagValue, within limit: Duration? = nil,
    onFailure: @Sendable (EtcdError) -> Void = { _ in }
  ) async throws(EtcdError) -> FlagValue {
    let end = environment.uptime() + (limit ?? settings.timeout)
    var turn = MemberTurn(count: memberCount, member: preferred, timeout: settings.attemptTimeout)
    while true {
      let left = end - environment.uptime()
      do throws(EtcdError) {
        let answer = try await ask(path, body, at: turn.member, timeout: min(turn.timeout, max(left, .milliseconds(1))))
        session.withLock { $0.preferred = turn.member }
        return answer
      } catch {
        onFailure(error)
        guard let delay = turn.next(after: error, randomness: environment.randomness) else { throw error }
        guard error.isTransient, environment.uptime() + delay < end else { throw error }
        if delay > .zero {
          do { try await environment.clock.sleep(for: delay) } catch { throw .unreachable(.cancelled) }
        }
      }
    }
  }

  /// Returns a range of keys, as a quorum of the members has it.
  func range(_ query: EtcdQuery) async throws(EtcdError) -> EtcdRange {
    try EtcdRange(try await askAny("kv/range", query.body))
  }

  /// Returns a key's value, as a quorum of the members has it; nil if there is no such key.
  func entry(_ key: String) async throws(EtcdError) -> EtcdEntry? { try await range(.key(key)).entries.first }

  /// Returns a range of keys as one member has it: that may be stale, and works without a quorum.
  func range(
    _ query: EtcdQuery, at member: Int, timeout: Duration, needsLeader: Bool = false
  ) async throws(EtcdError) -> EtcdRange {
    var query = query
    query.isSerializable = true
    return try EtcdRange(try await ask("kv/range", query.body, at: member, timeout: timeout, needsLeader: needsLeader))
  }

  /// Returns several ranges of keys, as a quorum of the members has them at one moment.
  func ranges(_ queries: [EtcdQuery]) async throws(EtcdError) -> [EtcdRange] {
    try await transact(where: [], queries.map { .range($0) }).ranges
  }

  /// Returns the keys of a range without their values.
  func keys(_ query: EtcdQuery) async throws(EtcdError) -> [String] {
    var query = query
    query.isKeysOnly = true
    return try await all(query).map(\.key)
  }

  func all(_ query: EtcdQuery, page: Int = 500) async throws(EtcdError) -> [EtcdEntry] {
    var entries: [EtcdEntry] = []
    try await visit(query, page: page) { range in
      entries += range
      return true
    }
    return entries
  }

  /// Passes the entries of a range to a closure, one page after the other, until it returns false.
  func visit(
    _ query: EtcdQuery, page: Int = 500, _ isContinued: ([EtcdEntry]) -> Bool
  ) async throws(EtcdError) {
    var query = query
    query.limit = page
    while true {
      let range = try await range(query)
      guard isContinued(range.entries), range.hasMore, let last = range.entries.last else { return }
      if query.isDescending { query.end = last.key } else { query.key = last.key + "\0" }
    }
  }

  /// Writes if all comparisons hold, and otherwise reads.
  ///
  /// An attempt without an answer may have written: then the next one finds that the comparisons do not hold.
  func transact(
    where comparisons: [EtcdComparison], _ operations: [EtcdOperation], else queries: [EtcdQuery] = [],
    within limit: Duration? = nil, onFailure: @Sendable (EtcdError) -> Void = { _ in }
  ) async throws(EtcdError) -> EtcdOutcome {
    let body = FlagValue.object([
      "compare": .array(comparisons.map(\.body)), "success": .array(operations.map(\.body)),
      "failure": .array(queries.map { EtcdOperation.range($0).body }),
    ])
    let outcome = try EtcdOutcome(try await askAny("kv/txn", body, within: limit, onFailure: onFailure))
    let expected = outcome.isWritten ? operations.count(where: \.isRange) : queries.count
    guard outcome.ranges.count == expected else {
      throw .unreadable("\(outcome.ranges.count) ranges instead of \(expected)")
    }
    return outcome
  }

  // MARK: Leases

  /// Creates a lease that expires if it is not renewed within its lifetime, and returns its number.
  func grantLease(for lifetime: Duration) async throws(EtcdError) -> Int64 {
    let seconds = max(1, lifetime.components.seconds)
    let answer = try await askAny("lease/grant", .object(["TTL": EtcdText.number(seconds)]))
    guard let lease = answer[etcd: "ID"]?.etcdNumber, lease != 0 else { throw .unreadable("a lease without a number") }
    return lease
  }

  /// Renews a lease, and returns whether it still exists.
  func renew(_ lease: Int64) async throws(EtcdError) -> Bool {
    let answer = try await askAny("lease/keepalive", .object(["ID": EtcdText.number(lease)]))
    // It is a stream of one answer; for an expired lease the remaining time is zero, and so is left out.
    if let error = answer[etcd: "error"].flatMap({ EtcdError(body: $0) }) { throw error }
    guard let result = answer[etcd: "result"] else { throw .unreadable("a lease without a result") }
    return (result[etcd: "TTL"]?.etcdNumber ?? 0) > 0
  }

  /// Revokes a lease, which removes the keys that were written under it.
  func revoke(_ lease: Int64, within limit: Duration) async throws(EtcdError) {
    _ = try await askAny("lease/revoke", .object(["ID": EtcdText.number(lease)]), within: limit)
  }
}
