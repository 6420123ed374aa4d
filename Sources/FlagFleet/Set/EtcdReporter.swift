import FlagDefinitions
import FlagDomain
import FlagHTTP
import FlagRemote

/// Reports to etcd which revision a server runs, under a lease that expires soon after the server stops.
final class EtcdReporter: Sendable {
  private struct State {
    var report: EtcdReport?
    /// The report that is written in etcd, and its lease.
    var written: EtcdReport?
    var lease: Int64?
  }

  private let key: String
  private let client: EtcdClient
  private let state = Locked(State())
  private let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

  init(key: String, client: EtcdClient) {
    self.key = key
    self.client = client
  }
}

extension EtcdReporter {
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
      let backoff = Backoff(base: .milliseconds(500), cap: .seconds(30))
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
    let (report, written, old) = state.withLock { ($0.report, $0.written, $0.lease) }
    guard let report else { return }
    if let old {
      do throws(EtcdError) {
        if try await client.renew(old) {
          if report == written { return }
          try await client.put(key, report.bytes, under: old)
          return state.withLock { $0.written = report }
        }
      } catch {
        guard case .refused(.notFound, _) = error else { throw error }
      }
      // The lease has expired, and the report with it, as after a while without etcd.
      state.withLock { ($0.lease, $0.written) = (nil, nil) }
    }
    let lease = try await client.grantLease(for: client.settings.reportLifetime)
    state.withLock { $0.lease = lease }
    try await client.put(key, report.bytes, under: lease)
    state.withLock { $0.written = report }
  }

  /// Removes the report, once the reporting task has ended.
  func withdraw() async {
    let lease = state.withLock { state in
      defer { state.lease = nil }
      return state.lease
    }
    guard let lease else { return }
    do throws(EtcdError) { try await client.revoke(lease) } catch {
      // Otherwise the lease expires by itself.
    }
  }
}
