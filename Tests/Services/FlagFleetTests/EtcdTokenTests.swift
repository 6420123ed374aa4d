import FlagDefinitions
import FlagDomain
import FlagHTTP
import FlagProviders
import FlagPublishing
import FlagTesting
import FlagTransport
import Foundation
import TestSupport
import Testing

@testable import FlagFleet
@testable import FlagRemote

@Suite("Tokens of etcd that expire", .timeLimit(.minutes(15)))
struct EtcdTokenTests {
  /// By default, members accept a token for 300 s after its last use.
  @Test("After 300 s without a question a client signs in anew, once, and nothing is lost")
  func expires() async throws {
    let clock = ManualClock()
    let used = Locked<[String: ManualClock.Instant]>([:])
    let etcd = FakeEtcd { _, request in
      guard request.path != "auth/authenticate", let token = request.fields[.authorization] else { return nil }
      let now = clock.now
      let isGood = used.withLock { used in
        guard now <= used[token, default: now].advanced(by: .seconds(300)) else { return false }
        used[token] = now
        return true
      }
      return isGood
        ? nil
        : .answer(
          HTTPResponse(
            .unauthorized, body: Array(#"{"error":"etcdserver: invalid auth token","code":16}"#.utf8)))
    }
    func store() throws -> EtcdDefinitionStore {
      var settings = try EtcdSettings(endpoints: ["https://a", "https://b"], user: "ann", password: "word")
      settings.idleLimit = .seconds(400)
      return EtcdDefinitionStore(
        set: "app", settings: settings, environment: ServiceEnvironment(etcd, clock: clock))
    }
    let (publisher, follower) = (try store(), try store())
    for watch in 0..<2 { _ = await etcd.watch(watch) }
    let received = Watched<[String]>([])
    let subscription = follower.subscribe { update in
      switch update {
      case .success(let definitions): received.change { $0.append(definitions.version.rawValue) }
      case .failure(let error): received.change { $0.append("\(error)") }
      }
    }
    try await RealEtcd.publish(RealEtcd.text(1), to: publisher)
    await received.wait { $0.last == "1" }
    await clock.passPause(of: 2)
    let signedIn = etcd.requests.count { $0.path == "auth/authenticate" }
    clock.advance(by: .seconds(301))
    // Too large to come with its head: the follower has to ask for it.
    let large = RealEtcd.text(2) + [UInt8](repeating: 0x20, count: EtcdSet.smallSize)
    try await RealEtcd.publish(large, to: publisher)
    await received.wait { $0.last == "2" }
    #expect(received.value.suffix(2) == ["1", "2"])
    #expect(etcd.requests.count { $0.path == "auth/authenticate" } == signedIn + 2, "once for each of the two")
    #expect(try await publisher.history(limit: 9).map(\.number) == [2, 1])
    subscription.cancel()
  }

  @Test(
    "A token that a member has forgotten by its time is asked for anew, and nothing is lost", .needs(.etcd),
    .needs(.thoroughRun))
  func expiresAtMember() async throws {
    let options = ["--auth-token-ttl", "1", "--bcrypt-cost", "4"]
    try await RealEtcd.withCluster(EtcdCluster.Program.all.last, members: 1, options: options) { cluster in
      try await cluster.run { try Rights.set(up: $0) }
      let publisher = try cluster.store("app", user: "publisher")
      try await RealEtcd.publish(RealEtcd.text(1), to: publisher)
      let network = FaultyNetwork()
      // It asks every 2.2 s, when its token has been unused for more than the second, and the next look at the tokens.
      let settings = try cluster.settings(user: "server") { $0.idleLimit = .milliseconds(2200) }
      let provider = DefinitionStoreProvider(sets: ["app"], settings: settings) { network.environment }
      await provider.waitForSize(1)
      let states = Watched<Set<ProviderStatus.State>>([])
      let subscription = provider.subscribe { [weak provider] _ in
        if let state = provider?.providerStatus.state { states.change { $0.insert(state) } }
      }
      await network.sent.wait { $0.count { $0 == "auth/authenticate" } >= 2 }
      try await RealEtcd.publish(RealEtcd.text(2), to: publisher)
      await provider.waitForSize(2)
      // Definitions that were read are announced after that.
      await states.wait { !$0.isEmpty }
      #expect(states.value == [.ready], "it is never STALE for it")
      #expect(network.sent.value.count { $0 == "watch" } == 1, "and watches on")
      #expect(try await publisher.history(limit: 9).map(\.number) == [2, 1])
      subscription.cancel()
    }
  }
}
