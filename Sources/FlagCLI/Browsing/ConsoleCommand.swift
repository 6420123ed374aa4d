import FlagComposition
import FlagConsole
import FlagConsoleWeb
import FlagDefinitions
import FlagDomain
import FlagJSON
import FlagProviders
import Foundation

/// Shows the flags of a document in a browser, and edits them, until the tool is told to end.
struct ConsoleCommand: Command {
  private var source = ConsoleSource()
  private var port = 8017
  private var users: [FlagUser] = []
  private var isReadOnly = false

  static let options =
    ConsoleSource.options + [
      CommandOption(
        "--user", .text("JSON"),
        #"a user to sign in as: an object with the id as "targetingKey"; may be given several times"#),
      CommandOption("--read-only", "shows, and changes nothing"),
      CommandOption("--port", .text("PORT"), "the port; 0 for one that is free (8017 unless told otherwise)"),
    ]

  static let help = """
    Shows the flags of a document in a browser: values and why they are so, overrides, and the definitions themselves,
    which can be edited.

    usage: flagctl console --flags FILE [--overrides FILE] [option ...]

    \(options.help)

    The line of output is the link to open. It opens one browser on this machine, once; start again for another one.
    The document is followed; what is saved is refused where someone else has changed it meanwhile.

    """

  init(parsing arguments: Arguments) throws(UsageError) {
    var arguments = arguments
    while let word = try arguments.next() {
      if try source.take(word, from: &arguments) { continue }
      switch word {
      case "--user": users.append(try arguments.user(of: word))
      case "--read-only": isReadOnly = true
      case "--port": port = try arguments.integer(of: word, in: 0...65535)
      default: throw UsageError("unknown argument \(word.excerpt)")
      }
    }
    try source.check()
  }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    var options = FlagBrowser.Options()
    options.allowsImport = true
    options.isReadOnly = isReadOnly
    options.testUsers = users
    let session = try ConsoleSession(source, options: options, on: terminal)
    let server: FlagConsoleServer
    do {
      server = try FlagConsoleServer(session.console, port: port)
    } catch {
      throw .server("\(error)")
    }
    try terminal.print("\(server.url)\n")
    terminal.waitForStop()
    let isOver = DispatchSemaphore(value: 0)
    Task {
      await server.stop()
      isOver.signal()
    }
    isOver.wait()
    withExtendedLifetime(session) {}
    return .success
  }
}

extension Arguments {
  /// Returns the user that is the value of an option that was read.
  mutating func user(of option: String) throws(UsageError) -> FlagUser {
    let text = try value(of: option)
    var attributes: [String: FlagValue]
    do throws(FlagError) {
      attributes = try FlagBrowser.attributes(text)
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
