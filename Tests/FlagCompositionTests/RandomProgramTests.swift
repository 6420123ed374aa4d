import FlagComposition
import FlagDefinitions
import FlagDomain
import FlagGrowthBook
import FlagLaunchDarkly
import FlagProviders
import FlagServices
import TestSupport
import Testing

@Suite("Programs of random users, documents and changes", .computing, .timeLimit(.minutes(30)))
struct RandomProgramTests {
  @Test(
    "Readers, exposures and plain evaluation agree after each change, and no value is another id's",
    arguments: 0..<Effort.rounds(5, thorough: 20, long: 1_000))
  func agrees(seed: Int) async throws {
    var program = try RandomProgram(seed: UInt64(seed))
    for step in 0..<30 {
      let change = try program.change()
      try await program.check("step \(step), \(change)")
    }
  }
}

/// A client, and what it should know.
private struct RandomProgram {
  private var random: SeededGenerator
  private var client: FeatureFlagClient
  private var providers: [DefinitionStoreProvider]
  private let store = RecordingStore()
  private let tracker = GatheringTracker()

  private var context = EvaluationContext()
  private var documents: [any DefinitionDocument] = []
  private var overrides: [FlagKey: String] = [:]
  /// What was there when the client was made, for flags that need a restart.
  private var start: (documents: [any DefinitionDocument], overrides: [FlagKey: String]) = ([], [:])
  private var version = 0

  init(seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    client = try FeatureFlagClient(catalogs: []) {}
    providers = []
    for index in Self.formats.indices { documents.append(try document(index)) }
    try restart()
  }

  private static let formats: [any DefinitionFormat] = [.inHouse, .growthBook, .launchDarkly]
  private static let ids = ["ann", "ben", "cy", "visitor-1", "visitor-2"]
  private static let named: [FlagKey] = ["random.a", "random.b", "random.c", "random.d"]
  private static let shared: [FlagKey] = ["random.share-1", "random.share-2"]
  private static let restarting: [FlagKey] = ["random.restart-1", "random.restart-2", "random.restart-3"]
  /// A flag of a service that knows the current user alone.
  private static let personal = Flag("random.personal", default: "none", FlagMetadata(isExperiment: true))
  private static let personalRestart = Flag(
    "random.personal-restart", default: "none", FlagMetadata(requiresRestart: true))
  /// The flags whose values follow from the context at once.
  private static let flags: [Flag<String>] = experiments + [computed] + restarts
  private static let experiments: [Flag<String>] = (named + shared).map { key in
    Flag(key, default: "none", FlagMetadata(isExperiment: true))
  }
  private static let computed: Flag<String> = Flag("random.computed", default: "none", FlagMetadata(isExperiment: true))
  {
    $0.echo
  }
  private static let restarts: [Flag<String>] = restarting.map { key in
    Flag(key, default: "none", FlagMetadata(requiresRestart: true, isExperiment: true))
  }

  /// A service whose answers say for whom they are.
  private struct EchoService: ContextualFlagService {
    let name = "echo"

    func fetch(in context: EvaluationContext) -> RemoteAnswers {
      RemoteAnswers([
        RandomProgram.personal.key: FlagAnswer(.string(context.echo), isExperiment: true),
        RandomProgram.personalRestart.key: FlagAnswer(.string(context.echo)),
      ])
    }

    func subscribe(_ onUpdate: @escaping @Sendable (RemoteUpdate) -> Void) -> FlagSubscription { FlagSubscription {} }
  }
}

// MARK: Changes

extension RandomProgram {
  /// Changes something, and returns a name of the change.
  mutating func change() throws -> String {
    let flag = Self.flags[random.number(Self.flags.count)]
    switch random.number(11) {
    case 0, 1, 2:
      context.user = user()
      client.authenticator.setUser(context.user)
      return "sign-in"
    case 3:
      context.user = nil
      client.authenticator.setUser(nil)
      return "sign-out"
    case 4, 5:
      let index = random.number(documents.count)
      documents[index] = try document(index)
      providers[index].update(with: documents[index])
      return "update"
    case 6:
      overrides[flag.key] = "override \(random.number(3))"
      try client.overrides.override(flag, with: overrides[flag.key] ?? "")
      return "override"
    case 7:
      overrides[flag.key] = nil
      try client.overrides.clearOverride(of: flag)
      return "no override"
    case 8:
      let (name, value) = attribute()
      context.attributes[name] = value
      client.context.updateAttributes(value.map { [name: $0] } ?? [:], removing: value == nil ? [name] : [])
      return "attribute"
    case 9:
      context.anonymousID = random.pick([nil, "visitor-1", "visitor-2"])
      client.context.setAnonymousID(context.anonymousID)
      return "visitor"
    default:
      try restart()
      return "restart"
    }
  }

