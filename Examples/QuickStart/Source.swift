import FeatureFlags
import FlagGrowthBook
import FlagLaunchDarkly
import FlagMocks
import Foundation

/// A place that values come from.
struct Source {
  var title: String
  var provider: any FlagProvider
  /// Lets the service publish another page size, and returns whether it will arrive.
  var publish: () -> Bool = { false }
  /// The page size that is published.
  static let publishedPageSize = 1
}

extension Source {
  static func all(definitions file: URL) throws -> [Source] {
    let inHouse = try InHouseProvider(contentsOf: file)
    let outage = MockNetwork()
    outage.failure = .outage
    return [
      Source(title: "In-house definitions", provider: inHouse),
      try growthBook(),
      try launchDarkly(),
      Source(title: "Firebase", remote: firebase),
      Source(title: "In-house service", remote: MockInHouseService(serving: inHouse)),
      Source(title: "In-house service, unreachable", remote: MockInHouseService(serving: inHouse, network: outage)),
    ]
  }

  private init(title: String, remote service: some RemoteFlagService) {
    self.init(title: title, provider: RemoteProvider(service))
  }

  private static func growthBook() throws -> Source {
    let service = try VendorService(.growthBook)
    return Source(
      title: "GrowthBook", following: service,
      provider: try GrowthBookProvider(clientKey: "sdk-quick-start", host: service.address)
    ) { service.publish(#""defaultValue": \#(publishedPageSize)"#, insteadOf: #""defaultValue": 3"#) }
  }

  private static func launchDarkly() throws -> Source {
    let service = try VendorService(.launchDarkly)
    return Source(
      title: "LaunchDarkly", following: service,
      provider: try LaunchDarklyProvider(sdkKey: "sdk-quick-start", at: .relay(service.address))
    ) {
      service.publish(
        #""version": 2, "on": true, "variations": [\#(publishedPageSize), 5]"#,
        insteadOf: #""version": 1, "on": true, "variations": [3, 5]"#)
    }
  }

  private init(
    title: String, following service: VendorService, provider: some FlagProvider,
    publish: @escaping () -> Void
  ) {
    self.init(title: title, provider: provider) {
      publish()
      return provider.providerStatus.state == .ready
    }
  }

  private static var firebase: MockFirebaseRemoteConfig {
    MockFirebaseRemoteConfig(defaults: ["feed.page-size": "2"]) { user in
      user?.countryCode == "es"
        ? ["updated-settings-ui": "true", "settings-content": #"["es", "ca"]"#, "feed.page-size": "many"] : [:]
    }
  }
}
