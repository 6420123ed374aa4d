import FlagDomain
import FlagHTTP
import FlagTransport
import FlagProviders
import FlagRemote

extension EtcdSet {
  /// How long to wait after a number of failures in a row.
  private static let backoff = Backoff(base: .milliseconds(200), cap: .seconds(5), minimum: .milliseconds(20))
  /// How long to wait after etcd said that this user may not read: until someone changes that.
  private static let refusedDelay = Duration.seconds(30)
  /// How long after a change was taken over the next one is at the soonest, so that a burst costs a server little.
  private static let pause = Duration.milliseconds(100)
  /// How long a watch must have lasted for its end to count as the first failure.
  private static let steadyTime = Duration.seconds(2)

  /// Follows the head until the task is cancelled: reads it, watches it, and goes on at another member when one fails.
  func follow() async {
    var member = client.preferred
    var failures = 0
    while !Task.isCancelled {
      let (error, lasted) = await follow(at: member)
      guard !Task.isCancelled else { return }
      failures = lasted >= Self.steadyTime ? 1 : failures + 1
      var delay = Self.backoff.delay(afterFailures: failures, randomness: client.environment.randomness())
      switch error {
      case .refused(.outOfRange, _): break  // compacted: this member will do, from what it has now
      case _ where error.isRefusal:
        client.dropToken()
        if failures > 1 || !error.isAboutToken { fail(error) }
        if failures > client.memberCount { delay = Self.refusedDelay * (0.5 + client.environment.randomness() / 2) }
      default:
        member = (member + 1) % client.memberCount
        // That one member of several is away is no failure.
        if failures >= client.memberCount { fail(error) }
      }
      do { try await client.environment.clock.sleep(for: delay) } catch { return }
    }
  }

  /// Follows the head at a member, and returns why that is over, and how long it was watched.
  private func follow(at member: Int) async -> (EtcdError, Duration) {
    do throws(EtcdError) {
      let revision = try await read(at: member)
      let exchange = try await client.watch(keys.watched, from: revision + 1, at: member)
      let beginning = client.environment.uptime()
      endSilence()
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
  /// That works without a quorum. If the member has less than was adopted, a quorum is asked who is right.
  private func read(at member: Int) async throws(EtcdError) -> Int64 {
    var query = keys.watched
    query.isSerializable = true
    let range = try EtcdRange(
      try await client.ask(
        "kv/range", query.body, at: member, timeout: client.settings.attemptTimeout * 3, needsLeader: false))
    if try await adopt(head(in: range.entries), from: member) == false { try await readAtQuorum() }
    return range.revision
  }

  /// Reads the head as a quorum of the members has it, which is the truth.
  func readAtQuorum() async throws(EtcdError) {
    let base = adoptedRevision
    try await adopt(head(in: try await client.range(keys.watched).entries), insteadOf: base)
  }

  /// Returns the newest head of some entries, and the text beside it.
  private func head(in entries: [EtcdEntry]) -> Reading {
    Reading(entries.last { $0.key == keys.head }, text: entries.last { $0.key == keys.text && !$0.isRemoved }?.value)
  }

  /// Takes over what a watch says, until it ends.
  private func listen(to exchange: Exchange, at member: Int) async -> EtcdError {
    var parser = EtcdWatchParser()
    do throws(EtcdError) {
      while let bytes = try await next(of: exchange) {
        endSilence()
        // Of several changes the last one counts: what came in the meantime is one change.
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

  /// Asks the member whether it is there, whenever the watch has been silent for long, and returns when it is not.
  ///
  /// A stopped member says nothing, and one that is cut off from the others may not, either.
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
          // The watch has not said so, or has begun at a revision that this store has not come to yet.
          return .unreachable(.failed("the watch said nothing of a change"))
        }
        confirm()
        endSilence()
      } catch {
        return error
      }
    }
  }
}
