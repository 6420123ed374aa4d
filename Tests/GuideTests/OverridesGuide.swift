import FeedFlags
import FlagComposition
import FlagDomain
import FlagProviders
import Foundation
import SettingsFlags
import Testing

@Suite("Guide to overrides", .timeLimit(.minutes(15)))
struct OverridesGuide {
  @Test("What the guide shows holds")
  func holds() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "overrides-guide-\(UUID().uuidString).json")
    defer {
      do { try FileManager.default.removeItem(at: file) } catch { Issue.record(error) }
    }
    let flags = try FeatureFlagClient(
      catalogs: [SettingsFlags.catalog, FeedFlags.catalog], overrides: FileOverrideStore(file)
    ) {
      InMemoryProvider(["feed.page-size": 10])
    }
    let overrides = flags.overrides

    try overrides.override(FeedFlags.flags.pageSize, with: 3)
    #expect(FeedFlags(flags.manager).pageSize == 3)

    try overrides.clearOverride(of: FeedFlags.flags.pageSize)
    #expect(FeedFlags(flags.manager).pageSize == 10)

    try overrides.setOverrides(["feed.page-size": 3, "new-user-profile": nil])
    try overrides.clearOverrides()

    let guarded = try FeatureFlagClient(
      catalogs: [FeedFlags.catalog],
      configuration: .init {
        $0.overrides = FileOverrideStore(file)
        $0.overriding = .when { context in context["isInternalUser"] == true }  // .never: in a release build
      }
    ) {}
    #expect(throws: FlagError.self) { try guarded.overrides.override(FeedFlags.flags.pageSize, with: 5) }

    try overrides.override(SettingsFlags.newUserProfile, with: true)
    let state = overrides.overrideState(of: SettingsFlags.newUserProfile)
    #expect(state == .overridden(true, original: false))
    #expect("\(state)" == "overridden on")

    let pageSizes = flags.observer.values(of: FeedFlags.flags.pageSize)
    try FileOverrideStore(file).write(["feed.page-size": 7])
    await pageSizes.reaches(7)

    let arguments = ["app", "--flag", "new-user-profile=true"]
    let launched = try FeatureFlagClient(
      catalogs: [SettingsFlags.catalog],
      configuration: .init { $0.launch = [LaunchArgumentsProvider(arguments), EnvironmentProvider()] }
    ) {}
    #expect(launched.inspector.resolution(of: SettingsFlags.newUserProfile).provider == "launch arguments")
  }
}
