import FlagComposition
import FlagDomain
import FlagMacros
import FlagProviders
import FlagTesting
import Foundation
import Testing

@FlagSet("home", "The home screen.")
struct HomeFlags {
  @Flag(key: "promo", "Shows the promotion.") var showsPromotion = false
  @Flag("What the title says.") var title = ""
  @Flag("The colours.") var theme: Theme = .light
  @FlagGroup("The banner.") var banner: BannerFlags
}

@FlagSet("banner", "A banner.")
struct BannerFlags {
  @Flag("The text.") var text = "Welcome"
  @Flag("How many seconds it stays.") var seconds = 5
}

enum Theme: String, CaseIterable, Codable { case light, dark }

@Suite("Guide from ToggleUI")
struct FromToggleUIGuide {
  @Test("What the guide shows holds")
  func holds() async throws {
    let json = Data(#"{"config": {"promo": true, "home": {"banner": {"text": "Hello", "seconds": 9}}}}"#.utf8)
    let payload = try PayloadProvider(json: json, at: "config")
    let flags = try FeatureFlagClient(catalogs: [HomeFlags.catalog]) { payload }
    let home = HomeFlags(flags.manager)
    #expect(home.showsPromotion)
    #expect(home.banner.text == "Hello")

    try payload.update(json: Data(#"{"config": {"home": {"theme": "pink"}}}"#.utf8))
    #expect(home.theme == .light)
    #expect(flags.inspector.resolution(of: home.$theme).error?.code == .typeMismatch)

    try payload.update(json: json)

    try flags.overrides.override(home.banner.$seconds, with: 1)
    #expect(home.banner.seconds == 1)
    #expect(home.banner.text == "Hello")

    var themes = flags.observer.values(of: home.$theme).makeAsyncIterator()
    #expect(await themes.next() == .light)
    try payload.update(json: Data(#"{"config": {"home": {"theme": "dark"}}}"#.utf8))
    #expect(await themes.next() == .dark)

    #expect(try home.$theme.choices == ["light", "dark"])
    flags.setDefault("Home", for: home.$title)
    #expect(home.title == "Home")

    let snapshot = HomeFlags(flags.snapshots.snapshot())
    try payload.update(json: Data(#"{"config": {"promo": true}}"#.utf8))
    #expect((snapshot.showsPromotion, home.showsPromotion) == (false, true))

    let rows: FlagValue = ["rows": [["name": "a"], ["name": "b"]]]
    #expect(rows["rows.1.name"] == "b")

    let stub = TestFlags { $0.set(HomeFlags.flags.theme, to: .dark) }
    #expect(HomeFlags(stub).theme == .dark)
  }
}
