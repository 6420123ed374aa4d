import FlagDomain
import FlagHTTP
import FlagSupport
import FlagTransport
import FlagProviders
import FlagRemote

extension EtcdSet {
  /// The delays after consecutive failures.
  private static let backoff = Backoff(base: .milliseconds(200), cap: .seconds(5), minimum: .milliseconds(20))
  /// The delay after etcd refused this user the permission to read, which only a change of permissions ends.
  private static let refusedDelay = Duration.seconds(30)
  /// The minimum delay between two adopted changes, so that a burst costs a server little.
  private static let pause = Duration.milliseconds(100)
  /// The minimum duration of a watch for its end to count as the first failure.
  private static let steadyTime = Duration.seconds(2)

  /// Follows the head until the task is cancelled: reads it, watches it, and continues at another member after a
  /// failure.
  func follow() async {
    var member = client.preferred
    var failures = 0
    while !Task.isCancelled {
      let (error, lasted) = await follow(at: member)
      guard !Task.isCancelled else { return }
      failures = lasted >= Self.steadyTime ? 1 : failures + 1
      var delay = Self.backoff.delay(afterFailures: failures, randomness: client.environment.randomness())
      switch error {
      case .refused(.outOfRange, _): break  // compacted: this member is fine, from its current state
      case _ where error.isRefusal:
        client.dropToken()
        if failures > 1 || !error.isAboutToken { fail(error) }
        if failures > client.memberCount { delay = Self.refusedDelay * (0.5 + client.environment.randomness() / 2) }
      default:
        member = (member + 1) % client.memberCount
        // A single unavailable member of several is not a failure.
        if failures >= client.memberCount { fail(error) }
      }
      do { try await client.environment.clock.sleep(for: delay) } catch { return }
    }
  }

  /// Follows the head at a member, and returns the error that ended it and the duration of the watch.
  private func follow(at member: Int) async -> (EtcdError, Duration) {
    do throws(EtcdError) {
      let revision = try await read(at: member)
      let exchange = try await client.watch(keys.watched, from: revision + 1, at: member)
      let beginning = client.environment.uptime()
      connect()
      defer { disconnect() }
      let error = await withTaskGroup(of: EtcdError.self) { group in
        group.addTask { await self.listen(to: exchange, at: member) }
        group.addTask { await self.watchOver(member) }
        let first = await group.next() ?? .unreachable(.cancelled)
        exchange.fail(.cancelled)
        group.cancelAll()
        return first
      }
      return (error, client.environment.uptime() - beginning)
    } catch {
      return (error, .zero)
    }
  }

  /// Reads the head as a member has it, and returns the revision of the whole store there.
  ///
  /// That works without a quorum. If the member's state is older than the adopted one, a quorum decides.
  private func read(at member: Int) async throws(EtcdError) -> Int64 {
    var query = keys.watched
    query.isSerializable = true
    let range = try EtcdRange(
      try await client.ask(
        "kv/range", query.body, at: member, timeout: client.settings.attemptTimeout * 3, needsLeader: false))
    endSilence()
    if try await adopt(head(in: range.entries), from: member) == false { try await readAtQuorum() }
    return range.revision
  }

  /// Reads the head from a quorum of the members, which is authoritative.
  func readAtQuorum() async throws(EtcdError) {
    let base = adoptedRevision
    try await adopt(headAtQuorum(), insteadOf: base)
  }

  func headAtQuorum() async throws(EtcdError) -> Reading { head(in: try await client.range(keys.watched).entries) }

  /// Returns the newest head of some entries, and the text beside it.
  private func head(in entries: [EtcdEntry]) -> Reading {
    Reading(entries.last { $0.key == keys.head }, text: entries.last { $0.key == keys.text && !$0.isRemoved }?.value)
  }

  /// Adopts the changes of a watch, until it ends.
  private func listen(to exchange: Exchange, at member: Int) async -> EtcdError {
    var parser = EtcdWatchParser()
    do throws(EtcdError) {
      while let bytes = try await next(of: exchange) {
        endSilence()
        // Of several changes the last one counts: all that arrived in the meantime are one change.
        let reading = head(in: try parser.append(bytes))
        guard reading.modRevision > 0 else { continue }
        try await adopt(reading, from: member)
        do { try await client.environment.clock.sleep(for: Self.pause) } catch { return .unreachable(.cancelled) }
      }
      return .unreachable(.failed("the watch ended"))
    } catch {
      return error
    }
  }

  private func next(of exchange: Exchange) async throws(EtcdError) -> [UInt8]? {
    do throws(TransportError) { return try await exchange.next() } catch { throw .unreachable(error) }
  }

  /// Checks the member whenever the watch has been silent for the limit, and returns if it is unavailable.
  ///
  /// A stopped member is silent, and one that is cut off from the others may be, too.
  private func watchOver(_ member: Int) async -> EtcdError {
    let limit = client.settings.idleLimit
    while true {
      let silence = silence
      if silence < limit {
        do { try await client.environment.clock.sleep(for: limit - silence) } catch { return .unreachable(.cancelled) }
        continue
      }
      do throws(EtcdError) {
        var query = EtcdQuery.key(keys.head)
        query.isSerializable = true
        query.isKeysOnly = true
        let answer = try await client.ask(
          "kv/range", query.body, at: member, timeout: client.settings.attemptTimeout * 3)
        let modRevision = try EtcdRange(answer).entries.first?.modRevision ?? 0
        guard modRevision == adoptedRevision, !isIncomplete else {
          // The watch has missed a change, or begins at a revision that this store has not reached yet.
          return .unreachable(.failed("the watch missed a change"))
        }
        confirm()
        endSilence()
      } catch {
        return error
      }
    }
  }
}
