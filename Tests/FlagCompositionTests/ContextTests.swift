import FlagComposition
import FlagDomain
import FlagMocks
import FlagProviders
import FlagServices
import TestSupport
import Testing

@Suite("Context")
struct ContextTests {
  private let flag = Flag("context", default: "none", "")

  private func start(_ ids: AnonymousIDs? = nil, _ reporter: RecordingReporter? = nil) throws -> FeatureFlagClient {
    try FeatureFlagClient(
      catalogs: [],
      configuration: .init {
        $0.anonymousIDs = ids
        $0.reporter = reporter
      }
    ) {
      StubProvider { _, context in (context["consent"] ?? context["targetingKey"]).map { FlagAnswer($0) } }
    }
  }

  @Test("Attributes can be changed while the program runs: a change like any other")
  func changesAttributes() async throws {
    let flags = try start()
    var changes = flags.observer.changes().makeAsyncIterator()
    #expect(readings(of: flag, in: flags) == ["none"])
    flags.context.setAttribute("given", for: "consent")
    #expect(await changes.next() == FlagChange(keys: .all, causes: [.context]))
    #expect(readings(of: flag, in: flags) == ["given"])
    flags.context.setAttribute("given", for: "consent")
    flags.context.removeAttribute("consent")
    #expect(flags.context.attributes == [:])
    #expect(readings(of: flag, in: flags) == ["none"])
  }

  @Test("An attribute in another normal form is another attribute")
  func comparesCodePoints() throws {
    let flags = try start()
    flags.context.setAttribute("jos\u{e9}", for: "consent")
    flags.context.setAttribute("jose\u{301}", for: "consent")
    #expect(Array(flags.manager.variation(for: flag).unicodeScalars).count == 5)
  }

  @Test("A provider of a service receives an attribute whose name is only in another normal form")
  func passesCodePoints() throws {
    let provider = RemoteProvider(MockLaunchDarkly([:]))
    let flags = try FeatureFlagClient(catalogs: []) { provider }
    flags.context.setAttribute("given", for: "jos\u{e9}")
    flags.context.setAttribute("given", for: "jose\u{301}")
    #expect(flags.context.attributes.keys.map(\.unicodeScalars.count) == [5])
    #expect(provider.attributes.keys.map(\.unicodeScalars.count) == [5])
  }

