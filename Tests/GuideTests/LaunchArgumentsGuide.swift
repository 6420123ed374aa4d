import FeedFlags
import FlagComposition
import FlagDomain
import FlagProviders
import Testing

@Suite("Guide to launch arguments and environment")
struct LaunchArgumentsGuide {
  @Test("What the guide shows holds")
  func holds() throws {
    let arguments = ["app", "-verbose", "--feed.page-size", "5"]
    let variables = ["APP_FEED_RANKING": "popular"]

    let flags = try FeatureFlagClient(
      catalogs: [FeedFlags.catalog],
      configuration: .init {
        $0.launch = [LaunchArgumentsProvider(arguments), EnvironmentProvider(prefix: "APP", variables: variables)]
      }
    ) {}
    let feed = FeedFlags(flags.manager)
    #expect(feed.pageSize == 5)
    #expect(feed.ranking == .popular)
  }
}
