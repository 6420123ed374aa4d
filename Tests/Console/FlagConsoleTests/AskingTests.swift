import FlagComposition
import FlagConsole
import FlagConsoleEditor
import FlagDefinitions
import FlagDomain
import FlagProviders
import Foundation
import Synchronization
import Testing

@Suite("What a console asks before it changes something")
struct AskingTests {
  @Test("Changing a flag that needs a restart asks first, and is applied after a confirmation")
  func asksBeforeRestart() throws {
    let fixture = try ConsoleFixture()
    let console = fixture.console
    let change = ConsoleChange.override(key: "engine", entering: "true")
    let pending = try #require(try console.submit(change))
    #expect(pending.question.title == "Restart required" && pending.question.confirmation == "Continue")
    #expect(pending.question.message == "The change takes effect when the program restarts.")
    #expect(fixture.overrides.stored.isEmpty, "it waits for the answer")
    try console.apply(pending.change)
    #expect(fixture.overrides.stored == ["engine": true] && console.row("engine")?.isWaitingForRestart == true)
    #expect(console.list().restartNotice == "1 flag waits for a restart.")
    // The program runs without it: there is nothing to restart for.
    #expect(try console.submit(.clear(key: "engine")) == nil && fixture.overrides.stored.isEmpty)
    #expect(console.list().restartNotice == nil)
  }

