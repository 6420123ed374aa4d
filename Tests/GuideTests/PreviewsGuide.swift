import FeedFlags
import FlagComposition
import FlagDomain
import FlagProviders
import Testing

@Suite("Guide to previews and dependency injection")
struct PreviewsGuide {
  @Test("A preview shows what it was given")
  func previews() {
    let preview = FeedModel(flags: FixedFlags { $0.set(FeedFlags.flags.pageSize, to: 2) })
    #expect(preview.screen.last == "3 more")
  }

  struct Dependencies {
    let flags: any FeatureFlagManager
    let authenticator: any UserAuthenticator
  }

  @Test("A module is handed ports")
  func injects() throws {
    let client = try FeatureFlagClient(catalogs: [FeedFlags.catalog]) { InMemoryProvider() }
    let live = Dependencies(flags: client.manager, authenticator: client.authenticator)
    #expect(FeedModel(flags: live.flags).screen.count > 2)
  }
}
