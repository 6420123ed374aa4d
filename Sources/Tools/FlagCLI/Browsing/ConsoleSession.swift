import FlagComposition
import FlagConsole
import FlagConsoleEditor
import FlagDefinitions
import FlagDomain
import FlagFleet
import FlagFoundation
import FlagProviders
import FlagPublishing

/// The document and the overrides that a command shows and changes: options that several commands share.
struct ConsoleSource: OptionGroup {
  private(set) var paths: [String] = []
  private(set) var overrides: String?
  private var format = FormatOptions()
  private var fleet = FleetOptions()
  /// The set of a source that is one of several.
  private var set: String?
  /// Whether a source that is one of several was marked as production's.
  private(set) var isProduction = false

  private static let production = ":production"

  static var options: [Option<Self>] {
    Option("--flags", .file, "the document", addingTo: \.paths)
    Option("--overrides", .file, "the file of the overrides (default: none are stored)", \.overrides)
    FormatOptions.options.of(\.format)
    FleetOptions.options.of(\.fleet)
  }

  /// Checks that one document or set is named, and a file for overrides if it is needed.
  func check(needsOverrides: Bool = false, allowsSeveral: Bool = false) throws(UsageError) {
    let hasSeveral = allowsSeveral ? try !environments().isEmpty : false
    if fleet.isUsed {
      if !paths.isEmpty { throw UsageError("--flags FILE or a set in etcd is enough, found both") }
      if hasSeveral { try fleet.checkSets() } else { try fleet.checkSet() }
      try format.checkSets()
    } else if paths.isEmpty {
      throw UsageError("--flags FILE is missing")
    }
    try format.check()
    if paths.count > 1, !hasSeveral {
      throw UsageError("one document is enough, found \(paths[1].excerpt) beside \(paths[0].excerpt)")
    }
    if needsOverrides, overrides == nil { throw UsageError("--overrides FILE is missing") }
  }

  /// Returns the sources of several environments: documents that are given as NAME=FILE, or sets; empty for one source.
  ///
  /// A file with `:production` behind it is that of production.
  func environments() throws(UsageError) -> [(name: String, source: ConsoleSource)] {
    guard paths.count > 1 || fleet.sets.count > 1 else { return [] }
    if overrides != nil { throw UsageError("--overrides FILE is for one document, found several environments") }
    var sources: [(name: String, source: ConsoleSource)] = []
    for name in fleet.sets where paths.isEmpty {
      sources.append((name, self))
      sources[sources.count - 1].source.set = name
    }
    for text in paths {
      guard let sign = text.firstIndex(of: "=") else {
        throw UsageError("several documents are given as --flags NAME=FILE, found \(text.excerpt)")
      }
      sources.append((String(text[..<sign]), self))
      var path = text[text.index(after: sign)...]
      if path.hasSuffix(Self.production) {
        path.removeLast(Self.production.count)
        sources[sources.count - 1].source.isProduction = true
      }
      sources[sources.count - 1].source.paths = [String(path)]
    }
    for (index, (name, _)) in sources.enumerated() {
      try Self.check(name, beside: sources[..<index].map(\.name))
    }
    return sources
  }

  private static func check(_ name: String, beside others: [String]) throws(UsageError) {
    try mapError(try FlagEnvironments.check(name)) { (error: FlagError) in UsageError(error.message) }
    if others.contains(name) { throw UsageError("each environment is named once, found \(name) twice") }
  }

  /// Opens the file or set, and follows its changes.
  ///
  /// - Parameters:
  ///   - isReadOnly: Whether nobody changes it, so that it may be a pipe.
  ///   - author: The author for whom the states of a file are kept; nil to keep none. A set has its history anyway.
  ///   - terminal: The terminal.
  /// - Returns: The store, and its history if it has one.
  /// - Throws: The reason why it cannot be opened.
  func open(
    isReadOnly: Bool, keepingStatesBy author: String? = nil, on terminal: Terminal
  ) throws(ToolError) -> (store: any DefinitionStore, publishing: (any DefinitionHistory)?) {
    guard fleet.isUsed else {
      let path = paths.first ?? ""
      guard let author else {
        if isReadOnly { return (try terminal.store(reading: path, format: format.format), nil) }
        return (try FileDefinitionStore.opened(path, format: format.format, on: terminal), nil)
      }
      let store = try FileDefinitionHistory.opened(path, author: author, format: format.format, on: terminal)
      return (store, store)
    }
    var address = try fleet.address(of: set, on: terminal)
    address.bucketing = format.bucketing
    let set = try FleetSet(address, on: terminal)
    _ = try set.head()
    do throws(ToolError) {
      try set.answer { (store) async throws(DefinitionStoreError) in try await store.refresh() }
    } catch {
      // What was read before it serves: it follows the set, and catches up.
      guard set.store.current != nil else { throw error }
    }
    return (set.store, set.store)
  }

  /// Returns the store of test users: in a file, which is beside the document by default, or in the set.
  func testUsers(in path: String?, on terminal: Terminal) throws(ToolError) -> any TestUserStore {
    if let path { return FileTestUserStore(URL(filePath: path)) }
    guard fleet.isUsed else {
      return FileTestUserStore(FileTestUserStore.file(beside: URL(filePath: paths.first ?? "")))
    }
    let address = try fleet.address(of: set, on: terminal)
    return EtcdTestUserStore(set: address.set, settings: address.settings)
  }
}

/// A console over the flags of a file or a set, which is followed for the lifetime of the session.
final class ConsoleSession: Sendable {
  let console: ConsoleModel
  let client: FeatureFlagClient
  let store: any DefinitionStore
  private let subscription: FlagSubscription

  init(
    _ source: ConsoleSource, options: ConsoleModel.Options? = nil,
    editing: DefinitionEditor.Options = DefinitionEditor.Options(), keepsStates: Bool = false,
    testUsers: (any TestUserStore)? = nil, on terminal: Terminal
  ) throws(ToolError) {
    let isReadOnly = options?.isReadOnly ?? true
    var (options, editing) = (options ?? ConsoleModel.Options(), editing)
    options.today = CalendarDay(seconds: terminal.now())
    editing.now = terminal.now
    let (store, publishing) = try source.open(
      isReadOnly: isReadOnly, keepingStatesBy: keepsStates ? editing.author : nil, on: terminal)
    let document = try store.definitions.document
    let provider = DefinitionStoreProvider(store, name: "document", clock: WallClock(now: terminal.now))
    let name = URL(filePath: store.name).lastPathComponent
    do {
      client = try FeatureFlagClient(
        catalogs: [],
        configuration: .init {
          $0.overrides = source.overrides.map { FileOverrideStore(URL(filePath: $0), polling: terminal.polling) }
          $0.reporter = TerminalReporter(terminal: terminal)
        }
      ) { provider }
      console = try ConsoleModel(
        catalogs: FlagCatalog.catalogs(of: document, named: name),
        ConsoleModel.Ports(
          snapshots: client.snapshots, overriding: client.overrides, observing: client.observer,
          authenticator: client.authenticator),
        editor: DefinitionEditor(store, publishing: publishing, testUsers: testUsers, options: editing),
        options: options)
    } catch {
      throw .server("\(error)")
    }
    self.store = store
    let shown = Locked(document)
    subscription = store.subscribe { [console] update in
      switch update {
      case .success(let stored):
        let old = shown.withLock { shown in
          defer { shown = stored.document }
          return shown
        }
        if !stored.document.listsSameFlags(as: old) { console.show(stored.document, named: name, on: terminal) }
      case .failure(let error): terminal.print(.store(error))
      }
    }
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
