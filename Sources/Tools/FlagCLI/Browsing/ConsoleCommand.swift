import FlagComposition
import FlagConsole
import FlagConsoleEditor
import FlagConsoleWeb
import FlagDefinitions
import FlagDomain
import FlagProviders

struct ConsoleCommand: Command {
  private var source = ConsoleSource()
  private var readers = ReaderOptions()
  private var team = ConsoleTeamOptions()
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
      "the user to sign in, as id=ana,country=es or JSON; may be given several times: the others can be signed in",
      addingTo: \.users)
    Option(
      "--attributes", .file,
      """
      the attributes of own users, a JSON object on each line, who are asked for the effect of
      saving
      """, \.attributes)
    ReaderOptions.options.of(\.readers)
    Option("--read-only", "allows no changes, and still asks as a user", \.isReadOnly)
    Option("--port", .port, "the port; 0 for any free one (default: 8017)", \.port)
    ConsoleTeamOptions.options.of(\.team)
  }

  static let summary = """
    Shows the flags of a document in a browser: values with explanations, overrides, and the definitions, which can be
    edited.
    """
  static let usage = """
    console [--overrides FILE] [option ...]
    console --flags NAME=FILE --flags NAME=FILE [...] [option ...]
    console --user-header NAME [option ...]
    """
  static let example = "console --flags flags.json"
  static let notes = """
    The line of output is the link to open. It works once, in one browser on this machine; start again for another one.
    With --source, the pages that rename, retire or delete a flag show what reads it.
    Changes of the document appear at once. Saving fails with a conflict if someone else changed it first.
    Several documents, each with the name of its environment, or several sets stand side by side: a page shows what
    differs, and a flag can be promoted from one to another. Those called prod or production, or NAME=FILE:production,
    are marked.
    With etcd, saving publishes to all servers. With etcd or --history, the console shows the history, and can go back.
    Each change is shown before it is saved, with the test users who get another variant.
    """

  func finish(_ operands: Operands) throws(UsageError) {
    try operands.check()
    try source.check(allowsSeveral: true)
    try team.check()
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
    let team = try team.team(of: sessions.map(\.name), on: terminal)
    let server = try mapError(try self.server(of: sessions, for: team, on: terminal), ToolError.listening)
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
    let environments = try environments()
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

  private func environments() throws(ToolError) -> [(name: String, source: ConsoleSource)] {
    try mapError(try source.environments()) { (error: UsageError) in ToolError.server("\(error)") }
  }

  private func server(
    of sessions: [(name: String, session: ConsoleSession)], for team: ConsoleTeam?, on terminal: Terminal
  ) throws -> FlagConsoleServer {
    let log: @Sendable (String) -> Void = { terminal.printError("flagctl: \($0)") }
    if let user = users.first { for (_, session) in sessions { try session.console.signIn(user) } }
    let marked = Set(try self.environments().filter(\.source.isProduction).map(\.name))
    let environments =
      sessions.count == 1
      ? FlagEnvironments(alone: sessions[0].session.console)
      : try FlagEnvironments(sessions.map { ($0.name, $0.session.console) }, production: marked.isEmpty ? nil : marked)
    guard let team else { return try FlagConsoleServer(environments, port: port, log: log) }
    let server = try FlagConsoleServer(environments, for: team, port: port, log: log)
    log("listens for the proxy at \(team.host), port \(server.port)")
    return server
  }
}
