import FeedFlags
import FlagComposition
import FlagDomain
import FlagProviders
import SettingsFlags
import Testing

@Suite("Guide to reading flags")
struct ReadingFlagsGuide {
  @Test("What the guide shows holds")
  func holds() throws {
    let provider = InMemoryProvider()
    let flags = try FeatureFlagClient(catalogs: [SettingsFlags.catalog, FeedFlags.catalog]) { provider }
    let feed = FeedFlags(flags.manager)
    #expect(feed.pageSize == 20)
    #expect(flags.manager.variation(for: SettingsFlags.newUserProfile) == false)

    let now = flags.snapshots.snapshot()
    provider.write(5, for: "feed.page-size")
    #expect(FeedFlags(now).pageSize == 20)
    #expect(feed.pageSize == 5)

    let resolution = flags.inspector.resolution(of: feed.$pageSize)
    #expect(resolution.value == 5)
    #expect(resolution.provider == "in memory")
    #expect(resolution.reason == .static)
    #expect(resolution.errors.isEmpty)

    let answers = flags.inspector.answers(for: feed.$pageSize)
    #expect(answers.map(\.provider) == ["in memory"])
  }
}
