import FlagComposition
import FlagConsole
import FlagDefinitions
import FlagDomain
import FlagProviders
import Foundation

/// Which document and which overrides a command shows and changes: the options that several commands share.
struct ConsoleSource: Equatable {
  private(set) var flags: String?
  private(set) var overrides: String?
  private(set) var bucketing = Bucketing.v3

  static let options = [
    CommandOption("--flags", .file, "the document"),
    CommandOption("--overrides", .file, "where overrides are kept; nowhere unless told otherwise"),
    CommandOption(
      "--bucketing", .choice(["v2", "v3"]), "which bytes decide a user's share (v3 unless told otherwise)"),
  ]

  /// Reads an option that is one of these; returns false for any other word.
  mutating func take(_ word: String, from arguments: inout Arguments) throws(UsageError) -> Bool {
    switch word {
    case "--flags":
      let path = try arguments.value(of: word)
      if let flags { throw UsageError("one document is enough, found \(path.excerpt) beside \(flags.excerpt)") }
      flags = path
    case "--overrides": overrides = try arguments.value(of: word)
    case "--bucketing": bucketing = try arguments.bucketing(of: word)
    default: return false
    }
    return true
  }

  func check() throws(UsageError) {
    if flags == nil { throw UsageError("--flags FILE is missing") }
  }
}

/// A console over the flags of a file or a set, which is followed as long as the session lives.
final class ConsoleSession: Sendable {
  let console: FlagBrowser
  let client: FeatureFlagClient
  let store: any DefinitionStore
  private let subscription: FlagSubscription

  init(
    _ source: ConsoleSource, publishing: (any PublishedDefinitionStore)? = nil,
    options: FlagBrowser.Options = FlagBrowser.Options(), on terminal: Terminal
  ) throws(ToolError) {
    let store: any DefinitionStore
    do throws(DefinitionStoreError) {
      if let publishing {
        store = publishing
      } else {
        store = try FileDefinitionStore(following: URL(filePath: source.flags ?? ""), bucketing: source.bucketing)
      }
    } catch {
      throw .store(error)
    }
    guard let document = store.current?.document else {
      throw .store(DefinitionStoreError(.unreadable, store: store.name, "expected a document"))
    }
    var options = options
    options.now = terminal.now
    options.today = CalendarDay(seconds: terminal.now())
    let provider = InHouseProvider(document, name: "document", now: terminal.now)
    let name = URL(filePath: store.name).lastPathComponent
    let client: FeatureFlagClient
    let console: FlagBrowser
    do {
      client = try FeatureFlagClient(
        catalogs: [],
        configuration: .init {
          $0.overrides = source.overrides.map { FileOverrideStore(URL(filePath: $0)) }
          $0.reporter = TerminalReporter(terminal: terminal)
        }
      ) { provider }
      console = try FlagBrowser(
        catalogs: FlagCatalog.catalogs(of: document, named: name),
        FlagBrowser.Ports(
          snapshots: client.snapshots, overriding: client.overrides, observing: client.observer,
          authenticator: client.authenticator, definitions: store, publishing: publishing),
        options: options)
    } catch {
      throw .server("\(error)")
    }
    self.store = store
    self.client = client
    self.console = console
    subscription = store.subscribe { [console] update in
      switch update {
      case .success(let stored):
        provider.update(with: stored.document)
        // Keys of one document are never the same twice, so there is no duplicate to tell of.
        do {
          try console.replaceAll(with: FlagCatalog.catalogs(of: stored.document, named: name))
        } catch {
          terminal.printError("\(error)")
        }
      case .failure(let error): terminal.print(.store(error))
      }
    }
  }
}

/// Writes what goes wrong with overrides and flags to standard error.
private struct TerminalReporter: FlagErrorReporter {
  let terminal: Terminal

  func report(_ error: FlagError) { terminal.printError("flagctl: \(error)") }
}
