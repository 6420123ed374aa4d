import FlagComposition
import FlagDomain
import FlagProviders
import Testing

@Suite("A set as a stream")
struct SetValuesTests {
  @Test("The set comes as it is first, then once for each change of one of its flags, as of one moment")
  func streams() async throws {
    let provider = InMemoryProvider()
    let flags = try compose { provider }
    var sets = flags.values(of: FeedFlags.self).makeAsyncIterator()
    let first = try #require(await sets.next())
    #expect(first.line == "20 light")
    provider.write([FeedFlags.pageSize.key: 30, FeedFlags.theme.key: "dark"])
    #expect(await sets.next()?.line == "30 dark")
    // Values that were delivered do not change.
    #expect(first.line == "20 light")
    // It ignores other flags, and changes to an equal value.
    provider.write(["other": 1, FeedFlags.pageSize.key: 30])
    flags.authenticator.setUser(FlagUser(id: "1"))
    try flags.overrides.override(FeedFlags.theme, with: "blue")
    #expect(await sets.next()?.line == "30 blue")
  }

  @Test("A busy consumer may miss sets, but never the newest")
  func endsOnNewest() async throws {
    let provider = InMemoryProvider()
    let flags = try compose { provider }
    var sets = flags.values(of: FeedFlags.self).makeAsyncIterator()
    #expect(await sets.next()?.line == "20 light")
    for size in 1...5 { provider.write(.int(Int128(size)), for: FeedFlags.pageSize.key) }
    #expect(await sets.next()?.line == "5 light")
  }

  @Test("A change that came before the first set is in it; the current set can be read at once")
  func startsNow() async throws {
    let provider = InMemoryProvider()
    let flags = try compose { provider }
    let values = FeedFlags.values(in: flags.snapshots, following: flags.observer)
    provider.write(30, for: FeedFlags.pageSize.key)
    let (now, later) = try #require(values.startingNow())
    #expect(now.line == "30 light")
    var sets = later.makeAsyncIterator()
    provider.write(40, for: FeedFlags.pageSize.key)
    #expect(await sets.next()?.line == "40 light")
    let (size, sizes) = try #require(flags.observer.values(of: FeedFlags.pageSize).startingNow())
    #expect(size == 40)
    var iterator = sizes.makeAsyncIterator()
    provider.write(41, for: FeedFlags.pageSize.key)
    #expect(await iterator.next() == 41)
  }

  @Test("A set that is a group of another one is followed at its place")
  func followsGroups() async throws {
    let provider = InMemoryProvider()
    let flags = try compose { provider }
    let place = NestedFlags.Flags(at: _FlagPath("app").group("nested"))
    var sets = NestedFlags.values(at: place, in: flags.snapshots, following: flags.observer).makeAsyncIterator()
    #expect(await sets.next()?.isOn == false)
    provider.write(["nested.is-on": true])
    provider.write(["app.nested.is-on": true])
    #expect(await sets.next()?.isOn == true)
  }

  @Test("The stream ends with the composition, and counts nobody as having seen a flag")
  func ends() async throws {
    let tracker = CountingTracker()
    var flags: FeatureFlagClient? = try FeatureFlagClient(catalogs: [CountedFlags.catalog], exposures: tracker) {}
    try #require(flags).authenticator.setUser(FlagUser(id: "1"))
    var sets = try #require(flags).values(of: CountedFlags.self).makeAsyncIterator()
    let first = try #require(await sets.next())
    #expect(tracker.count.withLock { $0 } == 0)
    #expect(first.size == 1 && tracker.count.withLock { $0 } == 1)
    flags = nil
    #expect(await sets.next() == nil)
  }
}

/// Counts what users have seen.
private final class CountingTracker: ExposureTracker {
  let count = Locked(0)
  let now: Int64 = 0
  func track(_ exposures: [Exposure]) { count.withLock { $0 += exposures.count } }
  func subscribe(_ onExpiry: @escaping @Sendable () -> Void) -> FlagSubscription { FlagSubscription {} }
}

/// A set of an experiment.
private struct CountedFlags: FlagSet {
  static let experiment = Flag("set.experiment", default: 1, FlagMetadata("Counted.", isExperiment: true))
  static let catalog = FlagCatalog("counted") { experiment }

  private let manager: any FeatureFlagManager
  init(_ manager: any FeatureFlagManager) { self.manager = manager }

  var size: Int { manager.variation(for: Self.experiment) }
}

/// A set by hand.
private struct FeedFlags: FlagSet {
  static let pageSize = Flag("set.page-size", default: 20, "Posts on a page.")
  static let theme = Flag("set.theme", default: "light", "Colours.")
  static let catalog = FlagCatalog("feed", "The feed.") {
    pageSize
    FlagCatalog("looks") { theme }
  }

  private let manager: any FeatureFlagManager
  init(_ manager: any FeatureFlagManager) { self.manager = manager }

  var line: String { "\(manager.variation(for: Self.pageSize)) \(manager.variation(for: Self.theme))" }
}

/// A set by hand that can be a group.
private struct NestedFlags: NestableFlagSet {
  final class Flags: _PlacedFlags {
    let isOn: Flag<Bool>
    let flagCatalog: FlagCatalog

    init(at path: _FlagPath) {
      isOn = path.flag("isOn", default: false, "A switch.")
      flagCatalog = path.catalog("Nested.", [.flag(isOn)])
    }
  }

  static let flags = Flags(at: _FlagPath("nested"))
  private let manager: any FeatureFlagManager
  private let flags: Flags

  init(_ manager: any FeatureFlagManager, flags: Flags) {
    self.manager = manager
    self.flags = flags
  }

  var isOn: Bool { manager.variation(for: flags.isOn) }
}
