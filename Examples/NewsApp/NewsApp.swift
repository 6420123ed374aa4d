import Dispatch
import FeatureFlags
import FlagRemote
import Foundation
import NewsReader

/// A news reader in a terminal, whose screens follow their flags while it runs; with `--window`, in a window.
@main
enum NewsApp {
  @MainActor
  static func main() {
    guard !CommandLine.arguments.contains("--window") else { return openWindow() }
    Task {
      await runInTerminal()
      exit(0)
    }
    dispatchMain()
  }

  private static func runInTerminal() async {
    do {
      let arguments = try News.Arguments(CommandLine.arguments)
      if let service = arguments.service {
        try await run(service: service, arguments)
      } else {
        try await run(file: arguments.file, arguments)
      }
    } catch {
      fail("\(error)")
    }
  }

  static func fail(_ reason: String) -> Never {
    FileHandle.standardError.write(Data("NewsApp: \(reason)\n".utf8))
    exit(1)
  }
}

extension NewsApp {
  /// Follows a file of definitions.
  private static func run(file: URL, _ arguments: News.Arguments) async throws {
    let provider = try InHouseProvider(contentsOf: file)
    let session = Session(flags: try client(arguments, provider))
    let following = provider.follow(file) { session.events.send(.complaint("\($0)")) }
    await session.run()
    following.cancel()
  }

  /// Follows a service, and says how it is whenever that changes.
  private static func run(service: URL, _ arguments: News.Arguments) async throws {
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

  private static func client(_ arguments: News.Arguments, _ provider: some FlagProvider) throws -> FeatureFlagClient {
    try News.client(arguments, provider) { $0.reporter = Complaints() }
  }
}

/// Prints what fails while flags are resolved.
private struct Complaints: FlagErrorReporter {
  func report(_ error: FlagError) { say("! \(error)") }
}

/// Prints a line at once, even into a pipe.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
