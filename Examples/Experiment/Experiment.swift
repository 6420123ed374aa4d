import FeedFlags
import FlagCLI
import FlagComposition
import FlagDomain
import FlagProviders
import Foundation
import SettingsFlags

/// Runs two experiments on a thousand users who do not exist, and analyzes what they did.
@main
enum Experiment {
  static func main() {
    do {
      let folder = FileManager.default.temporaryDirectory.appending(path: "experiment-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { remove(folder) }
      let events = folder.appending(path: "events.jsonl")
      try run(users: 1_000, writingTo: events)
      try analyze(events, ["--flag", "new-user-profile", "--metric", "open-profile", "--guardrail", "crash:down=100%"])
      try analyze(events, ["--flag", "feed-ranking", "--control", "newest", "--metric", "read:count"])
    } catch {
      FileHandle.standardError.write(Data("Experiment: \(error)\n".utf8))
      exit(1)
    }
  }

  /// Shows each user both screens, and has the user do what people do with them.
  private static func run(users: Int, writingTo file: URL) throws {
    guard let definitions = Bundle.module.url(forResource: "flags", withExtension: "json") else {
      throw CocoaError(.fileNoSuchFile)
    }
    let flags = try FeatureFlagClient(catalogs: [SettingsFlags.catalog, FeedFlags.catalog]) {
      try InHouseProvider(contentsOf: definitions)
    }
    var log = EventLog()
    for number in 1...users {
      let user = FlagUser(id: "user-\(number)")
      let exposures = Exposures(of: flags.manager(for: user))
      let settings = SettingsModel(flags: exposures)
      let feed = FeedModel(flags: exposures)
      let screens = (settings.screen, feed.screen)
      for exposure in exposures.all { log.add(exposure, of: user) }
      var visitor = Visitor(number)
      for name in visitor.actions(on: screens.0, screens.1) { log.add(name, of: user) }
    }
    try log.text.write(to: file, atomically: true, encoding: .utf8)
    print("\(users) users saw two screens, with \(log.exposures) exposures, and did \(log.conversions) things.")
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