  @Test("Clearing an override that the program runs with is asked about, too")
  func asksBeforeClearing() throws {
    let console = try ConsoleFixture(["engine": true]).console
    #expect(console.question(before: .clear(key: "engine"))?.title == "Restart required")
    #expect(
      console.question(before: .clearAll)?.message.hasPrefix("Clear the override? The change takes effect") == true)
  }

  @Test(
    "Other changes are applied at once",
    arguments: [
      (.override(key: "new-profile", entering: "true"), ["new-profile": true, "feed.page-size": 50]),
      (.clear(key: "feed.page-size"), [:]),
      (.write(key: "feed.page-size", entering: "30", provider: "local"), ["feed.page-size": 50]),
    ] as [(ConsoleChange, [FlagKey: FlagValue])])
  func appliesAtOnce(change: ConsoleChange, stored: [FlagKey: FlagValue]) throws {
    let fixture = try ConsoleFixture(["feed.page-size": 50])
    #expect(try fixture.console.submit(change) == nil)
    #expect(fixture.overrides.stored == stored)
    #expect(fixture.local.values["feed.page-size"] == (change.isWrite ? 30 : 25))
  }

  @Test("An override that is not asked about resolves no flag, and reads what is overridden once")
  func readsOnce() throws {
    let counts = ReadCounts()
    let fixture = try ConsoleFixture(ports: { ports in
      ports.snapshots = CountingSnapshots(ports.snapshots, counts)
      if let overriding = ports.overriding { ports.overriding = CountingOverriding(overriding, counts) }
    })
    #expect(try fixture.console.submit(.override(key: "new-profile", entering: "true")) == nil)
    #expect(counts.all == ["overrides": 1, "setOverride": 1])
    #expect(try fixture.console.submit(.clear(key: "new-profile")) == nil)
    #expect(counts.all == ["overrides": 2, "setOverride": 1, "setOverrides": 1])
    #expect(try fixture.console.submit(.override(key: "engine", entering: "true")) != nil)
    #expect(try fixture.console.submit(.clear(key: "engine")) == nil)
    #expect(counts.all == ["overrides": 3, "setOverride": 1, "setOverrides": 2, "snapshot": 1])
  }

  @Test("A flag that is not overridable says why, and is no part of an import; one that a required flag turns off, too")
  func saysWhatIsNotOverridable() throws {
    let fixed = Flag("fixed", default: 1, FlagMetadata("A number.", isOverridable: false))
    let isOn = Flag("is-on", default: false, "A switch.")
    let other = Flag("other", default: true, FlagMetadata("Another.", requires: isOn.key))
    let flags = try FeatureFlagClient(catalogs: [
      FlagCatalog("flags") {
        fixed; isOn; other
      }
    ]) {}
    let console = try ConsoleModel(
      catalogs: flags.catalogs, ConsoleModel.Ports(snapshots: flags.snapshots, overriding: flags.overrides))
    #expect(console.row("fixed")?.lockReason == "The flag cannot be overridden.")
    #expect(throws: FlagError.self) { try console.override("fixed", with: 2) }
    #expect(console.row("other")?.source == "Required flag" && console.row("other")?.isOn == false)
    #expect(try console.importOverrides(#"{"fixed": 2, "is-on": true}"#) == 1)
    #expect(console.row("other")?.source == "Default" && console.row("other")?.isOn == true)
  }

  @Test("Where overrides are not allowed the console says so, clears those that are stored, and writes to providers")
  func saysWhereOverridesAreNotAllowed() throws {
    let isOn = Flag("is-on", default: false, "A switch.")
    let fixed = Flag("fixed", default: false, FlagMetadata("Another.", isOverridable: false))
    let provider = InMemoryProvider(["is-on": true])
    let store = MemoryStore(["is-on": false, "fixed": true])
    let flags = try FeatureFlagClient(
      catalogs: [
        FlagCatalog("flags") {
          isOn; fixed
        }
      ],
      configuration: .init { configuration in
        configuration.overrides = store
        configuration.overriding = .never
      }
    ) { provider }
    let console = try ConsoleModel(
      catalogs: flags.catalogs,
      ConsoleModel.Ports(snapshots: flags.snapshots, overriding: flags.overrides, writing: flags.writer))
    let row = try #require(console.row("is-on"))
    #expect(row.lockReason == "Overrides are not allowed here, and have no effect." && row.isOn == true)
    #expect(throws: FlagError.self) { try console.override("is-on", with: false) }
    for key in ["is-on", "fixed"] {
      #expect(console.detail(key)?.writableProviders == [provider.name])
      let change = ConsoleChange.write(key: key, entering: "false", provider: provider.name)
      #expect(try console.submit(change) == nil)
      #expect(console.row(key)?.value == false && console.row(key)?.source == provider.name)
      try console.clearOverride(of: key)
    }
    #expect(flags.overrides.overrides == [:])
  }

  @Test("The variant that a user keeps is shown, of a vendor's experiment, too, and assigned anew")
  func assignsAnew() throws {
    let store = InMemoryStickyBuckets()
    let text =
      #"{"flags": {"f": {"state": "ENABLED", "variants": {"a": 1, "b": 2}, "defaultVariant": null, "#
      + #""targeting": {"fractional": [["a", 1]]}, "metadata": {"sticky": true, "experiment": true}}}}"#
    let flag = Flag("f", default: 0, "An experiment.")
    let flags = try FeatureFlagClient(catalogs: [FlagCatalog("flags") { flag }]) {
      try InHouseProvider(data: Data(text.utf8), format: .inHouse(stickyBuckets: store))
    }
    let console = try ConsoleModel(
      catalogs: flags.catalogs,
      ConsoleModel.Ports(snapshots: flags.snapshots, overriding: flags.overrides, stickyBuckets: store))
    #expect(console.detail("f")?.keptVariants == [])
    flags.authenticator.setUser(FlagUser(id: "ann"))
    let (own, vendors) = (
      StickyBucketUnit(attribute: "targetingKey", value: "ann"), StickyBucketUnit(attribute: "id", value: "ann")
    )
    store.save(["f__0": "b", "other__0": "a"], of: own)
    #expect(flags.manager.variation(for: flag) == 2 && console.detail("f")?.keptVariants == ["b"])
    #expect(try console.submit(.assignAnew(key: "f")) == nil)
    #expect(store.assignments == [own: ["other__0": "a"]])
    // A look at the flag assigns the user, as a read does.
    #expect(console.row("f")?.value == 1 && console.detail("f")?.keptVariants == ["a"])
    store.remove(["f__0"], of: own)
    store.save(["new-profile__1": "b"], of: vendors)
    let other = try ConsoleFixture(ports: { $0.stickyBuckets = store }).console
    try other.signIn(FlagUser(id: "ann"))
    #expect(other.detail("new-profile")?.keptVariants == ["b"])
    try other.assignAnew("new-profile")
    #expect(store.assignments(of: vendors) == [:] && other.detail("new-profile")?.keptVariants == [])
    #expect(throws: FlagError.self) { try other.submit(.assignAnew(key: "new-profile")) }
    #expect(try ConsoleFixture().console.detail("new-profile")?.keptVariants == [])
  }

  @Test(
    "What is refused is an error, and no question",
    arguments: [
      .override(key: "engine", entering: "maybe"), .override(key: "locked", entering: "b"), .clear(key: "gone"),
      .override(key: "gone", entering: "1"), .write(key: "feed.page-size", entering: "1", provider: nil),
    ] as [ConsoleChange])
  func refuses(change: ConsoleChange) throws {
    let console = try ConsoleFixture().console
    #expect(console.question(before: change) == nil)
    #expect(throws: FlagError.self) { try console.submit(change) }
  }

  @Test("Clearing all is asked about with the number, and not offered where nothing is overridden or all must stay")
  func asksBeforeClearingAll() throws {
    let fixture = try ConsoleFixture(["new-profile": true, "feed.page-size": 50, "locked": "b"])
    let console = fixture.console
    #expect(console.list().overrides == 3)
    #expect(console.list().clearingQuestion?.message == "Clear all 2 overrides?")
    let pending = try #require(try console.submit(.clearAll))
    try console.apply(pending.change)
    #expect(fixture.overrides.stored == ["locked": "b"] && console.list().clearingQuestion == nil)
    #expect(try ConsoleFixture().console.list().clearingQuestion == nil)
    let readOnly = try ConsoleFixture(["new-profile": true], options: { $0.isReadOnly = true }).console
    #expect(readOnly.list().clearingQuestion == nil)
  }

  @Test("None is entered where the flag can have it, and a provider's value is removed")
  func entersNone() throws {
    let number = Flag("number", default: Int?.some(1), "A number, or none.")
    let choice = Flag("choice", default: Ranking?.some(.popular), "A case, or none.")
    let isOn = Flag("is-on", default: Bool?.some(true), "A switch, or none.")
    let catalog = FlagCatalog("optional", items: [.flag(number), .flag(choice), .flag(isOn)])
    let fixture = try ConsoleFixture(catalogs: [catalog], values: ["number": 7])
    let console = fixture.console
    #expect(console.row("choice")?.control.options == ["chronological", "popular", .null])
    #expect(console.row("is-on")?.control.options == [true, false, .null])
    #expect(console.list().rows.map(\.offersNone) == [true, false, false])
    #expect(try console.submit(.override(key: "number", entering: nil)) == nil)
    #expect(try console.submit(.override(key: "choice", entering: "null")) == nil)
    #expect(console.list().rows.map(\.value) == [.null, .null, true])
    try console.clearOverrides()
    #expect(console.detail("number")?.removableProviders == ["local"])
    #expect(try console.submit(.remove(key: "number", provider: "local")) == nil)
    #expect(console.row("number")?.value == 1 && console.detail("number")?.removableProviders == [])
    let shop = try ConsoleFixture().console
    let error = #expect(throws: FlagError.self) { try shop.submit(.override(key: "feed.page-size", entering: nil)) }
    #expect(error?.code == .typeMismatch)
  }

  @Test(
    "Why a flag stays as it is, is a sentence",
    arguments: [
      ("locked", false, true, "The flag is locked: it can be changed only in code."), ("engine", false, true, nil),
      ("engine", true, true, "This console is read-only."),
      ("engine", false, false, "Overrides are turned off in this console."),
    ])
  func tellsLocks(key: String, isReadOnly: Bool, isOffered: Bool, reason: String?) throws {
    let fixture = try ConsoleFixture(
      ports: { if !isOffered { $0.overriding = nil } }, options: { $0.isReadOnly = isReadOnly })
    #expect(fixture.console.row(key)?.lockReason == reason)
    #expect(fixture.console.row(key)?.isEditable == (reason == nil))
  }

  @Test("Setting and clearing an override is announced, also where the value stays")
  func tellsOverridden() async throws {
    let console = try ConsoleFixture().console
    let (revisions, received) = AsyncStream.makeStream(of: UInt64.self)
    let subscription = console.subscribe { received.yield($0) }
    var iterator = revisions.makeAsyncIterator()
    for isOverridden in [true, false] {
      if isOverridden { try console.override("new-profile", with: false) }
      if !isOverridden { try console.clearOverride(of: "new-profile") }
      _ = await iterator.next()
      let row = try #require(console.row("new-profile"))
      #expect(row.isOverridden == isOverridden && row.value == false)
      #expect(row.tags.contains(.overridden) == isOverridden)
    }
    subscription.cancel()
  }

  @Test("In one move a switch goes to what it is not overridden with, and back to the value without the override")
  func offersActions() throws {
    let console = try ConsoleFixture().console
    func titles(_ key: String) throws -> [String] {
      let row = try #require(console.row(key))
      return [row.defaultAction].compactMap { $0?.title } + row.switchActions.map(\.title)
    }
    #expect(try titles("new-profile") == ["On", "Off (same as now)"])
    try console.override("new-profile", with: true)
    #expect(try titles("new-profile") == ["Default (off)", "Off"])
    try console.override("new-profile", with: false)
    #expect(try titles("new-profile") == ["Default (off)", "On"])
    try console.override("feed.page-size", with: 40)
    #expect(try titles("feed.page-size") == ["Default (25)"] && titles("locked") == [])
    let action = try #require(console.row("new-profile")?.switchActions.first)
    #expect(try console.submit(action.change) == nil && console.row("new-profile")?.value == true)
  }
}