  @Test("Attributes of a user and of a client are plain values")
  func takesPlainValues() throws {
    let (plan, age, beta, tags) = ("pro", 42, true, ["a", "b"])
    let user = FlagUser(id: "1", attributes: ["plan": plan, "age": age, "beta": beta, "tags": tags, "none": Int?.none])
    #expect(user.attributes == ["plan": "pro", "age": 42, "beta": true, "tags": ["a", "b"], "none": .null])
    #expect(
      FlagUser(id: "1", attributes: ["device": ["os": "iOS", "major": 26]]).attributes["device"]?.typeName == "object")
    let flags = try FeatureFlagClient(catalogs: [], attributes: ["plan": plan, "age": age]) {}
    #expect(flags.context.attributes == ["plan": "pro", "age": 42])
  }

  @Test("A visitor has an anonymous id, made once and kept in the app's store, and nobody who is signed in has it")
  func identifiesVisitors() throws {
    let store = IDStore()
    let count = Locked(0)
    let ids = AnonymousIDs(in: store) {
      count.withLock { count in
        count += 1
        return "visitor \(count)"
      }
    }
    let flags = try start(ids)
    #expect(readings(of: flag, in: flags) == ["visitor 1"])
    #expect(try readings(of: flag, in: start(ids)) == ["visitor 1"])
    #expect(store.id.withLock { $0 } == "visitor 1")
    let ann = FlagUser(id: "ann")
    flags.authenticator.setUser(ann)
    #expect(readings(of: flag, in: flags, user: ann) == ["ann"])
  }

  @Test("Without ids a visitor has none; they can be given and taken later, as consent is")
  func makesItsUseAChoice() throws {
    let flags = try start()
    let ids = AnonymousIDs(in: IDStore()) { "later" }
    #expect(readings(of: flag, in: flags) == ["none"])
    flags.context.setAnonymousID(try ids.id())
    #expect(readings(of: flag, in: flags) == ["later"])
    try ids.forget()
    flags.context.setAnonymousID(nil)
    #expect(readings(of: flag, in: flags) == ["none"])
  }

  @Test("An id that cannot be kept is reported, and not used")
  func reportsStore() throws {
    let reporter = RecordingReporter()
    let flags = try start(AnonymousIDs(in: IDStore(failing: FlagError(.general, "disk full"))), reporter)
    #expect(reporter.errors == [FlagError(.general, "disk full")])
    #expect(readings(of: flag, in: flags) == ["none"])
  }

  @Test("Ids made at random are 32 hexadecimal digits, and differ")
  func makesIDs() {
    let ids = (0..<100).map { _ in AnonymousIDs.randomID() }
    #expect(Set(ids).count == 100)
    #expect(ids.allSatisfy { $0.count == 32 && $0.allSatisfy(\.isHexDigit) })
  }

  @Test("A visitor without an id has a rollout's default variant with the reason DEFAULT, and nothing is reported")
  func servesVisitorsWithoutID() throws {
    let reporter = RecordingReporter()
    let flags = try compose(reporter: reporter) {
      StubProvider { _, context in
        FlagAnswer("default variant", reason: .default, isMissingTargetingKey: context.targetingKey == nil)
      }
    }
    let resolution = flags.inspector.resolution(of: flag)
    #expect(resolution == FlagResolution("default variant", reason: .default, provider: "stub"))
    #expect(reporter.errors == [])
  }

  @Test("A provider of a service receives every field of a context, when it changes and when it is added")
  func passesEveryField() throws {
    let (provider, later) = (ContextProvider(), ContextProvider())
    let ids = AnonymousIDs(in: IDStore()) { "visitor" }
    let flags = try FeatureFlagClient(
      catalogs: [],
      configuration: .init {
        $0.anonymousIDs = ids
        $0.attributes = ["version": 7]
      }
    ) { provider }
    flags.context.updateAttributes(["consent": true, "version": 8], removing: [])
    flags.context.removeAttribute("version")
    flags.context.removeAttribute("version")
    flags.context.setAnonymousID("other")
    flags.authenticator.setUser(FlagUser(id: "ann"))
    let last = EvaluationContext(user: FlagUser(id: "ann"), attributes: ["consent": true], anonymousID: "other")
    #expect(
      provider.contexts == [
        EvaluationContext(attributes: ["version": 7], anonymousID: "visitor"),
        EvaluationContext(attributes: ["consent": true, "version": 8], anonymousID: "visitor"),
        EvaluationContext(attributes: ["consent": true], anonymousID: "visitor"),
        EvaluationContext(attributes: ["consent": true], anonymousID: "other"), last,
      ], "each change is passed on once")
    try flags.setProviders { later.prefixed(with: "app").readOnly() }
    #expect(later.contexts == [last])
  }

  @Test("The visitor's id stays while users sign in and out, and rules see it as an attribute, until it is set anew")
  func keepsVisitor() throws {
    let ids = AnonymousIDs(in: IDStore()) { "v1" }
    let visitor = Flag("visitor", default: "none", "The visitor, as rules see it.")
    let flags = try FeatureFlagClient(catalogs: [], configuration: .init { $0.anonymousIDs = ids }) {
      StubProvider { _, context in context["visitorID"].map { FlagAnswer($0) } }
    }
    for user in [nil, FlagUser(id: "ann"), nil, FlagUser(id: "ben")] {
      flags.authenticator.setUser(user)
      #expect(readings(of: visitor, in: flags) == ["v1"])
    }
    flags.context.setAnonymousID("v2")
    #expect(readings(of: visitor, in: flags) == ["v2"])
    flags.context.setAnonymousID(nil)
    #expect(readings(of: visitor, in: flags) == ["none"])
  }

  @Test("An attribute named visitorID is the visitor's id of a request, whose cookie a server knows")
  func takesVisitor() {
    let own = FlagUser(id: "ann", attributes: ["visitorID": "cookie"])
    for context in [
      EvaluationContext(user: own, anonymousID: "v"), EvaluationContext(attributes: ["visitorID": "cookie"]),
      EvaluationContext(user: FlagUser(id: "ann"), attributes: ["visitorID": "cookie"], anonymousID: "v"),
    ] {
      #expect(context["visitorID"] == "cookie" && context.values["visitorID"] == "cookie")
    }
    let visitor = EvaluationContext(anonymousID: "v")
    #expect(visitor.values == ["targetingKey": "v", "visitorID": "v"] && visitor["visitorID"] == "v")
    let user = EvaluationContext(user: FlagUser(id: "ann"), anonymousID: "v")
    #expect(user.values == ["targetingKey": "ann", "segments": [], "visitorID": "v"] && user["visitorID"] == "v")
  }

  @Test("Users whose ids differ in the normal form of a letter are two users")
  func tellsUsersApart() throws {
    let provider = PerUserProvider()
    let flags = try compose { provider }
    let (first, second) = (FlagUser(id: "jos\u{e9}"), FlagUser(id: "jose\u{301}"))
    flags.authenticator.setUser(first)
    #expect(flags.manager.variation(for: flag).unicodeScalars.count == 4)
    flags.authenticator.setUser(second)
    #expect(flags.manager.variation(for: flag).unicodeScalars.count == 5)
    #expect(provider.users.count == 3)
  }

  private final class IDStore: AnonymousIDStore {
    let id = Locked<String?>(nil)
    let error: FlagError?

    init(failing error: FlagError? = nil) { self.error = error }

    func load() -> String? { id.withLock { $0 } }
    func store(_ id: String?) throws(FlagError) {
      if let error { throw error }
      self.id.withLock { $0 = id }
    }
  }

  /// A provider that records the contexts that a service would be asked for.
  private final class ContextProvider: FlagProvider, ProviderSnapshot {
    let name = "service"
    private let received = Locked<[EvaluationContext]>([])
    var contexts: [EvaluationContext] { received.withLock { $0 } }

    func snapshot() -> any ProviderSnapshot { self }
    func answer(for key: FlagKey, in context: EvaluationContext) -> FlagAnswer? { nil }
    func setContext(_ context: EvaluationContext) { received.withLock { $0.append(context) } }
  }
}
