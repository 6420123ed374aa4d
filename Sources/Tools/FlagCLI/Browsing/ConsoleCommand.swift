import FlagComposition
import FlagConsole
import FlagConsoleEditor
import FlagConsoleWeb
import FlagDefinitions
import FlagDomain
import FlagProviders
import Foundation

struct ConsoleCommand: Command {
  private var source = ConsoleSource()
  private var readers = ReaderOptions()
  private var author: String?
  private var port = 8017
  private var users: [FlagUser] = []
  private var isReadOnly = false
  private var keepsStates = false
  private var testUsers: String?
  private var attributes: String?

  static var options: [Option<Self>] {
    ConsoleSource.options.of(\.source)
    Option("--author", .text("NAME"), "the author of saved changes in the history (default: $USER)", \.author)
    Option(
      "--history",
      """
      keeps the last 50 states of FILE in the folder FILE.history, with authors and reasons
      (default: none are kept); a set has its history anyway
      """, \.keepsStates)
    Option(
      "--test-users", .file,
      """
      the file of the test users, JSON lines with a name and a context; adding the first one creates
      it (default: flags.users.jsonl for flags.json, or a key of the set)
      """, \.testUsers)
    Option(
      "--user", .user,
      #"""
      the user to sign in, an object with the id as "targetingKey"; may be given several times:
      the first one is signed in, and the others can be
      """#, addingTo: \.users)
    Option(
      "--attributes", .file,
      """
      the attributes of own users, a JSON object on each line, who are asked for the effect of
      saving
      """, \.attributes)
    ReaderOptions.options.of(\.readers)
    Option("--read-only", "allows no changes, and still asks as a user", \.isReadOnly)
    Option("--port", .port, "the port; 0 for any free one (default: 8017)", \.port)
  }

  static let summary = """
    Shows the flags of a document in a browser: values with explanations, overrides, and the definitions, which can be
    edited.
    """
  static let usage = """
    console --flags FILE [--overrides FILE] [option ...]
    console --etcd URL[,URL...] --set NAME [--overrides FILE] [option ...]
    console --flags NAME=FILE --flags NAME=FILE [...] [option ...]
    """
  static let notes = """
    The line of output is the link to open. It works once, in one browser on this machine; start again for another one.
    With --source, the pages that rename, retire or delete a flag show what reads it.
    Changes of the document appear at once. Saving fails with a conflict if someone else changed it first.
    Several documents, each with the name of its environment, or several sets stand side by side: a page shows what
    differs, and a flag can be promoted from one to another.
    With etcd, saving publishes to all servers. With etcd or --history, the console shows the history, and can go back.
    Each change is shown before it is saved, with the test users who get another variant.
    """

  func finish(_ operands: Operands) throws(UsageError) {
    try operands.check()
    try source.check(allowsSeveral: true)
  }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    var options = ConsoleModel.Options()
    options.allowsImport = true
    options.isReadOnly = isReadOnly
    options.testUsers = users
    options.storesOverrides = source.overrides != nil
    options.knowsDefaults = false
    var editing = DefinitionEditor.Options()
    editing.ownUsers = try attributes.map { path throws(ToolError) in try terminal.profiles(at: path) } ?? []
    editing.author = author ?? terminal.author
    let sessions = try sessions(options, editing, on: terminal)
    let server = try mapError(try self.server(of: sessions, on: terminal), ToolError.listening)
    try terminal.print("\(server.url)\n")
    terminal.waitForStop()
    terminal.wait { await server.stop() }
    withExtendedLifetime(sessions) {}
    return .success
  }

  /// Opens the document, or those of several environments.
  private func sessions(
    _ options: ConsoleModel.Options, _ editing: DefinitionEditor.Options, on terminal: Terminal
  ) throws(ToolError) -> [(name: String, session: ConsoleSession)] {
    let environments = try mapError(try source.environments()) { (error: UsageError) in
      ToolError.server("\(error)")
    }
    var sessions: [(name: String, session: ConsoleSession)] = []
    for (name, source) in environments.isEmpty ? [("", source)] : environments {
      let reads = CodeReads(readers, on: terminal)
      var (options, editing) = (options, editing)
      if reads.isGiven {
        editing.readers = { key in reads.places(of: key) }
        options.unreadKeys = { reads.unreadKeys }
      }
      let session = try ConsoleSession(
        source, options: options, editing: editing, keepsStates: keepsStates,
        testUsers: source.testUsers(in: testUsers, on: terminal), on: terminal)
      reads.follow(session.store)
      if reads.isGiven, let key = session.store.current?.document.keys.first { _ = reads.places(of: key) }
      sessions.append((name, session))
    }
    return sessions
  }

  private func server(
    of sessions: [(name: String, session: ConsoleSession)], on terminal: Terminal
  ) throws -> FlagConsoleServer {
    let log: @Sendable (String) -> Void = { terminal.printError("flagctl: \($0)") }
    if let user = users.first { for (_, session) in sessions { try session.console.signIn(user) } }
    if sessions.count == 1 { return try FlagConsoleServer(sessions[0].session.console, port: port, log: log) }
    let environments = try FlagEnvironments(sessions.map { ($0.name, $0.session.console) })
    return try FlagConsoleServer(environments, port: port, log: log)
  }
}

extension OptionValue<FlagUser> {
  static var user: Self {
    Self(.text("JSON")) { (option, text) throws(UsageError) in
      var attributes = try mapError(try ConsoleModel.attributes(text)) { (error: FlagError) in
        UsageError("\(option) is an object of attributes, \(error.message)")
      }
      guard let id = attributes.removeValue(forKey: "targetingKey")?.text else {
        throw UsageError("\(option) has the user's id as \"targetingKey\", found \(text.excerpt)")
      }
      let (country, segments) = (
        attributes.removeValue(forKey: "countryCode"), attributes.removeValue(forKey: "segments")
      )
      let names = segments?.elements.map { $0.compactMap(\.text) } ?? []
      guard country == nil || country?.text != nil, segments == nil || names.count == segments?.elements?.count else {
        throw UsageError("\(option) has a text as \"countryCode\" and texts as \"segments\", found \(text.excerpt)")
      }
      return FlagUser(id: id, countryCode: country?.text, segments: names, attributes: attributes)
    }
  }
}
