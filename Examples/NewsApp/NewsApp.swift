import FeatureFlags
import FeedFlags
import FlagRemote
import Foundation
import SettingsFlags

/// A news reader in a terminal, whose screens follow their flags while it runs.
@main
enum NewsApp {
  static func main() async {
    do {
      let arguments = try Arguments(CommandLine.arguments)
      if let service = arguments.service {
        try await run(service: service, arguments)
      } else {
        try await run(file: arguments.file, arguments)
      }
    } catch {
      FileHandle.standardError.write(Data("NewsApp: \(error)\n".utf8))
      exit(1)
    }
  }
}

extension NewsApp {
  /// Follows a file of definitions.
  private static func run(file: URL, _ arguments: Arguments) async throws {
    let provider = try InHouseProvider(contentsOf: file)
    let session = Session(flags: try client(arguments, provider))
    let following = provider.follow(file) { session.events.send(.complaint("\($0)")) }
    await session.run()
    following.cancel()
  }

  /// Follows a service, and says how it is whenever that changes.
  private static func run(service: URL, _ arguments: Arguments) async throws {
    var options = ServiceOptions()
    options.cache = arguments.cache.map { AnswerCache(in: $0) }
    let store = try HTTPDefinitionStore(
      service.appending(path: "flags.json"), events: service.appending(path: "flags/events"), options: options)
    let provider = DefinitionStoreProvider(store)
    let flags = try client(arguments, provider)
    _ = await flags.ready(timeout: .seconds(5))
    let session = Session(flags: flags)
    let watching = Task {
      var last: ProviderStatus.State?
      for await status in provider.statuses() where status.state != last {
        last = status.state
        session.events.send(.status("the service is \(status.state)"))
      }
    }
    await session.run()
    watching.cancel()
  }

  private static func client(_ arguments: Arguments, _ provider: some FlagProvider) throws -> FeatureFlagClient {
    try FeatureFlagClient(
      catalogs: [SettingsFlags.catalog, FeedFlags.catalog],
      configuration: .init {
        // The page size depends on the visitor, not on the user who signs in.
        $0.anonymousIDs = arguments.visitor.map { AnonymousIDs(in: FileAnonymousIDStore($0)) }
        $0.overrides = arguments.overrides.map { FileOverrideStore($0) }
        $0.launch = [LaunchArgumentsProvider(), EnvironmentProvider(prefix: "FLAG")]
        $0.reporter = Complaints()
      }
    ) { provider }
  }
}

/// The program's arguments; unknown ones are left to flags.
struct Arguments {
  var file: URL
  var overrides: URL?
  /// The file of the visitor's id; nil for visitors without one.
  var visitor: URL?
  /// The address of a service to fetch definitions from, instead of the file.
  var service: URL?
  /// The folder of the service's cached answer.
  var cache: URL?

  init(_ words: [String]) throws {
    func text(of option: String) -> String? {
      words.firstIndex(of: option).flatMap { words.indices.contains($0 + 1) ? words[$0 + 1] : nil }
    }
    func value(of option: String) -> URL? { text(of: option).map { URL(filePath: $0) } }
    guard let file = value(of: "--flags") ?? Bundle.module.url(forResource: "flags", withExtension: "json") else {
      throw CocoaError(.fileNoSuchFile)
    }
    self.file = file
    overrides = value(of: "--overrides")
    visitor = value(of: "--visitor")
    service = text(of: "--service").flatMap { URL(string: $0) }
    cache = value(of: "--cache")
  }
}

/// Prints what fails while flags are resolved.
private struct Complaints: FlagErrorReporter {
  func report(_ error: FlagError) { say("! \(error)") }
}

/// Prints a line at once, even into a pipe.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
