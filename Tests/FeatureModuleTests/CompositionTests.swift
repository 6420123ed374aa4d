import FeatureFlags
import FeedFlags
import FlagTesting
import SettingsFlags
import SignIn
import Testing

@Suite("Feature modules in an app")
struct CompositionTests {
  private let ana = FlagUser(id: "ana", countryCode: "es", segments: ["beta"])

  @Test("Signing in passes the user to the authenticator, and signing out passes none")
  func signsIn() {
    let flags = TestFlags()
    let model = SignInModel(authenticator: flags)
    model.signIn(ana)
    model.signOut()
    #expect(flags.users == [ana, nil])
  }

  @Test("A signed-in user has the flags of their segment")
  func followsUser() throws {
    let flags = try FeatureFlagClient(catalogs: [SettingsFlags.catalog]) {
      ClosureProvider { key, context in
        guard key == SettingsFlags.newUserProfile.key else { return nil }
        return FlagAnswer(.bool(context.user?.segments.contains("beta") == true))
      }
    }
    let (settings, signIn) = (SettingsModel(flags: flags.manager), SignInModel(authenticator: flags.authenticator))
    #expect(!settings.screen.contains("Badges"))
    signIn.signIn(ana)
    #expect(settings.screen.contains("Badges"))
    signIn.signOut()
    #expect(!settings.screen.contains("Badges"))
  }

  @Test("A module does not notice that its values come from another provider")
  func swapsProviders() throws {
    let flags = try FeatureFlagClient(catalogs: [FeedFlags.catalog]) { InMemoryProvider(["feed.page-size": 1]) }
    let feed = FeedModel(flags: flags.manager)
    #expect(feed.screen.last == "4 more")
    try flags.setProviders { InMemoryProvider(["feed.page-size": 2]) }
    #expect(feed.screen.last == "3 more")
  }

  @Test("A debug list shows every flag of every type")
  func listsFlags() throws {
    let flags = try FeatureFlagClient(catalogs: [SettingsFlags.catalog, FeedFlags.catalog]) {
      InMemoryProvider(["feed.page-size": 1, "settings-content": ["pt"]])
    }
    try flags.overrides.override(SettingsFlags.updatedUI, with: true)
    let list = flags.catalogs.flatMap(\.flags).map { flag in
      let resolution = flags.inspector.resolution(of: flag)
      return "\(flag.key) = \(resolution.value), \(resolution.reason), \(resolution.provider ?? "-")"
    }
    #expect(
      list == [
        "new-user-profile = false, DEFAULT, -", "updated-settings-ui = true, OVERRIDE, overrides",
        #"settings-content = ["pt"], STATIC, in memory"#, "feed.page-size = 1, STATIC, in memory",
        "feed-ranking = \"chronological\", DEFAULT, -",
        #"feed.layout = {"columns":1,"showsLikes":true}, DEFAULT, -"#,
      ])
  }
}
