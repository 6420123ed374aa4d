import FlagComposition
import FlagDomain
import FlagProviders
import Testing

@Suite("Users")
struct UserTests {
  private let flag = Flag("who", default: "nobody", "Whom the provider sees.")
  private let ann = User(id: "ann", countryCode: "es")
  private let bob = User(id: "bob")

  @Test("Signing in and out changes what is read")
  func switches() throws {
    let flags = try compose { PerUserProvider() }
    #expect(flags.manager.variation(for: flag) == "visitor")
    flags.authenticator.setUser(ann)
    #expect(flags.manager.variation(for: flag) == "ann")
    flags.authenticator.setUser(nil)
    #expect(flags.manager.variation(for: flag) == "visitor")
  }

  @Test("Providers that ask for it hear of each user once, in order")
  func fansOut() throws {
    let provider = PerUserProvider()
    let flags = try compose { provider }
    for user in [ann, ann, bob, nil, nil] { flags.authenticator.setUser(user) }
    #expect(provider.users == [ann, bob, nil])
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

  @Test("A manager for one user follows overrides and providers")
  func followsChanges() throws {
    let provider = InMemoryProvider(["who": "first"])
    let flags = try compose { provider }
    let request = flags.manager(for: ann)
    #expect(request.variation(for: flag) == "first")
    provider.write("second", for: "who")
    #expect(request.variation(for: flag) == "second")
    try flags.overrides.override(flag, with: "third")
    #expect(request.variation(for: flag) == "third")
  }

  @Test("Attributes of the surroundings reach the rules")
  func addsAttributes() throws {
    let flags = try FlagComposition(catalogs: [], attributes: ["version": "1.2.3"]) {
      StubProvider { _, context in context["version"].map { FlagAnswer($0) } }
    }
    #expect(flags.manager.variation(for: flag) == "1.2.3")
    #expect(flags.manager(for: ann).variation(for: flag) == "1.2.3")
  }

  @Test("A provider may read flags, and sign others in, while it hears of a user")
  func reenters() throws {
    let provider = ReentrantProvider()
    let flags = try compose { provider }
    provider.flags = flags
    flags.authenticator.setUser(ann)
    #expect(flags.manager.variation(for: flag) == "bob")
    #expect(provider.heard == [ann, bob])
  }

  private final class ReentrantProvider: FlagProvider, ProviderSnapshot, UserAuthenticator, @unchecked Sendable {
    // Touched by the one thread of one test.
    var flags: FlagComposition?
    var heard: [User?] = []
    let name = "re-entrant"

    func snapshot() -> any ProviderSnapshot { self }
    func answer(for key: FlagKey, in context: EvaluationContext) -> FlagAnswer? {
      FlagAnswer(.string(context.user?.id ?? "visitor"))
    }

    func setUser(_ user: User?) {
      heard.append(user)
      _ = flags?.manager.variation(for: Flag("who", default: "", ""))
      if user?.id == "ann" { flags?.authenticator.setUser(User(id: "bob")) }
    }
  }
}
