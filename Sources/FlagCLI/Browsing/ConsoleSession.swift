import FlagComposition
import FlagConsole
import FlagDefinitions
import FlagDomain
import FlagProviders
import Foundation

/// The document and the overrides that a command shows and changes: options that several commands share.
struct ConsoleSource: OptionGroup {
  private(set) var paths: [String] = []
  private(set) var overrides: String?
  private(set) var bucketing = Bucketing.v3

  static var options: [Option<Self>] {
    Option("--flags", .file, "the document", addingTo: \.paths)
    Option("--overrides", .file, "the file of the overrides (default: none are stored)", \.overrides)
    Option.bucketing(\.bucketing)
  }

  /// Opens the document, and follows its changes.
  func store() throws(ToolError) -> FileDefinitionStore { try .opened(paths.first ?? "", bucketing: bucketing) }

  /// Checks that one document is named, and a file for overrides if it is needed.
  func check(needsOverrides: Bool = false) throws(UsageError) {
    if paths.isEmpty { throw UsageError("--flags FILE is missing") }
    if paths.count > 1 {
      throw UsageError("one document is enough, found \(paths[1].excerpt) beside \(paths[0].excerpt)")
    }
    if needsOverrides, overrides == nil { throw UsageError("--overrides FILE is missing") }
  }
}

/// A console over the flags of a file or a set, which is followed for the lifetime of the session.
final class ConsoleSession: Sendable {
  let console: ConsoleModel
  let client: FeatureFlagClient
  let store: any DefinitionStore
  private let subscription: FlagSubscription

  init(
    _ source: ConsoleSource, publishing: (any PublishedDefinitionStore)? = nil,
    options: ConsoleModel.Options = ConsoleModel.Options(), on terminal: Terminal
  ) throws(ToolError) {
    let store: any DefinitionStore = if let publishing { publishing } else { try source.store() }
    let document = try store.definitions.document
    let provider = DefinitionsProvider(store, name: "document", clock: WallClock(now: terminal.now))
    let name = URL(filePath: store.name).lastPathComponent
    do {
      client = try FeatureFlagClient(
        catalogs: [],
        configuration: .init {
          $0.overrides = source.overrides.map { FileOverrideStore(URL(filePath: $0)) }
          $0.reporter = TerminalReporter(terminal: terminal)
        }
      ) { provider }
      console = try ConsoleModel(
        catalogs: FlagCatalog.catalogs(of: document, named: name), client.ports(store, publishing),
        options: options.dated(by: terminal))
    } catch {
      throw .server("\(error)")
    }
    self.store = store
    subscription = store.subscribe { [console] update in
      switch update {
      case .success(let stored): console.show(stored.document, named: name, on: terminal)
      case .failure(let error): terminal.print(.store(error))
      }
    }
  }
}

extension FeatureFlagClient {
  /// Returns the client's ports that a console needs, with those of its definitions.
  fileprivate func ports(
    _ store: any DefinitionStore, _ publishing: (any PublishedDefinitionStore)?
  ) -> ConsoleModel.Ports {
    ConsoleModel.Ports(
      snapshots: snapshots, overriding: overrides, observing: observer, authenticator: authenticator,
      definitions: store, publishing: publishing)
  }
}

extension ConsoleModel.Options {
  fileprivate func dated(by terminal: Terminal) -> Self {
    var options = self
    options.now = terminal.now
    options.today = CalendarDay(seconds: terminal.now())
    return options
  }
}

extension ConsoleModel {
  /// Shows the flags of another document; a document's keys are unique, so no error is expected.
  fileprivate func show(_ document: any DefinitionDocument, named name: String, on terminal: Terminal) {
    do {
      try registry.replaceAll(with: FlagCatalog.catalogs(of: document, named: name))
    } catch {
      terminal.printError("\(error)")
    }
  }
}

private struct TerminalReporter: FlagErrorReporter {
  let terminal: Terminal

  func report(_ error: FlagError) { terminal.printError("flagctl: \(error)") }
}
