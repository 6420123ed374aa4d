import FeedFlags
import FlagComposition
import FlagDomain
import FlagProviders
import Observation
import SettingsFlags
import Synchronization
import Testing

@Suite("Guide to observing")
struct ObservingGuide {
  @Test("What the guide shows holds")
  func holds() async throws {
    let provider = InMemoryProvider()
    let flags = try FeatureFlagClient(catalogs: [SettingsFlags.catalog, FeedFlags.catalog]) { provider }

    var sizes = flags.observer.values(of: FeedFlags.flags.pageSize).makeAsyncIterator()
    #expect(await sizes.next() == 20)
    provider.write(5, for: "feed.page-size")
    #expect(await sizes.next() == 5)

    var changes = flags.observer.changes().makeAsyncIterator()
    provider.write(6, for: "feed.page-size")
    try flags.overrides.override(SettingsFlags.updatedUI, with: true)
    let change = try #require(await changes.next())
    #expect(change.keys == .some(["feed.page-size", "updated-settings-ui"]))
    #expect(change.causes == [.provider("in memory"), .override])

    var valueChanges = flags.valueChanges().makeAsyncIterator()
    try flags.overrides.override(FeedFlags.flags.pageSize, with: 8)
    #expect(await valueChanges.next()?.values == ["feed.page-size": 8])
    try flags.overrides.clearOverride(of: FeedFlags.flags.pageSize)

    let feed = FeedModel(flags: flags.observedManager)
    let redraws = Mutex(0)
    withObservationTracking {
      _ = feed.screen
    } onChange: {
      redraws.withLock { $0 += 1 }
    }
    provider.write(7, for: "feed.page-size")
    #expect(redraws.withLock { $0 } == 1)
  }
}
