import FeedFlags
import FlagComposition
import FlagDomain
import FlagMacros
import FlagProviders
import FlagRemote
import FlagServices
import FlagTracking
import FlagUserDefaults
import Foundation
import Testing

@Suite("Guide to Apple's platforms", .timeLimit(.minutes(5)))
struct PlatformsGuide {
  private let sink = ClosureSink { _ in throw CancellationError() }
  private let container = FileManager.default.temporaryDirectory.appending(path: "container-\(UUID().uuidString)")

  @Test("Files of a container hold overrides, a visitor's id and events")
  func holds() async throws {
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: container) } }
    let service = try #require(URL(string: "https://flags.example.com"))
    let options = ServiceOptions()

    let folder = container.appending(path: "Flags")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let tracker = try EventTracker(in: folder.appending(path: "Events"), to: sink)
    let flags = try FeatureFlagClient(
      catalogs: [FeedFlags.catalog],
      configuration: .init {
        $0.anonymousIDs = AnonymousIDs(in: FileAnonymousIDStore(folder.appending(path: "visitor")))
        $0.overrides = FileOverrideStore(folder.appending(path: "overrides.json"))
        $0.exposures = tracker
      }
    ) {
      try RemoteProvider(ofrep: service, options: options)
    }

    try flags.overrides.override(FeedFlags.flags.pageSize, with: 3)
    #expect(FeedFlags(flags.manager).pageSize == 3)
    await tracker.shutdown()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(Set(names).isSuperset(of: ["Events", "overrides.json"]))
  }

  @Test("Before the first unlock the id in user defaults is not read as missing")
  func waitsForUnlock() throws {
    let suite = "guide-\(UUID().uuidString)"
    defer { UserDefaults().removePersistentDomain(forName: suite) }
    try UserDefaultsAnonymousIDStore(suite: suite).store("the old id")
    let isProtectedDataAvailable = false

    let protectedData = ProtectedData(isAvailable: isProtectedDataAvailable)
    let store = UserDefaultsAnonymousIDStore(suite: suite, protectedData: protectedData)
    #expect(throws: FlagError.self) { try store.load() }
    protectedData.becomeAvailable()
    #expect(try store.load() == "the old id")
  }

  @Test("A value that is nonisolated is a flag's")
  func readsLayout() throws {
    let flags = try FeatureFlagClient(catalogs: [LayoutFlags.catalog]) {}
    #expect(LayoutFlags(flags.manager).layout == PostLayout(columns: 2))
  }
}

nonisolated struct PostLayout: Codable, Sendable, Equatable { var columns = 2 }

@FlagSet("feed", "The feed.")
struct LayoutFlags {
  @Flag("How posts are laid out.") var layout = PostLayout()
}
