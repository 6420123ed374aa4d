import FlagComposition
import FlagDomain
import FlagProviders
import Foundation
import Testing

@Suite("Keys of providers")
struct ProviderKeyTests {
  private let style = KeyStyle(prefix: "app", separator: "/", transform: .snakeCase)
  private let pageSize = _FlagPath("feed").flag("pageSize", default: 20, "")

  @Test("A set's payload is written under the keys of the composition's style")
  func updatesInStyle() throws {
    let provider = InMemoryProvider()
    let flags = try FeatureFlagClient(catalogs: [Feed.catalog], configuration: .init { $0.keys = style }) { provider }
    let unknown = try Feed.catalog.update(provider, with: ["app/feed/page_size": 5, "other": 1], keys: style)
    #expect(unknown == ["other": 1])
    #expect(flags.manager.variation(for: Feed.pageSize) == 5)
  }

  @Test("Two flags that fall onto one key of the providers make no composition")
  func refusesSharedKeys() {
    let catalog = FlagCatalog("feed") {
      pageSize; Flag("app/feed/page_size", default: 1, "")
    }
    #expect(
      throws: FeatureFlagClientError.sharedProviderKey(
        "app/feed/page_size", flags: ["app/feed/page_size", "feed.page-size"])
    ) {
      try FeatureFlagClient(catalogs: [catalog], configuration: .init { $0.keys = style }) {}
    }
  }

  @Test("A style that makes keys that are none makes no composition")
  func refusesInvalidStyles() {
    let error = #expect(throws: FeatureFlagClientError.self) {
      try FeatureFlagClient(
        catalogs: [FlagCatalog("feed") { pageSize }], configuration: .init { $0.keys = KeyStyle(separator: " ") }
      ) {}
    }
    #expect(error.map { "\($0)" }?.contains("\"feed page-size\"") == true)
  }

  @Test("Flags outside the catalogs are asked for in the style, too, and hear of changes")
  func stylesOthers() async throws {
    let provider = InMemoryProvider(["app/feed/page_size": 5])
    let flags = try FeatureFlagClient(catalogs: [], configuration: .init { $0.keys = style }) { provider }
    #expect(readings(of: pageSize, in: flags) == [5])
    var values = flags.observer.values(of: pageSize).makeAsyncIterator()
    #expect(await values.next() == 5)
    provider.write(6, for: "app/feed/page_size")
    #expect(await values.next() == 6)
  }

  @Test("What is in keys as it is, a style leaves as it is")
  func keepsVerbatimGroups() throws {
    let flag = _FlagPath("feed").group("videoPosts", key: "videoPosts").flag("autoPlay", default: false, "")
    #expect(flag.key == "feed.videoPosts.auto-play")
    #expect(try style.providerKey(of: flag) == "app/feed/videoPosts/auto_play")
  }

  @Test("Two providers of one name, or one that is called as overrides are, make no composition")
  func refusesSharedNames() {
    let error = #expect(throws: FeatureFlagClientError.sharedProviderName("in memory")) {
      try compose {
        InMemoryProvider(); InMemoryProvider()
      }
    }
    #expect(
      (error as (any Error)?)?.localizedDescription
        == "expected providers of different names, found two with the name \"in memory\"")
    #expect(throws: FeatureFlagClientError.sharedProviderName("overrides")) {
      try compose { InMemoryProvider(name: "overrides") }
    }
  }

  private struct Feed: FlagSet {
    static let pageSize = _FlagPath("feed").flag("pageSize", default: 20, "")
    static let catalog = FlagCatalog("feed") { pageSize }
    init(_ manager: any FeatureFlagManager) {}
  }
}
