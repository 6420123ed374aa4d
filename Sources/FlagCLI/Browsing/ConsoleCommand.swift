import FlagComposition
import FlagConsole
import FlagConsoleWeb
import FlagDefinitions
import FlagDomain
import FlagProviders
import Foundation

struct ConsoleCommand: Command {
  private var source = ConsoleSource()
  private var fleet = FleetOptions()
  private var author: String?
  private var port = 8017
  private var users: [FlagUser] = []
  private var isReadOnly = false

  static var options: [Option<Self>] {
    ConsoleSource.options.of(\.source)
    FleetOptions.options.of(\.fleet)
    Option("--author", .text("NAME"), "with --etcd: the author of saved changes (default: $USER)", \.author)
    Option(
      "--user", .user, #"a user to sign in as: an object with the id as "targetingKey"; may be given several times"#,
      addingTo: \.users)
    Option("--read-only", "allows no changes", \.isReadOnly)
    Option("--port", .port, "the port; 0 for any free one (default: 8017)", \.port)
  }

  static let help = """
    Shows the flags of a document in a browser: values with explanations, overrides, and the definitions, which can be
    edited.

    usage: flagctl console --flags FILE [--overrides FILE] [option ...]
           flagctl console --etcd URL[,URL...] --set NAME [--overrides FILE] [option ...]

    \(options.help())

    The line of output is the link to open. It works once, in one browser on this machine; start again for another one.
    Changes of the document appear at once. Saving fails with a conflict if someone else changed it first.
    With etcd, saving publishes to all servers; the console shows the history, and can go back to a revision.

    """

  func finish(_ operands: Operands) throws(UsageError) {
    try operands.check()
    guard fleet.isUsed else { return try source.check() }
    if !source.paths.isEmpty { throw UsageError("--flags FILE or a set in etcd is enough, found both") }
    try fleet.checkSet()
  }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    var options = ConsoleModel.Options()
    options.allowsImport = true
    options.isReadOnly = isReadOnly
    options.testUsers = users
    options.author = author ?? terminal.author
    let set = fleet.isUsed ? try publishedSet(on: terminal) : nil
    let session = try ConsoleSession(source, publishing: set, options: options, on: terminal)
    let server: FlagConsoleServer
    do {
      server = try FlagConsoleServer(session.console, port: port) { terminal.printError("flagctl: \($0)") }
    } catch {
      throw .server("\(error)")
    }
    try terminal.print("\(server.url)\n")
    terminal.waitForStop()
    terminal.wait { await server.stop() }
    withExtendedLifetime(session) {}
    return .success
  }
}

extension ConsoleCommand {
  /// Returns the store of the set, after it has loaded definitions.
  private func publishedSet(on terminal: Terminal) throws(ToolError) -> any PublishedDefinitionStore {
    var address = try fleet.address(on: terminal)
    address.bucketing = source.bucketing
    let set = try FleetSet(address, on: terminal)
    _ = try set.head()
    do throws(ToolError) {
      try set.answer { (store) async throws(DefinitionStoreError) in try await store.refresh() }
    } catch {
      // What was read before it serves: it follows the set, and catches up.
      guard set.store.current != nil else { throw error }
    }
    return set.store
  }
}

extension OptionValue<FlagUser> {
  static var user: Self {
    Self(.text("JSON")) { (option, text) throws(UsageError) in
      var attributes: [String: FlagValue]
      do throws(FlagError) {
        attributes = try ConsoleModel.attributes(text)
      } catch {
        throw UsageError("\(option) is an object of attributes, \(error.message)")
      }
      guard case .string(let id)? = attributes.removeValue(forKey: "targetingKey") else {
        throw UsageError("\(option) has the user's id as \"targetingKey\", found \(text.excerpt)")
      }
      var country: String?
      if case .string(let code)? = attributes.removeValue(forKey: "countryCode") { country = code }
      let segments = attributes.removeValue(forKey: "segments")?.elements ?? []
      let names = segments.compactMap { if case .string(let name) = $0 { name } else { nil } }
      return FlagUser(id: id, countryCode: country, segments: names, attributes: attributes)
    }
  }
}
