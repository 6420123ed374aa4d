import FeedFlags
import FlagComposition
import FlagDomain
import FlagProviders
import Testing

@Suite("Guide to wrappers")
struct WrappersGuide {
  @Test("What the guide shows holds")
  func holds() throws {
    let vendor = InMemoryProvider(name: "vendor", ["FeedPageSize": 5, "feed-ranking": "popular"])
    let flags = try FeatureFlagClient(catalogs: [FeedFlags.catalog]) {
      vendor
        .renamed(["feed.page-size": "FeedPageSize"])
        .excluding(["feed-ranking"])
    }
    let feed = FeedFlags(flags.manager)
    #expect(feed.pageSize == 5)
    #expect(feed.ranking == .chronological)

    vendor.write(7, for: "FeedPageSize")
    #expect(feed.pageSize == 7)
    try flags.writer.write(9, for: FeedFlags.flags.pageSize)
    #expect(try vendor.snapshot().answer(for: "FeedPageSize", in: EvaluationContext())?.value == 9)
  }
}