  /// Starts a new client, with what was stored.
  private mutating func restart() throws {
    start = (documents, overrides)
    let providers = zip(documents, Self.formats).map { DefinitionStoreProvider($0, name: $1.name) }
    context.user = nil
    client = try FeatureFlagClient(
      catalogs: [FlagCatalog("random", items: (Self.restarts + [Self.personalRestart]).map { .flag($0) })],
      configuration: .init {
        $0.attributes = context.attributes
        $0.overrides = store
        $0.exposures = tracker
      }
    ) {
      providers
      RemoteProvider(EchoService(), policy: RemotePolicy(timeout: .seconds(600)))
    }
    client.context.setAnonymousID(context.anonymousID)
    self.providers = providers
  }

  private mutating func user() -> FlagUser {
    let (country, plan) = (random.pick(["es", "de"]), random.pick(["free", "pro"]))
    let segments = random.number(4) == 0 ? [] : [random.pick(["beta", "staff"]), "all"]
    return FlagUser(
      id: random.pick(Self.ids), countryCode: random.number(4) == 0 ? nil : country, segments: segments,
      attributes: random.number(4) == 0 ? [:] : ["plan": .string(plan), "age": 42],
      contexts: random.number(4) == 0
        ? [:] : ["organization": ["key": "acme", "plan": .string(random.pick(["free", "pro"]))]])
  }

  /// Returns an attribute of the program with a value, or nil to remove it; a user's own may hide it.
  private mutating func attribute() -> (String, FlagValue?) {
    let value = random.pick(["free", "pro", "1", "2"])
    return random.pick([
      ("appVersion", .string(value)), ("appVersion", nil), ("plan", .string(value)), ("plan", nil),
      ("organization", ["key": "own", "plan": .string(value)]), ("organization", nil),
    ])
  }
}

// MARK: Documents

extension RandomProgram {
  private mutating func document(_ index: Int) throws -> any DefinitionDocument {
    version += 1
    var flags: [String: StatedFlag] = [:]
    for key in Self.named + Self.restarting where random.number(3) > 0 { flags[key.name] = flag() }
    for key in Self.shared where random.number(3) > 0 {
      flags[key.name] = StatedFlag([([condition()], "all")], else: "none", shares: ["a", "b", "c \(version)", "d"])
    }
    return try Self.formats[index].document(of: flags)
  }

  /// Returns a flag each of whose values names the id that it is for.
  private mutating func flag() -> StatedFlag {
    var rules: [(conditions: [StatedFlag.Condition], value: String)] = []
    for id in Self.ids {
      let user = StatedFlag.Condition("targetingKey", .string(id))
      rules.append(([user, condition()], "\(id)|yes|\(version)"))
      rules.append(([user], "\(id)|no|\(version)"))
    }
    return StatedFlag(rules, else: "nobody|no|\(version)")
  }

  private mutating func condition() -> StatedFlag.Condition {
    let (path, value) = random.pick([
      ("countryCode", "es"), ("segments", "beta"), ("plan", "pro"), ("organization.plan", "pro"), ("appVersion", "1"),
    ])
    return StatedFlag.Condition(path, .string(value))
  }
}

// MARK: Checks

