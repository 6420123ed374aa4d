import FlagComposition
import FlagDomain
import FlagProviders
import TestSupport
import Testing

/// Returns what every way to read a flag gives; more than one value is a disagreement.
func readings<F: FeatureFlag>(of flag: F, in flags: FeatureFlagClient, user: FlagUser? = nil) -> Set<F.Value>
where F.Value: Hashable {
  let (snapshot, request) = (flags.snapshots.snapshot(), flags.manager(for: user))
  let following = flags.followingManager(for: user)
  return [
    flags.manager.variation(for: flag), flags.inspector.resolution(of: flag).value,
    flags.observedManager.variation(for: flag), flags.observedManager.resolution(of: flag).value,
    snapshot.variation(for: flag), snapshot.resolution(of: flag).value,
    request.variation(for: flag), request.resolution(of: flag).value,
    following.variation(for: flag), following.resolution(of: flag).value,
    flags.overrides.overrideState(of: flag).value, BoundFlag(of: flag, in: flags.manager).value,
  ]
}

extension BoundFlag {
  /// Binds a copy of any flag, which makes it another declaration.
  init<F: FeatureFlag>(of flag: F, in manager: any FeatureFlagManager) where F.Value == Value {
    self.init(Flag(flag.key, default: flag.defaultValue, flag.metadata, computed: flag.computed), in: manager)
  }
}

@Suite("Agreement", .computing)
struct AgreementTests {
  @Test(
    "Every way to read a flag says the same, in random compositions, through random changes",
    arguments: 0..<Effort.rounds(10, thorough: 40))
  func agrees(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let providers = (0..<random.next(upTo: 4)).map { InMemoryProvider(name: "provider \($0)") }
    let flags = (0..<12).map { _ in Self.randomFlag(&random, of: providers.map(\.name)) }
    var listed: [FlagKey: Flag<Int>] = [:]
    for flag in flags where random.next(upTo: 2) == 0 { listed[flag.key] = listed[flag.key] ?? flag }
    let style = random.next(upTo: 3) == 0 ? KeyStyle(prefix: "app", separator: "/", transform: .snakeCase) : nil
    let client = try FeatureFlagClient(
      catalogs: [FlagCatalog("random", items: listed.values.map { .flag($0) })],
      configuration: .init {
        $0.keys = style
        $0.launch = random.next(upTo: 3) == 0 ? [LaunchArgumentsProvider(["app", "--agreement.a=5"])] : []
      }
    ) {
      providers
    }
    var user: FlagUser?
    for step in 0..<60 {
      change(client, flags, providers, style, &user, &random)
      for flag in flags {
        let values = readings(of: flag, in: client, user: user)
        #expect(values.count == 1, "step \(step), \(flag.key): \(values)")
      }
    }
  }

  private func change(
    _ client: FeatureFlagClient, _ flags: [Flag<Int>], _ providers: [InMemoryProvider], _ style: KeyStyle?,
    _ user: inout FlagUser?, _ random: inout SeededGenerator
  ) {
    let flag = flags[random.next(upTo: flags.count)]
    let number = random.next(upTo: 100)
    let value: FlagValue = number < 80 ? .int(Int128(number)) : number < 90 ? "wrong" : .null
    do {
      switch random.next(upTo: 7) {
      case 0, 1:
        guard let provider = providers.randomElement(using: &random) else { return }
        provider.write(number == 0 ? nil : value, for: try style?.providerKey(of: flag) ?? flag.key)
      case 2: try client.overrides.setOverride(.int(Int128(number)), of: flag)
      case 3: try client.overrides.clearOverride(of: flag)
      case 4:
        user = number < 30 ? nil : FlagUser(id: "user \(number)")
        client.authenticator.setUser(user)
      case 5: client.setDefault(number, for: flag)
      default: client.context.setAttribute(number, for: "number")
      }
    } catch {
      Issue.record(error)
    }
  }

  private static func randomFlag(_ random: inout SeededGenerator, of providers: [String]) -> Flag<Int> {
    let name = ["a", "b", "c"][random.next(upTo: 3)]
    let excluded = Set(providers.filter { _ in random.next(upTo: 4) == 0 })
    let path: [_FlagPath.Component] = random.next(upTo: 2) == 0 ? ["agreement", .name(name)] : []
    let metadata = FlagMetadata(
      requiresRestart: random.next(upTo: 6) == 0, overridesRequireRestart: random.next(upTo: 6) == 0,
      excludedProviders: excluded, path: path)
    let computed: @Sendable (EvaluationContext) -> Int? = { context in context.user?.id.utf8.count }
    let key: FlagKey = name == "a" ? "agreement.a" : name == "b" ? "agreement.b" : "agreement.c"
    return Flag(key, default: random.next(upTo: 3), metadata, computed: random.next(upTo: 5) == 0 ? computed : nil)
  }
}

extension SeededGenerator {
  fileprivate mutating func next(upTo limit: Int) -> Int { Int(next(upperBound: UInt64(limit))) }
}
