import FlagComposition
import FlagDomain
import FlagMacros
import FlagProviders
import FlagTesting
import FlagUserDefaults
import Foundation
import Testing

@FlagSet("app", "What the app can switch.")
struct AppFlags {
  @Flag(key: "NewProfile", "Shows the redesigned profile.") var newProfile = false
  @Flag(key: "DarkMode", "Offers a dark theme.") var darkMode = true
}

@Suite("Guide from the macro feature set")
struct FromMacroFeatureSetGuide {
  @Test("What the guide shows holds")
  func holds() async throws {
    let suite = "macro-guide-\(UUID().uuidString)"
    let received = InMemoryProvider(name: "API")
    let flags = try FeatureFlagClient(catalogs: [AppFlags.catalog], overrides: UserDefaultsOverrideStore(suite: suite))
    {
      received
    }
    let app = AppFlags(flags.manager)

    let payload = ["NewProfile": true, "Retired": false]
    let unknown = try AppFlags.catalog.update(received, with: payload.mapValues(FlagValue.bool))
    #expect(app.newProfile)
    #expect(unknown == ["Retired": false])

    try flags.overrides.override(app.$newProfile, with: false)
    #expect("\(flags.overrides.overrideState(of: app.$newProfile))" == "overridden off")

    try AppFlags.catalog.update(received, with: ["NewProfile": true])
    #expect(app.newProfile == false)

    try flags.overrides.clearOverride(of: app.$newProfile)
    #expect(app.newProfile)

    var modes = flags.observer.values(of: app.$darkMode).makeAsyncIterator()
    #expect(await modes.next() == true)
    try flags.overrides.override(app.$darkMode, with: false)
    #expect(await modes.next() == false)

    let found = AppFlags.allFlags.filter { "\($0.key)".localizedCaseInsensitiveContains("dark") }
    #expect(found.map(\.metadata.displayName) == ["Dark Mode"])

    try flags.overrides.clearOverrides()
  }
}