extension RandomProgram {
  mutating func check(_ change: String) async throws {
    for flag in Self.flags {
      let expected = expectedValue(of: flag, in: context)
      if (Self.named + Self.restarting).contains(flag.key) { expectOwn(expected, in: context, change) }
      // As `flagctl evaluate` has a context.
      let flat = EvaluationContext(attributes: context.values)
      #expect(expectedValue(of: flag, in: flat) == expected, "\(flag.key) at \(change), by attributes alone")
      expect(expected, of: flag, change)
    }
    let other = user()
    let (request, theirs) = (client.manager(for: other), EvaluationContext(other, context))
    for flag in Self.flags {
      let expected = expectedValue(of: flag, in: theirs)
      #expect(request.variation(for: flag) == expected, "\(flag.key) at \(change), for another user")
    }
    for flag in [Self.personal, Self.personalRestart] {
      expectOwn(request.variation(for: flag), in: theirs, change)
      for read in readers(of: flag) { expectOwn(read.value(), in: context, change) }
    }
    _ = tracker.take()
    #expect(await client.refresh() == [:], "\(change)")
    expect(context.echo, of: Self.personal, change)
  }

  /// Expects that every reader gives a flag's value, whoever reads it first, and so do the exposures.
  private mutating func expect(_ expected: String, of flag: Flag<String>, _ change: String) {
    _ = tracker.take()
    for read in readers(of: flag).shuffled(using: &random) {
      #expect(read.value() == expected, "\(flag.key) at \(change), by the \(read.name)")
    }
    let exposures = tracker.take()
    #expect(
      exposures.isEmpty == (context.targetingKey == nil || override(of: flag) != nil), "\(flag.key) at \(change)")
    for exposure in exposures {
      #expect(exposure.flag == flag.key && exposure.unit == context.targetingKey, "\(flag.key) at \(change)")
      #expect(exposure.resolution.value == .string(expected), "\(flag.key) at \(change), by the exposure")
      expectSameFields(exposure.context, context)
    }
  }

  private func readers(of flag: Flag<String>) -> [(name: String, value: () -> String)] {
    let (client, user) = (client, context.user)
    return [
      ("manager", { client.manager.variation(for: flag) }),
      ("snapshot", { client.snapshots.snapshot().variation(for: flag) }),
      ("snapshot's resolution", { client.snapshots.snapshot().resolution(of: flag).value }),
      ("request", { client.manager(for: user).variation(for: flag) }),
      ("request's resolution", { client.manager(for: user).resolution(of: flag).value }),
      ("following manager", { client.followingManager(for: user).variation(for: flag) }),
      ("observed manager", { client.observedManager.variation(for: flag) }),
      ("observed resolution", { client.observedManager.resolution(of: flag).value }),
      ("inspector", { client.inspector.resolution(of: flag).value }),
      ("overrides", { client.overrides.overrideState(of: flag).value }),
    ]
  }

  private func expectedValue(of flag: Flag<String>, in context: EvaluationContext) -> String {
    if let value = override(of: flag) ?? flag.computed?(context) { return value }
    for document in Self.restarting.contains(flag.key) ? start.documents : documents {
      do throws(FlagError) {
        guard let answer = try document.evaluate(flag.key.name, in: context, at: 0) else { continue }
        return answer.value?.text ?? flag.defaultValue
      } catch {
        Issue.record("\(flag.key): \(error)")
      }
    }
    return flag.defaultValue
  }

  /// Returns the override in effect.
  private func override(of flag: Flag<String>) -> String? {
    (Self.restarting.contains(flag.key) ? start.overrides : overrides)[flag.key]
  }

  /// Expects that a value names the id of a context, or is the default.
  private func expectOwn(_ value: String, in context: EvaluationContext, _ change: String) {
    #expect(
      value == "none" || value.hasPrefix("override") || value.hasPrefix("\(context.id)|"),
      "\(value) at \(change), for \(context.id)")
  }
}

extension EvaluationContext {
  fileprivate init(_ user: FlagUser, _ context: EvaluationContext) {
    self = context
    self.user = user
  }

  fileprivate var id: String { targetingKey ?? "nobody" }

  /// The id, and all that rules see.
  fileprivate var echo: String { "\(id)|\(FlagValue.object(values))" }
}

extension SeededGenerator {
  fileprivate mutating func number(_ count: Int) -> Int { Int(next(upperBound: UInt64(count))) }
  fileprivate mutating func pick<Value>(_ values: [Value]) -> Value { values[number(values.count)] }
}
