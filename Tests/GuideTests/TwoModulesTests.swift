import FeatureFlags
import Testing

@Suite("Two feature modules")
struct TwoModulesTests {
  @FlagSet("profile", "One module.")
  struct ProfileFlags {
    @Flag("A new look of the profile.") var newLook = false
  }

  @FlagSet("inbox", "Another module.")
  struct InboxFlags {
    @Flag("A new look of the inbox.") var newLook = false
  }

  @Test("A flag of one name in two modules is two flags")
  func separates() throws {
    let provider = InMemoryProvider(["profile.new-look": true])
    let flags = try FeatureFlagClient(catalogs: [ProfileFlags.catalog, InboxFlags.catalog]) { provider }
    #expect(ProfileFlags(flags.manager).newLook)
    #expect(!InboxFlags(flags.manager).newLook)
    try flags.overrides.override(InboxFlags.flags.newLook, with: true)
    provider.write(false, for: "profile.new-look")
    #expect(!ProfileFlags(flags.manager).newLook)
    #expect(InboxFlags(flags.manager).newLook)
  }
}
