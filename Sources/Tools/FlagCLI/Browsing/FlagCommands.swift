import FlagComposition
import FlagConsole
import FlagDefinitions
import FlagDomain
import FlagEditing
import FlagSupport

/// The options of commands that show and change single flags: the source of flags, the context, and the output format.
struct FlagOptions: OptionGroup {
  private(set) var source = ConsoleSource()
  private(set) var isJSON = false
  private var user: FlagUser?

  static var options: [Option<Self>] {
    ConsoleSource.options.of(\.source)
    Option("--user", .user, "the user who asks, as id=ana,country=es or JSON (default: nobody)", \.user)
    Option.json(\.isJSON)
  }

  func session(on terminal: Terminal) throws(ToolError) -> ConsoleSession {
    let session = try ConsoleSession(source, on: terminal)
    if let user { session.client.authenticator.setUser(user) }
    return session
  }

  func print(_ rows: [FlagRow], on terminal: Terminal) throws(ToolError) {
    let json: FlagValue = ["version": 1, "flags": .array(rows.map(\.json))]
    try terminal.print(isJSON ? "\(json.printed)\n" : Self.table(rows).text)
  }

  private static func table(_ rows: [FlagRow]) -> TextTable {
    TextTable(
      [["KEY", "VALUE", "SOURCE", "REASON"]]
        + rows.map { row in
          let source = row.isOverridden ? "override" : row.resolution.provider ?? "default"
          return ["\(row.key)", row.value.shortText, source, row.resolution.reason.rawValue].map(\.excerpt)
        })
  }
}

struct ListCommand: Command {
  private var options = FlagOptions()
  private var words = ""
  private var providers: [String] = []
  private var group: String?
  private var isWatching = false

  static var options: [Option<Self>] {
    FlagOptions.options.of(\.options)
    Option(
      "--provider", .text("NAME"), "flags with a value of this provider; may be given several times",
      addingTo: \.providers)
    Option("--group", .text("PATH"), "flags of this group: the parts of their keys before the name", \.group)
    Option(
      "--watch", "writes a line for each flag, and again when its value or source changes, until it is stopped",
      \.isWatching)
  }

  static let summary = "Lists the flags of a document or a set with their values, and where those come from."
  static let usage = "list [WORDS] [--overrides FILE] [option ...]"
  static let example = "list page --flags flags.json"
  static let notes = "WORDS all occur in a flag's key, description or owner; case and accents do not count."

  mutating func finish(_ operands: Operands) throws(UsageError) {
    try options.source.check()
    try operands.check(atMost: 1)
    words = operands.words.first ?? ""
  }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    let session = try options.session(on: terminal)
    let query = try query(in: session.console)
    if isWatching {
      watch(query, in: session.console, on: terminal)
      withExtendedLifetime(session) {}
    } else {
      try options.print(session.console.list(query).rows, on: terminal)
    }
    return .success
  }

  /// Returns the query for the wanted flags; the error for an unknown provider or group lists the known ones.
  private func query(in console: ConsoleModel) throws(ToolError) -> FlagQuery {
    let known = console.providers
    if let name = providers.first(where: { !known.contains($0) }), !known.isEmpty {
      throw .usage("--provider is one of \(known.map(\.excerpt).joined(separator: ", ")), found \(name.excerpt)")
    }
    let path = group.map { $0.split(separator: ".").map(String.init) } ?? []
    if let group, console.list(FlagQuery(group: path, limit: 0)).group == nil {
      let names = console.groups.map(\.title.excerpt).joined(separator: ", ")
      throw .usage("--group is one of \(names), or one in these, found \(group.excerpt)")
    }
    return FlagQuery(words, providers: Set(providers), group: path)
  }

  private func watch(_ query: FlagQuery, in console: ConsoleModel, on terminal: Terminal) {
    // Comparisons and writes are serialized, so that the last output is the newest.
    let known = Locked<[FlagRow]>([])
    let isJSON = options.isJSON
    let write: @Sendable () -> Void = {
      known.withLock { known in
        let rows = console.list(query).rows
        let old = Dictionary(known.map { ($0.key, $0) }) { first, _ in first }
        let changed = rows.filter { $0.value != old[$0.key]?.value || $0.source != old[$0.key]?.source }
        known = rows
        do throws(ToolError) {
          for row in changed { try terminal.print(isJSON ? "\(row.json.printed)\n" : [row.line].text) }
        } catch {
          terminal.print(error)
        }
      }
    }
    let subscription = console.subscribe { _ in write() }
    write()
    terminal.waitForStop()
    subscription.cancel()
  }
}

