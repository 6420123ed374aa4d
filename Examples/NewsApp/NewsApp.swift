import FeedFlags
import FlagComposition
import FlagDomain
import FlagProviders
import Foundation
import SettingsFlags

/// A news reader in a terminal, whose screens follow their flags while it runs.
@main
enum NewsApp {
  static func main() async {
    do {
      let arguments = try Arguments(CommandLine.arguments)
      let provider = try InHouseProvider(contentsOf: arguments.file)
      let flags = try FlagComposition(
        catalogs: [SettingsFlags.catalog, FeedFlags.catalog],
        overrides: arguments.overrides.map(FileOverrideStore.init),
        launch: [LaunchArgumentsProvider(), EnvironmentProvider(prefix: "FLAG")],
        reporter: Complaints()
      ) { provider }
      let session = Session(flags: flags)
      let following = try provider.follow(arguments.file) { session.events.send(.complaint("\($0)")) }
      await session.run()
      following.cancel()
    } catch {
      FileHandle.standardError.write(Data("NewsApp: \(error)\n".utf8))
      exit(1)
    }
  }
}

/// What the program was started with; what it does not know is left to flags.
struct Arguments {
  var file: URL
  var overrides: URL?

  init(_ words: [String]) throws {
    func value(of option: String) -> URL? {
      words.firstIndex(of: option).flatMap { words.indices.contains($0 + 1) ? URL(filePath: words[$0 + 1]) : nil }
    }
    guard let file = value(of: "--flags") ?? Bundle.module.url(forResource: "flags", withExtension: "json") else {
      throw CocoaError(.fileNoSuchFile)
    }
    self.file = file
    overrides = value(of: "--overrides")
  }
}

/// Prints what fails while flags are resolved.
private struct Complaints: FlagErrorReporter {
  func report(_ error: FlagError) { say("! \(error)") }
}

/// Prints a line at once, even into a pipe.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
