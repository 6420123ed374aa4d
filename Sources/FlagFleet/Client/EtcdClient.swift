import FlagDomain
import FlagHTTP
import FlagJSON
import FlagTransport
import Foundation
import FlagProviders
import FlagRemote

/// A client of an etcd cluster, over the JSON that each member answers under `/v3`.
///
/// It knows nothing of flags. It may be used by any number of tasks.
final class EtcdClient: Sendable {
  let settings: EtcdSettings
  let environment: ServiceEnvironment
  let http: HTTPClient
  /// What is remembered: the token, and the member that answered last.
  private let session: Locked<(token: String?, preferred: Int)>

  /// Creates a client; nothing is asked yet.
  init(_ settings: EtcdSettings, _ environment: ServiceEnvironment) {
    self.settings = settings
    self.environment = environment
    // In base64 everything grows by a third; besides it there is little.
    http = HTTPClient(
      environment.transport, plaintextHosts: settings.plaintextHosts,
      limit: max(4 << 20, settings.sizeLimit / 2 * 3), clock: environment.clock)
    let first = Int(Double(settings.members.count) * environment.randomness())
    session = Locked((nil, max(0, min(first, settings.members.count - 1))))
  }
}

// MARK: One member

extension EtcdClient {
  /// The member that is asked first: another one for each client, and later the one that has answered.
  var preferred: Int { session.withLock { $0.preferred } }

  var memberCount: Int { settings.members.count }

  /// Forgets the token, so that the next request asks for a new one.
  func dropToken() { session.withLock { $0.token = nil } }

  /// What messages call a member.
  func name(of member: Int) -> String { settings.members[member].authority }

  /// Returns a request to a member, with the token that there is.
  func request(
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

  /// Asks a member once, and again with a new token where etcd does not like the one that there was.
  func ask(
    _ path: String, _ body: FlagValue, at member: Int, timeout: Duration, needsLeader: Bool = true
  ) async throws(EtcdError) -> FlagValue {
    try await authenticated(at: member, timeout: timeout) { token throws(EtcdError) in
      let request = try request(path, body, at: member, token: token, needsLeader: needsLeader)
      return try await answer(to: request, timeout: timeout)
    }
  }

  /// Does something with a token, and again with a new one where etcd does not like that there was.
  func authenticated<Value: Sendable>(
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
      // Where nobody is asked who they are, there are no tokens.
      if case .refused(_, let message) = error, message.contains("authentication is not enabled") { return nil }
      throw error
    }
  }

  private func answer(to request: TransportRequest, timeout: Duration) async throws(EtcdError) -> FlagValue {
    let response: HTTPResponse
    do throws(TransportError) {
      response = try await http.send(request, timeout: timeout)
    } catch {
      throw .unreachable(error)
    }
    guard response.status == .ok else { throw EtcdError(response) }
    do throws(JSONError) {
      return try FlagValue(json: response.body)
    } catch {
      throw .unreadable("what is no JSON")
    }
  }
}

// MARK: Any member

/// The member that is asked next, and the timeout of that.
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

  /// Passes the turn on after a failure.
  ///
  /// - Returns: The delay: none to the next member, and after each round a little more; nil if no member is left.
  mutating func next(after error: EtcdError, randomness: () -> Double) -> Duration? {
    failures += 1
    if error.isAboutMember { hopeless.insert(member) }
    guard hopeless.count < count else { return nil }
    repeat { member = (member + 1) % count } while hopeless.contains(member)
    // Slowly: a write that was handed to a leader who died is never answered, and the next one may be, too.
    if case .unreachable(.timedOut) = error { timeout = timeout * 3 / 2 }
    guard failures % count == 0 else { return .zero }
    let pause = Backoff(base: .milliseconds(100), cap: .seconds(2), minimum: .milliseconds(10))
    return pause.delay(afterFailures: failures / count, randomness: randomness())
  }
}

extension EtcdClient {
  /// Asks one member after the other until one answers, or the time is over; each attempt may take longer.
  ///
  /// A member whose certificate is not accepted is asked once; where that is so of all, it is told at once.
  ///
  /// The closure hears why an attempt did not succeed.
  func askAny(
    _ path: String, _ body: FlagValue, onFailure: @Sendable (EtcdError) -> Void = { _ in }
  ) async throws(EtcdError) -> FlagValue {
    let end = environment.uptime() + settings.timeout
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

  /// Returns a range, as a quorum of the members has it.
  func range(_ query: EtcdQuery) async throws(EtcdError) -> EtcdRange {
    try EtcdRange(try await askAny("kv/range", query.body))
  }

  func all(_ query: EtcdQuery, page: Int = 500) async throws(EtcdError) -> [EtcdEntry] {
    var query = query
    query.limit = page
    var entries: [EtcdEntry] = []
    while true {
      let range = try await range(query)
      entries += range.entries
      guard range.hasMore, let last = range.entries.last else { return entries }
      query.key = last.key + "\0"
    }
  }

  /// Writes where all comparisons hold, and otherwise reads.
  ///
  /// An attempt that brought no answer may have written: then the next one finds that the comparisons do not hold.
  func transact(
    where comparisons: [EtcdComparison], _ operations: [EtcdOperation], else queries: [EtcdQuery] = [],
    onFailure: @Sendable (EtcdError) -> Void = { _ in }
  ) async throws(EtcdError) -> EtcdOutcome {
    let body = FlagValue.object([
      "compare": .array(comparisons.map(\.body)), "success": .array(operations.map(\.body)),
      "failure": .array(queries.map { EtcdOperation.range($0).body }),
    ])
    return try EtcdOutcome(try await askAny("kv/txn", body, onFailure: onFailure))
  }
}