struct GetCommand: Command {
  private var options = FlagOptions()
  private var key = ""

  static var options: [Option<Self>] { FlagOptions.options.of(\.options) }

  static let summary = "Prints a flag's value as JSON on one line; with --json, everything known about it."
  static let usage = "get FLAG [--overrides FILE] [option ...]"
  static let example = "get new-page --flags flags.json"
  static let notes = "The exit code is 1 if there is no such flag."

  mutating func finish(_ operands: Operands) throws(UsageError) {
    try options.source.check()
    key = try operands.one("FLAG")
  }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    let session = try options.session(on: terminal)
    guard let row = session.console.row(key) else {
      throw .flag(key, FlagError(.flagNotFound, "the document has no such flag"))
    }
    if options.isJSON { try options.print([row], on: terminal) } else { try terminal.print("\(row.value.printed)\n") }
    return .success
  }
}

struct SetCommand: Command {
  private var options = FlagOptions()
  private var key = ""
  private var text = ""

  static var options: [Option<Self>] { FlagOptions.options.of(\.options) }

  static let summary = "Overrides a flag, and writes its new value."
  static let usage = "set FLAG VALUE --overrides FILE [option ...]"
  static let example = "set new-page true --flags flags.json --overrides mine.json"
  static let notes = """
    VALUE is true, false, a number, a text, or JSON, as the flag's type asks. A value that the flag cannot have is
    refused with exit code 1, and nothing is changed. Programs that follow FILE see it at once.
    """

  mutating func finish(_ operands: Operands) throws(UsageError) {
    try options.source.check(needsOverrides: true)
    (key, text) = (try operands.required(0, "a FLAG"), try operands.required(1, "a VALUE"))
    try operands.check(atMost: 2)
  }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    let console = try options.session(on: terminal).console
    do throws(FlagError) { try console.override(key, entering: text) } catch { throw .flag(key, error) }
    try options.print([console.row(key)].compactMap { $0 }, on: terminal)
    return .success
  }
}

struct ClearCommand: Command {
  private var options = FlagOptions()
  private var key: String?
  private var isForAll = false

  static var options: [Option<Self>] {
    Option("--all", "clears all overrides, also those of flags that the document does not have", \.isForAll)
    FlagOptions.options.of(\.options)
  }

  static let summary = "Clears the override of a flag, or all overrides."
  static let usage = "clear FLAG|--all --overrides FILE [option ...]"
  static let example = "clear new-page --flags flags.json --overrides mine.json"

  mutating func finish(_ operands: Operands) throws(UsageError) {
    try options.source.check(needsOverrides: true)
    try operands.check(atMost: isForAll ? 0 : 1)
    if !isForAll { key = try operands.required(0, "a FLAG, or --all,") }
  }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    let console = try options.session(on: terminal).console
    var keys = [key].compactMap(\.self)
    do throws(FlagError) {
      if let key {
        try console.clearOverride(of: key)
      } else {
        keys = try console.clearOverrides().map(\.name).sorted()
      }
    } catch {
      throw .flag(key ?? "all flags", error)
    }
    if key != nil || options.isJSON {
      try options.print(keys.compactMap(console.row), on: terminal)
    } else {
      try terminal.print("\(keys.count.counted("override is", "overrides are")) cleared\n")
    }
    return .success
  }
}

extension FlagRow {
  fileprivate var line: String { "\(key) = \(value.printed) (\(isOverridden ? "override" : source))" }
}
