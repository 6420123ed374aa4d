import FeatureFlags
import FeedFlags
import FlagMocks
import FlagServices
import Foundation
import SettingsFlags
import Testing

/// The README's feature module, under a name of its own.
enum Readme {
  enum Ranking: String, Codable, Sendable { case chronological, popular }

  @FlagSet("feed", "The feed.")
  struct FeedFlags {
    @Flag("How many posts a page holds.") var pageSize = 20
    @Flag(key: "feed-ranking", "How posts are ordered.") var ranking: Ranking = .chronological
  }

  struct FeedModel {
    private let flags: FeedFlags
    init(flags manager: any FeatureFlagManager) { flags = FeedFlags(manager) }
    var pageSize: Int { flags.pageSize }
  }
}

struct SignInModel {
  let authenticator: any UserAuthenticator
}

@Suite("README")
struct ReadmeGuide {
  @Test("What the README shows holds")
  func holds() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Examples/QuickStart/flags.json")
    let service = MockLaunchDarkly()
    let flags = try FeatureFlagClient(catalogs: [SettingsFlags.catalog, FeedFlags.catalog]) {
      try InHouseProvider(contentsOf: file)  // asked first
      RemoteProvider(service)  // asked where the first has no value; before it has answered, flags have their defaults
    }
    let feed = FeedModel(flags: flags.manager)  // reads
    let signIn = SignInModel(authenticator: flags.authenticator)  // says who is signed in
    let forThisRequest = flags.manager(for: FlagUser(id: "42", countryCode: "es"))  // servers: one cut a request
    signIn.authenticator.setUser(FlagUser(id: "1", segments: ["beta"]))
    #expect(feed.screen.count > 2)
    #expect(SettingsFlags(forThisRequest).updatedUI)
    #expect(Readme.FeedModel(flags: flags.manager).pageSize == FeedFlags(flags.manager).pageSize)
  }
}
