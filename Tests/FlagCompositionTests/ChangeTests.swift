import FlagComposition
import FlagDomain
import FlagProviders
import Testing

@Suite("Changes")
struct ChangeTests {
  private let flag = Flag("changing", default: 0, "A number.")

  @Test("Each change says which keys it touched and why")
  func tellsCauses() async throws {
    let provider = InMemoryProvider(name: "memory")
    let flags = try compose { provider }
    var changes = flags.observer.changes().makeAsyncIterator()
    provider.write([flag.key: 1, "other": 2])
    #expect(
      await changes.next() == FlagChange(keys: .some([flag.key.name, "other"]), causes: [.provider("memory")]))
    try flags.overrides.override(flag, with: 3)
    #expect(await changes.next() == FlagChange(keys: .some([flag.key.name]), causes: [.override]))
    try flags.overrides.clearOverrides()
    #expect(await changes.next() == FlagChange(keys: .some([flag.key.name]), causes: [.reset]))
    flags.authenticator.setUser(FlagUser(id: "1"))
    #expect(await changes.next() == FlagChange(keys: .all, causes: [.user]))
    flags.setDefault(4, for: flag)
    #expect(await changes.next() == FlagChange(keys: .some([flag.key.name]), causes: [.defaultValue]))
  }

  @Test("A busy consumer receives several changes as one, of all their keys")
  func coalesces() async throws {
    let provider = InMemoryProvider(name: "memory")
    let flags = try compose { provider }
    var changes = flags.observer.changes().makeAsyncIterator()
    for key in ["a", "b", "c"] as [FlagKey] { provider.write(1, for: key) }
    try flags.overrides.setOverrides(["d": 1])
    #expect(
      await changes.next()
        == FlagChange(keys: .some(["a", "b", "c", "d"]), causes: [.provider("memory"), .override]))
  }

  @Test("The values of a flag start with the current one, and never repeat")
  func streamsValues() async throws {
    let provider = InMemoryProvider([flag.key: 1])
    let flags = try compose { provider }
    var values = flags.observer.values(of: flag).makeAsyncIterator()
    #expect(await values.next() == 1)
    provider.write([flag.key: 1, "other": 5])
    provider.write(9, for: "other")
    flags.authenticator.setUser(FlagUser(id: "1"))
    provider.write(2, for: flag.key)
    #expect(await values.next() == 2)
  }

  @Test("Every subscriber sees every value")
  func servesSeveral() async throws {
    let provider = InMemoryProvider()
    let flags = try compose { provider }
    var first = flags.observer.values(of: flag).makeAsyncIterator()
    var second = flags.observer.values(of: flag).makeAsyncIterator()
    for value in 0...3 {
      provider.write(.int(Int128(value)), for: flag.key)
      #expect(await first.next() == value)
      #expect(await second.next() == value)
    }
  }

  @Test("The stream ends with the task that consumes it")
  func endsWithTask() async throws {
    let flags = try compose {}
    let values = flags.observer.values(of: flag)
    let task = Task { await values.reduce(into: []) { $0.append($1) } }
    task.cancel()
    #expect(await task.value.count <= 1)
  }

  @Test("The stream ends with the composition")
  func endsWithComposition() async throws {
    var flags: FeatureFlagClient? = try compose {}
    var values = try #require(flags).observer.values(of: flag).makeAsyncIterator()
    #expect(await values.next() == 0)
    flags = nil
    #expect(await values.next() == nil)
  }

  @Test("A default can be replaced, read back and restored")
  func replacesDefaults() throws {
    let flags = try compose {}
    flags.setDefault(7, for: flag)
    #expect(flags.manager.variation(for: flag) == 7)
    #expect(flags.defaultValue(of: flag) == 7)
    flags.resetDefault(of: flag)
    #expect(flags.manager.variation(for: flag) == 0)
  }

  @Test("Replacing one flag's default leaves that of an optional flag")
  func keepsOptionalDefaults() throws {
    let flags = try compose {}
    let optional = Flag("optional", default: Int?.some(5), "")
    flags.setDefault(7, for: flag)
    #expect(flags.manager.variation(for: optional) == 5)
    flags.setDefault(nil, for: optional)
    #expect(flags.manager.variation(for: optional) == nil)
  }

  @Test("A flag of a set says the default that counts")
  func tellsReplacedDefaults() throws {
    let flags = try compose {}
    let snapshot = flags.snapshots.snapshot()
    flags.setDefault(42, for: flag)
    #expect(BoundFlag(flag, in: flags.manager).defaultValue == 42)
    #expect(BoundFlag(flag, in: flags.observedManager).defaultValue == 42)
    #expect(BoundFlag(flag, in: flags.manager(for: nil)).defaultValue == 42)
    #expect(BoundFlag(flag, in: snapshot).defaultValue == 0)
  }

  @Test("NaN is reported as a change once, and text in another normal form is reported")
  func comparesExactly() async throws {
    let (number, text) = (Flag("undefined", default: 0.0, ""), Flag("normal-form", default: "", ""))
    let provider = InMemoryProvider()
    let flags = try compose { provider }
    var numbers = flags.observer.values(of: number).makeAsyncIterator()
    var texts = flags.observer.values(of: text).makeAsyncIterator()
    #expect(await numbers.next() == 0)
    provider.write(.double(.nan), for: number.key)
    #expect(await numbers.next()?.isNaN == true)
    provider.write("caf\u{e9}", for: text.key)
    #expect(await texts.next()?.unicodeScalars.count == 4)
    provider.write("cafe\u{301}", for: text.key)
    #expect(await texts.next()?.unicodeScalars.count == 5)
    provider.write(.double(.nan), for: number.key)
    provider.write(1, for: number.key)
    #expect(await numbers.next() == 1)
  }

  @Test("A change that a provider reports under its own name for a flag is a change of that flag")
  func namesChangedFlags() async throws {
    let styled = Flag("feed.page-size", default: 0, FlagMetadata("", path: ["feed", "pageSize"]))
    let provider = InMemoryProvider()
    let flags = try FeatureFlagClient(
      catalogs: [FlagCatalog("feed") { styled }],
      configuration: .init { $0.keys = KeyStyle(separator: "/", transform: .snakeCase) }
    ) {
      provider
    }
    var changes = flags.observer.changes().makeAsyncIterator()
    var values = flags.observer.values(of: styled).makeAsyncIterator()
    #expect(await values.next() == 0)
    provider.write(5, for: "feed/page_size")
    #expect(await changes.next()?.keys == .some(["feed.page-size", "feed/page_size"]))
    #expect(await values.next() == 5)
    provider.write(["feed.page-size": 6, "unknown": 7])
    #expect(await changes.next()?.keys == .some(["unknown"]))
  }
}
