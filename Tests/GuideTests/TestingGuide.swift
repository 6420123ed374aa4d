import FeedFlags
import FlagDomain
import FlagTesting
import SettingsFlags
import Testing

@Suite("Guide to testing")
struct TestingGuide {
  @Test("A model reads what a test sets")
  func readsStubs() {
    let manager = TestFlags { $0.set(FeedFlags.flags.pageSize, to: 2) }
    let model = FeedModel(flags: manager)
    #expect(model.screen.last == "3 more")
    #expect(manager.reads.contains("feed.page-size"))
  }

  @Test("The screen has a title", arguments: SettingsFlags.newUserProfile.cases)
  func hasTitle(flag: FlagCase<Bool>) {
    #expect(SettingsModel(flags: TestFlags { flag.set(in: $0) }).screen.first == "Settings")
  }

  @Test("The profile has badges", .flags { $0.set(SettingsFlags.newUserProfile, to: true) })
  func hasBadges() {
    let model = SettingsModel(flags: ScopedFlags())
    #expect(model.screen.contains("Badges"))
    withFlags {
      $0.set(SettingsFlags.newUserProfile, to: false)
    } run: {
      #expect(!model.screen.contains("Badges"))
    }
    #expect(model.screen.contains("Badges"))
  }
}