extension ConsoleChange {
  fileprivate var isWrite: Bool { if case .write = self { true } else { false } }
}

/// The number of calls of each port.
private final class ReadCounts: Sendable {
  private let counts = Mutex<[String: Int]>([:])

  var all: [String: Int] { counts.withLock { $0 } }
  func add(_ name: String) { counts.withLock { $0[name, default: 0] += 1 } }
}

private struct CountingSnapshots: FlagSnapshotting {
  private let base: any FlagSnapshotting
  private let counts: ReadCounts

  init(_ base: any FlagSnapshotting, _ counts: ReadCounts) { (self.base, self.counts) = (base, counts) }

  func snapshot() -> any FlagSnapshot {
    counts.add("snapshot")
    return base.snapshot()
  }

  func snapshot(for user: FlagUser?) -> any FlagSnapshot { base.snapshot(for: user) }
  var context: EvaluationContext { base.context }
}

private struct CountingOverriding: FlagOverriding {
  private let base: any FlagOverriding
  private let counts: ReadCounts

  init(_ base: any FlagOverriding, _ counts: ReadCounts) { (self.base, self.counts) = (base, counts) }

  var overrides: [FlagKey: FlagValue] {
    counts.add("overrides")
    return base.overrides
  }

  var keysAwaitingRestart: Set<FlagKey> {
    counts.add("keysAwaitingRestart")
    return base.keysAwaitingRestart
  }

  func setOverride(_ value: FlagValue, of flag: some FeatureFlag) throws(FlagError) {
    counts.add("setOverride")
    try base.setOverride(value, of: flag)
  }

  func setOverrides(_ values: [FlagKey: FlagValue?]) throws(FlagError) {
    counts.add("setOverrides")
    try base.setOverrides(values)
  }

  func clearOverrides() throws(FlagError) { try base.clearOverrides() }

  func overrideState<F: FeatureFlag>(of flag: F) -> OverrideState<F.Value> { base.overrideState(of: flag) }
}
