import FlagComposition
import FlagDomain
import FlagProviders
import Testing

@Suite("Catalogs that come and go")
struct RegistryTests {
  private let core = Flag("core", default: 1, "Always there.")
  private let extra = Flag("extra", default: 2, "A plug-in's.")
  private let late = Flag("late", default: 2, FlagMetadata("A plug-in's.", requiresRestart: true))

  @Test("What a plug-in registers is listed, reset, written and described as if it had been there from the start")
  func adds() throws {
    let provider = InMemoryProvider(name: "memory", [extra.key: 5, core.key: 6])
    let flags = try FeatureFlagClient(catalogs: [FlagCatalog("app") { core }]) { provider }
    #expect(throws: FlagError.self) { try flags.overrides.setOverrides([extra.key: 7]) }
    try flags.registry.add(FlagCatalog("plug-in") { extra })
    #expect(flags.catalogs.map(\.name) == ["app", "plug-in"])
    #expect(flags.description == "core = 6\nextra = 5")
    try flags.overrides.setOverrides([extra.key: 7])
    #expect(flags.overrideState(forKey: extra.key)?.isOverridden == true)
    try flags.writer.resetAll(in: "memory")
    #expect(flags.manager.variation(for: core) == 1)
    flags.registry.removeCatalog(named: "plug-in")
    #expect(flags.catalogs.map(\.name) == ["app"] && flags.overrideState(forKey: extra.key) == nil)
    // It can still be read, and keeps its override.
    #expect(flags.overrides.overrides == [extra.key: 7])
  }

  @Test("A key that is taken is an error that names both flags, and changes nothing; replacing is asked for by name")
  func refusesDuplicates() throws {
    let flags = try FeatureFlagClient(catalogs: [FlagCatalog("app") { core }]) {}
    let other = FlagCatalog("plug-in") { Flag("core", default: 9, FlagMetadata("Another.", displayName: "Core 2")) }
    let error = #expect(throws: DuplicateFlagKeys.self) { try flags.registry.add(other) }
    #expect(error.map { "\($0)" } == "2 flags share the key core: app > core, plug-in > Core 2")
    #expect(throws: DuplicateFlagKeys.self) { try flags.registry.replace(other) }
    #expect(flags.catalogs.map(\.name) == ["app"])
    try flags.registry.replace(FlagCatalog("app", "Once more.") { core })
    #expect(flags.catalogs.map(\.metadata.description) == ["Once more."])
    let catalog = FlagCatalog("plug-in") { core }
    #expect(throws: DuplicateFlagKeys.self) { try flags.registry.replaceAll(with: [catalog, other]) }
    try flags.registry.replaceAll(with: [catalog])
    #expect(flags.catalogs.map(\.name) == ["plug-in"])
  }

  @Test("Two flags that providers would know by one key are refused, too")
  func refusesSharedNames() throws {
    let (one, two) = (styled("aB"), styled("a_b"))
    let flags = try FeatureFlagClient(
      catalogs: [FlagCatalog("x") { one }], configuration: .init { $0.keys = KeyStyle(transform: .snakeCase) }
    ) {}
    let error = #expect(throws: DuplicateFlagKeys.self) { try flags.registry.add(FlagCatalog("y") { two }) }
    #expect(error.map { "\($0)" } == "2 flags share the key a_b: x > 1 aB, y > 1 a_b")
  }

  @Test("Changes of the catalogs are announced, with the keys that came and went")
  func tells() async throws {
    let flags = try FeatureFlagClient(catalogs: []) {}
    var changes = flags.observer.changes().makeAsyncIterator()
    var values = flags.valueChanges().makeAsyncIterator()
    let count = Locked(0)
    let following = flags.registry.subscribe { count.withLock { $0 += 1 } }
    try flags.registry.add(FlagCatalog("plug-in") { extra })
    #expect(await changes.next() == FlagChange(keys: ChangedKeys([extra.key]), causes: [.catalogs]))
    #expect(await values.next()?.values == [extra.key: 2])
    following.cancel()
    flags.registry.removeCatalog(named: "plug-in")
    #expect(await changes.next() == FlagChange(keys: ChangedKeys([extra.key]), causes: [.catalogs]))
    #expect(count.withLock { $0 } == 1)
  }

  @Test("What waits for a restart is listed for flags that were registered, and for those that were read")
  func listsWaiting() throws {
    let flags = try FeatureFlagClient(catalogs: []) {}
    try flags.registry.add(FlagCatalog("plug-in") { late })
    #expect(flags.manager.variation(for: late) == 2)
    try flags.overrides.override(late, with: 3)
    #expect(flags.overrides.keysAwaitingRestart == [late.key])
  }

  private func styled(_ name: String) -> Flag<Int> {
    Flag(
      FlagKey(stringLiteral: "key-\(name)"), default: 1, FlagMetadata("", displayName: "1 \(name)", path: [.name(name)])
    )
  }
}
