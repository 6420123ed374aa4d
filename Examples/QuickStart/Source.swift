import FlagDomain
import FlagMocks
import FlagProviders
import Foundation

/// A place that values come from, and how to wait for it.
struct Source {
  var title: String
  var provider: any FlagProvider
  /// Waits until the provider has answers for the current user, or has failed to get them.
  var settle: () async -> Void = {}
}

extension Source {
  static func all(definitions file: URL) throws -> [Source] {
    let inHouse = try InHouseProvider(contentsOf: file)
    let outage = MockNetwork()
    outage.failure = .outage
    return [
      Source(title: "In-house definitions", provider: inHouse),
      Source(title: "LaunchDarkly", remote: launchDarkly),
      Source(title: "Firebase", remote: firebase),
      Source(title: "In-house service", remote: MockInHouseService(serving: inHouse)),
      Source(title: "In-house service, unreachable", remote: MockInHouseService(serving: inHouse, network: outage)),
    ]
  }

  private init(title: String, remote service: some RemoteFlagService) {
    let provider = RemoteProvider(service)
    self.init(title: title, provider: provider) {
      do throws(FlagError) {
        try await provider.waitUntilReady()
      } catch {
        // The table says what failed, flag by flag.
      }
    }
  }

  private static var launchDarkly: MockLaunchDarkly {
    MockLaunchDarkly([
      "new-user-profile": false, "feed.page-size": 3, "feed.layout": ["columns": 2, "showsLikes": true],
    ]) {
      $0?.segments.contains("beta") == true ? ["new-user-profile": true, "feed-ranking": "popular"] : [:]
    }
  }

  private static var firebase: MockFirebaseRemoteConfig {
    MockFirebaseRemoteConfig(defaults: ["feed.page-size": "2"]) { user in
      user?.countryCode == "es"
        ? ["updated-settings-ui": "true", "settings-content": #"["es", "ca"]"#, "feed.page-size": "many"] : [:]
    }
  }
}
