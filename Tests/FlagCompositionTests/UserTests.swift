import FlagComposition
import FlagDomain
import FlagProviders
import Synchronization
import Testing

@Suite("Users")
struct UserTests {
  private let flag = Flag("who", default: "nobody", "Whom the provider sees.")
  private let ann = FlagUser(id: "ann", countryCode: "es")
  private let bob = FlagUser(id: "bob")

  @Test("Signing in and out changes what is read")
  func switches() throws {
    let flags = try compose { PerUserProvider() }
    #expect(flags.manager.variation(for: flag) == "visitor")
    flags.authenticator.setUser(ann)
    #expect(flags.manager.variation(for: flag) == "ann")
    flags.authenticator.setUser(nil)
    #expect(flags.manager.variation(for: flag) == "visitor")
  }

  @Test("Providers receive each user once, in order")
  func fansOut() throws {
    let provider = PerUserProvider()
    let flags = try compose { provider }
    for user in [ann, ann, bob, nil, nil] { flags.authenticator.setUser(user) }
    #expect(provider.users == [nil, ann, bob, nil])
  }

  @Test("A manager for one user reads for that user, whoever is signed in")
  func bindsUsers() throws {
    let flags = try compose { PerUserProvider() }
    flags.authenticator.setUser(ann)
    let request = flags.manager(for: bob)
    #expect(request.variation(for: flag) == "bob")
    #expect(flags.manager.variation(for: flag) == "ann")
    #expect(flags.manager(for: nil).variation(for: flag) == "visitor")
    #expect(request.resolution(of: flag).reason == .targetingMatch)
  }

  @Test("A manager for one user is one cut: no provider, override or attribute changes it")
  func isOneCut() throws {
    let provider = InMemoryProvider(["who": "first"])
    let flags = try compose { provider }
    let request = flags.manager(for: ann)
    provider.write("second", for: "who")
    try flags.overrides.override(flag, with: "third")
    flags.setDefault("fourth", for: flag)
    #expect(request.variation(for: flag) == "first")
    #expect(request.resolution(of: flag).value == "first")
    #expect(request.answers(for: flag).map { try? $0.outcome.get()?.value } == ["first"])
  }

  @Test("A request never sees a value change in its middle, however often a provider changes")
  func isNeverTorn() throws {
    let provider = InMemoryProvider(["left": 0, "right": 0])
    let flags = try compose { provider }
    let (left, right) = (Flag("left", default: 0, ""), Flag("right", default: 0, ""))
    let race = Race()
    let torn = Locked(0)
    onThreads(2) { thread in
      if thread == 1 {
        for number in 1...5_000 { provider.write(["left": .int(Int128(number)), "right": .int(Int128(number))]) }
        race.isDone.store(true, ordering: .releasing)
        return
      }
      repeat {
        let request = flags.manager(for: ann)
        let first = request.variation(for: left)
        if request.variation(for: right) != first || request.resolution(of: left).value != first {
          torn.withLock { $0 += 1 }
        }
      } while !race.isDone.load(ordering: .acquiring)
    }
    #expect(torn.withLock { $0 } == 0)
  }

  @Test("A request asks what would be asked anew at each read once")
  func asksOnce() throws {
    let count = Locked(0)
    let counting: @Sendable () -> Int = {
      count.withLock { count in
        count += 1
        return count
      }
    }
    let computed = Flag("computed", default: 0, "") { _ in counting() }
    let timed = Flag("timed", default: 0, "")
    let flags = try compose {
      StubProvider { key, _ in key == "timed" ? FlagAnswer(.int(Int128(counting())), isTransient: true) : nil }
    }
    for flag in [computed, timed] {
      let request = flags.manager(for: ann)
      let first = request.variation(for: flag)
      #expect(request.variation(for: flag) == first)
      #expect(request.resolution(of: flag).value == first)
      #expect(flags.manager(for: ann).variation(for: flag) > first)
    }
  }

  @Test("A snapshot for a user is what a manager for that user is")
  func snapshotsForUsers() throws {
    let flags = try compose { PerUserProvider() }
    flags.authenticator.setUser(ann)
    let snapshots = flags.snapshots
    #expect(snapshots.snapshot().variation(for: flag) == "ann")
    #expect(snapshots.snapshot(for: bob).resolution(of: flag) == flags.manager(for: bob).resolution(of: flag))
    #expect(snapshots.snapshot(for: nil).variation(for: flag) == "visitor")
  }

  @Test("A following manager for one user follows overrides and providers")
  func followsChanges() throws {
    let provider = InMemoryProvider(["who": "first"])
    let flags = try compose { provider }
    let request = flags.followingManager(for: ann)
    #expect(request.variation(for: flag) == "first")
    provider.write("second", for: "who")
    #expect(request.variation(for: flag) == "second")
    try flags.overrides.override(flag, with: "third")
    #expect(request.variation(for: flag) == "third")
  }

  @Test("Attributes of the surroundings reach the rules")
  func addsAttributes() throws {
    let flags = try FeatureFlagClient(catalogs: [], attributes: ["version": "1.2.3"]) {
      StubProvider { _, context in context["version"].map { FlagAnswer($0) } }
    }
    #expect(flags.manager.variation(for: flag) == "1.2.3")
    #expect(flags.manager(for: ann).variation(for: flag) == "1.2.3")
  }

  @Test("A provider may read flags and sign users in while it is notified of a user")
  func reenters() throws {
    let provider = ReentrantProvider()
    let flags = try compose { provider }
    provider.flags = flags
    flags.authenticator.setUser(ann)
    #expect(flags.manager.variation(for: flag) == "bob")
    #expect(provider.received == [nil, ann, bob])
  }

  private final class ReentrantProvider: FlagProvider, ProviderSnapshot, @unchecked Sendable {
    // Touched by the one thread of one test.
    var flags: FeatureFlagClient?
    var received: [FlagUser?] = []
    let name = "re-entrant"

    func snapshot() -> any ProviderSnapshot { self }
    func answer(for key: FlagKey, in context: EvaluationContext) -> FlagAnswer? {
      FlagAnswer(.string(context.user?.id ?? "visitor"))
    }

    func setContext(_ context: EvaluationContext) {
      let user = context.user
      received.append(user)
      _ = flags?.manager.variation(for: Flag("who", default: "", ""))
      if user?.id == "ann" { flags?.authenticator.setUser(FlagUser(id: "bob")) }
    }
  }
}
