import FlagDefinitions
import FlagDomain
import FlagHTTP
import FlagJSON
import FlagProviders
import FlagPublishing
import FlagRemote
import FlagSupport

/// Reports to etcd which revision a server runs, with a sign of life that expires soon after the server stops.
///
/// Two servers of one name take the sign of life from each other. Each notices when it renews its own, and says so in
/// its report for as long as its reports are valid.
final class EtcdReporter: Sendable {
  private struct State {
    var report: EtcdReport?
    /// The report that is written in etcd.
    var written: EtcdReport?
    var lease: Int64?
    /// The uptime until which the name counts as shared.
    var sharedUntil = Duration.zero
  }

  /// The time within which a server signs off.
  static let withdrawalLimit = Duration.seconds(2)

  private let (key, presenceKey): (String, String)
  private let presence: EtcdPresence
  private let client: EtcdClient
  private let state = Locked(State())
  private let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

  init(server: String, keys: EtcdKeys, client: EtcdClient) {
    key = keys.server(server)
    presenceKey = keys.presence(server)
    presence = EtcdPresence(instance: .unique())
    self.client = client
  }

  /// Requests a report, unless the last one was the same.
  func report(revision: Int?, failure: String?, at time: Int64) {
    let isNew = state.withLock { state in
      let report = EtcdReport(revision: revision, failure: failure, timestamp: time)
      if let old = state.report, old.revision == revision, old.failure == failure { return false }
      state.report = report
      return true
    }
    if isNew { signal.yield() }
  }

  /// Writes reports, and renews the lease, until the task is cancelled.
  func run() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { [self] in
        while !Task.isCancelled {
          do { try await client.environment.clock.sleep(for: client.settings.reportLifetime / 3) } catch { return }
          signal.yield()
        }
      }
      let backoff = Backoff(base: .milliseconds(500), cap: .seconds(10))
      for await _ in signals {
        var failures = 0
        while !Task.isCancelled {
          do throws(EtcdError) {
            try await report()
            break
          } catch {
            failures += 1
            let delay = backoff.delay(afterFailures: failures, randomness: client.environment.randomness())
            do { try await client.environment.clock.sleep(for: delay) } catch { return }
          }
        }
      }
      group.cancelAll()
    }
  }

  private func report() async throws(EtcdError) {
    guard state.withLock({ $0.report != nil }) else { return }
    if let lease = state.withLock({ $0.lease }), try await isRenewed(lease) {
      let holder = try await holder()
      if let holder, holder != presence { noticeNamesake() }
      let report = current()
      if holder == presence, report == state.withLock({ $0.written }) { return }
      return try await write(report, under: lease)
    }
    // The lease has expired, as after a while without etcd.
    state.withLock { ($0.lease, $0.written) = (nil, nil) }
    let lease = try await client.grantLease(for: client.settings.reportLifetime)
    state.withLock { $0.lease = lease }
    try await write(current(), under: lease)
  }

  private func isRenewed(_ lease: Int64) async throws(EtcdError) -> Bool {
    do throws(EtcdError) { return try await client.renew(lease) } catch {
      guard case .refused(.notFound, _) = error else { throw error }
      return false
    }
  }

  /// Returns the sign of life under the server's name; nil if there is none, or it cannot be read.
  private func holder() async throws(EtcdError) -> EtcdPresence? {
    var query = EtcdQuery.key(presenceKey)
    query.isSerializable = true
    guard let entry = try await client.range(query).entries.first else { return nil }
    do throws(EtcdError) { return try EtcdPresence(entry) } catch { return nil }
  }

  private func noticeNamesake() {
    let now = client.environment.uptime()
    let isNew = state.withLock { state in
      defer { state.sharedUntil = now + client.settings.reportLifetime }
      return state.sharedUntil <= now
    }
    if isNew { client.settings.onNameShared() }
  }

  /// Returns the report as it is to be written now.
  private func current() -> EtcdReport? {
    let now = client.environment.uptime()
    return state.withLock { state in
      var report = state.report
      report?.isNameShared = state.sharedUntil > now ? true : nil
      return report
    }
  }

  private func write(_ report: EtcdReport?, under lease: Int64) async throws(EtcdError) {
    guard let report else { return }
    _ = try await client.transact(
      where: [], [.put(key, report.bytes), .putLeased(presenceKey, presence.bytes, lease: lease)])
    state.withLock { $0.written = report }
  }

  /// Removes the report and the sign of life, once the reporting task has ended, unless they are a namesake's by now.
  ///
  /// It gives up after two seconds: then the sign of life expires by itself, and the server is listed as absent.
  func withdraw() async {
    let lease = state.withLock { state in
      defer { state.lease = nil }
      return state.lease
    }
    guard let lease else { return }
    let end = client.environment.uptime() + Self.withdrawalLimit
    do throws(EtcdError) {
      _ = try await client.transact(
        where: [.value(presenceKey, presence.bytes)], [.delete(.key(key)), .delete(.key(presenceKey))],
        within: Self.withdrawalLimit)
      try await client.revoke(lease, within: end - client.environment.uptime())
    } catch {
      // Otherwise the lease expires by itself.
    }
  }
}

/// The last report of a server, as its key holds it; it stays when the server does not come back.
struct EtcdReport: EtcdRecord, Hashable, Sendable {
  var revision: Int?
  var failure: String?
  var timestamp: Int64
  /// Whether another server reports under the same name; nil for no.
  var isNameShared: Bool?

  func validate() {}
}

/// The sign of life of a server, as its key holds it under a lease.
struct EtcdPresence: EtcdRecord, Hashable, Sendable {
  /// A unique identifier of the process.
  var instance: String

  func validate() {}
}

extension ServerReport {
  init(name: String, etcd value: [UInt8]) {
    do throws(EtcdError) {
      let report = try EtcdReport(value)
      self.init(
        name: name, revision: report.revision, failure: report.failure, timestamp: report.timestamp,
        isNameShared: report.isNameShared ?? false)
    } catch {
      self.init(name: name, revision: nil, failure: "its report cannot be read: \(error)", timestamp: 0)
    }
  }
}

extension [ServerReport] {
  /// Creates the reports of servers from all keys below that of the servers, sorted by name.
  init(_ entries: [EtcdEntry], _ keys: EtcdKeys) {
    let live = Set(entries.compactMap { keys.report(ofPresence: $0.key) })
    let reports = entries.filter { keys.report(ofPresence: $0.key) == nil }
    self = reports.map { entry in
      var report = ServerReport(name: keys.server(of: entry.key), etcd: entry.value)
      report.isAbsent = !live.contains(entry.key)
      return report
    }
    let missing = live.subtracting(reports.map(\.key))
    self += missing.map {
      ServerReport(name: keys.server(of: $0), revision: nil, failure: "its report is missing", timestamp: 0)
    }
    sort { $0.name < $1.name }
  }
}

extension String {
  /// Returns a text that is unique among all processes: 128 random bits.
  static func unique() -> String {
    let halves = (0..<2).map { _ in UInt64.random(in: 0 ... .max) }
    return halves.map { String($0, radix: 16) }.joined(separator: "-")
  }
}
