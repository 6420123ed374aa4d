import FlagComposition
import FlagDomain
import FlagMocks
import FlagServices
import FlagTesting
import Testing

enum SettingsFlag {
  static let newUserProfile = Flag("new-user-profile", default: false, "Shows the redesigned profile.")
  static let content = Flag("settings-content", default: ["es", "en"], "Countries with content in settings.")
}

struct SettingsViewModel {
  let flags: any FeatureFlagManager

  func showsContent(for country: String) -> Bool { flags.variation(for: SettingsFlag.content).contains(country) }
}

struct LoginViewModel {
  let authenticator: any UserAuthenticator

  func didSignIn(id: String, country: String) {
    authenticator.setUser(FlagUser(id: id, countryCode: country, segments: ["beta"]))
  }
}

@Suite("Guide from the clean architecture article", .timeLimit(.minutes(15)))
struct FromFeatureFlagManagerGuide {
  @Test("What the guide shows holds")
  func holds() async throws {
    // If other tests keep every thread busy, an answer may arrive after the provider's timeout.
    while true {
      do {
        return try await shows()
      } catch let error as FlagError where error.message.hasPrefix("timeout: no answer within") {
        try Task.checkCancellation()
      }
    }
  }

  private func shows() async throws {
    let launchDarkly = MockLaunchDarkly(["new-user-profile": true])
    let firebase = MockFirebaseRemoteConfig(defaults: ["settings-content": #"["pt"]"#]) { _ in [:] }
    let remote = [RemoteProvider(launchDarkly), RemoteProvider(firebase)]
    let flags = try FeatureFlagClient(catalogs: []) { remote }
    for provider in remote { try await provider.waitUntilReady() }

    let settings = SettingsViewModel(flags: flags.manager)
    let login = LoginViewModel(authenticator: flags.authenticator)
    #expect(settings.showsContent(for: "pt"))
    login.didSignIn(id: "ana", country: "es")
    for provider in remote { try await provider.waitUntilReady() }
    #expect(launchDarkly.identifiedUser?.id == "ana")
  }
}

struct ProfileFlag<Value: Decodable & Sendable>: FeatureFlag {
  let key: FlagKey
  let defaultValue: Value
}

extension FeatureFlag where Self == ProfileFlag<Int> {
  static var badges: Self { Self(key: "profile-badges", defaultValue: 3) }
}

extension FromFeatureFlagManagerGuide {
  @Test("What the guide shows of flags of one's own and of tests holds")
  func ownFlags() throws {
    let flags = try FeatureFlagClient(catalogs: []) {}
    let badges = flags.manager.variation(for: .badges)
    #expect(badges == 3)

    let stub = TestFlags { $0.set(SettingsFlag.content, to: ["fr"]) }
    #expect(SettingsViewModel(flags: stub).showsContent(for: "fr"))
  }
}
