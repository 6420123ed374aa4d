import FeedFlags
import FlagDomain
import SettingsFlags
import Testing

@Suite("Models")
struct ModelTests {
  @Test(
    "The settings follow their flags",
    arguments: [
      ([:], ["Settings", "Name", "Content for ES", "Content for EN"]),
      (
        ["new-user-profile": true],
        ["Settings", "Photo", "Name", "Badges", "Content for ES", "Content for EN"]
      ),
      (
        ["updated-settings-ui": true],
        ["Settings", "# You", "Name", "# Content", "Content for ES", "Content for EN"]
      ),
      (["settings-content": [String]()], ["Settings", "Name", "No content"]),
      (
        ["new-user-profile": true, "updated-settings-ui": true, "settings-content": ["pt"]],
        ["Settings", "# You", "Photo", "Name", "Badges", "# Content", "Content for PT"]
      ),
    ] as [([FlagKey: any Sendable], [String])])
  func settings(values: [FlagKey: any Sendable], screen: [String]) {
    #expect(SettingsModel(flags: FixedFlags(values: values)).screen == screen)
  }

  @Test(
    "The feed follows its flags",
    arguments: [
      ([:], ["Feed", "a (1)", "b (3)", "c (2)"]),
      (["feed-ranking": Ranking.popular], ["Feed", "b (3)", "c (2)", "a (1)"]),
      (["feed.page-size": 1], ["Feed", "a (1)", "2 more"]),
      (["feed.page-size": -1], ["Feed", "3 more"]),
      (["feed.layout": FeedLayout(columns: 2)], ["Feed", "a (1) | b (3)", "c (2)"]),
      (["feed.layout": FeedLayout(columns: 0, showsLikes: false)], ["Feed", "a", "b", "c"]),
    ] as [([FlagKey: any Sendable], [String])])
  func feed(values: [FlagKey: any Sendable], screen: [String]) {
    let posts = [Post("a", likes: 1), Post("b", likes: 3), Post("c", likes: 2)]
    #expect(FeedModel(posts: posts, flags: FixedFlags(values: values)).screen == screen)
  }

  @Test("Reading the sets is reading their flags")
  func sets() {
    let manager = FixedFlags(values: ["feed.page-size": 3, "settings-content": ["pt"]])
    #expect(FeedFlags(manager).pageSize == 3)
    #expect(FeedFlags(manager).ranking == .chronological)
    #expect(SettingsFlags(manager).enabledCountries == ["pt"])
    #expect(!SettingsFlags(manager).updatedUI)
  }
}
