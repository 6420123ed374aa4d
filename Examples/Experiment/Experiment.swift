import FeatureFlags
import FeedFlags
import FlagCLI
import FlagTracking
import Foundation
import SettingsFlags

/// Runs two experiments on a thousand users who do not exist, and analyzes what they did.
@main
enum Experiment {
  static func main() async {
    do {
      let folder = FileManager.default.temporaryDirectory.appending(path: "experiment-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { remove(folder) }
      let events = folder.appending(path: "events.jsonl")
      // Unsent events wait in their own folder; here they are sent to a file that the analysis reads.
      let tracker = try EventTracker(in: folder.appending(path: "waiting"), to: FileSink(events))
      try await run(users: 1_000, tracker)
      try analyze(events, ["--flag", "new-user-profile", "--metric", "open-profile", "--guardrail", "crash:down=100%"])
      try analyze(events, ["--flag", "feed-ranking", "--control", "newest", "--metric", "read:count"])
    } catch {
      FileHandle.standardError.write(Data("Experiment: \(error)\n".utf8))
      exit(1)
    }
  }

  /// Shows each user both screens, and has the user do what people do with them.
  private static func run(users: Int, _ tracker: EventTracker) async throws {
    guard let definitions = Bundle.module.url(forResource: "flags", withExtension: "json") else {
      throw CocoaError(.fileNoSuchFile)
    }
    let flags = try FeatureFlagClient(catalogs: [SettingsFlags.catalog, FeedFlags.catalog], exposures: tracker) {
      try InHouseProvider(contentsOf: definitions)
    }
    var conversions = 0
    for number in 1...users {
      let user = FlagUser(id: "user-\(number)")
      let screens = show(flags.manager(for: user))
      let did = flags.conversions(of: user, to: tracker)
      let post = PostModel(Post.samples[0], conversions: did)
      var visitor = Visitor(number)
      for name in visitor.actions(on: screens.settings, screens.feed) {
        if name == "read" { _ = post.open() } else { did.track(name) }
        conversions += 1
      }
      // A thousand users in a second are more than a queue holds, which sends every thirty seconds.
      if number.isMultiple(of: 100) { await tracker.flush() }
    }
    await tracker.shutdown()
    print("\(users) users saw two screens, and did \(conversions) things.")
  }

  /// The feature modules' screens; their reads of the experiments are exposures of the user.
  private static func show(_ manager: any FeatureFlagManager) -> (settings: [String], feed: [String]) {
    (SettingsModel(flags: manager).screen, FeedModel(flags: manager).screen)
  }

  private static func analyze(_ events: URL, _ options: [String]) throws {
    print("\n$ flagctl analyze --events events.jsonl \(options.joined(separator: " "))\n")
    fflush(nil)
    guard FlagTool(terminal: .standard).run(["analyze", "--events", events.path] + options) == 0 else {
      throw CocoaError(.featureUnsupported)
    }
  }

  private static func remove(_ folder: URL) {
    do { try FileManager.default.removeItem(at: folder) } catch { print("\(folder.path) is left: \(error)") }
  }
}
