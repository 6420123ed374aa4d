import FeedFlags
import FlagComposition
import FlagDomain
import FlagProviders
import Foundation
import Testing

@Suite("Guide to following files", .timeLimit(.minutes(15)))
struct FollowingFilesGuide {
  @Test("What the guide shows holds")
  func holds() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "following-guide-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let (flagsFile, settingsFile) = (folder.appending(path: "flags.json"), folder.appending(path: "settings.json"))
    try Data(#"{"flags": {}}"#.utf8).write(to: flagsFile)
    try Data("{}".utf8).write(to: settingsFile)
    let report = Failures()

    let definitions = try InHouseProvider(following: flagsFile) { error in report.record(error) }
    let settings = try JSONFileProvider(following: settingsFile) { error in report.record(error) }
    let flags = try FeatureFlagClient(catalogs: [FeedFlags.catalog]) {
      definitions
      settings
    }
    let pageSizes = flags.observer.values(of: FeedFlags.flags.pageSize)

    try Data(#"{"feed": {"page-size": 7}}"#.utf8).write(to: settingsFile)
    await pageSizes.reaches(7)
    try Data("{".utf8).write(to: settingsFile)
    await report.isNotEmpty()
    #expect(FeedFlags(flags.manager).pageSize == 7)

    try FileManager.default.removeItem(at: folder)
  }
}

/// The errors of unusable files.
private final class Failures: Sendable {
  private let failures = AsyncStream.makeStream(of: (any Error).self)

  func record(_ error: any Error) { failures.continuation.yield(error) }

  func isNotEmpty() async { for await _ in failures.stream { return } }
}

extension FlagValues where Value == Int {
  /// Waits until a value comes.
  func reaches(_ value: Int) async { for await next in self where next == value { return } }
}
