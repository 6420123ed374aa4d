import FlagConsole
import FlagConsoleWeb
import FlagDomain
import FlagHTTP
import FlagServer

/// The options of a console for a team behind a proxy that signs people in.
struct ConsoleTeamOptions: OptionGroup {
  private var field: HTTPFieldName?
  private var proxies: [String] = []
  private var origin: String?
  private var host: String?
  private var editors: String?

  static var options: [Option<Self>] {
    Option(
      "--user-header", .field,
      """
      serves a team behind a proxy that signs people in: the header field in which it names the person, such as
      X-Forwarded-Email
      """, \.field)
    Option(
      "--trusted-proxy", .network,
      "the proxy, or a network of proxies, whose field is believed; may be given several times", addingTo: \.proxies)
    Option("--origin", .text("URL"), "the address in browsers, such as https://flags.example.com", \.origin)
    Option("--host", .address, "the address to listen on for the proxy (default: 127.0.0.1)", \.host)
    Option(
      "--editors", .file,
      """
      the file of those who may edit, a name on each line, and behind it environments if it is for these alone; * is
      everyone (default: all may look, and nobody may edit); read again on SIGHUP
      """, \.editors)
  }

  func check() throws(UsageError) {
    if field != nil {
      if proxies.isEmpty { throw UsageError("--trusted-proxy ADDRESS is missing: any client could write the field") }
      if origin == nil { throw UsageError("--origin URL is missing: the address at which browsers find the pages") }
      return
    }
    let others = [
      ("--trusted-proxy ADDRESS", !proxies.isEmpty), ("--origin URL", origin != nil), ("--host HOST", host != nil),
      ("--editors FILE", editors != nil),
    ]
    if let option = others.first(where: \.1)?.0 {
      throw UsageError("\(option) is for --user-header NAME: who signs people in?")
    }
  }

  /// Returns the team of some environments; nil for one person on this machine.
  func team(of environments: [String], on terminal: Terminal) throws(ToolError) -> ConsoleTeam? {
    guard let field, let origin else { return nil }
    let known = ConsoleEditorsFile(try read(environments, on: terminal))
    terminal.onReload {
      do throws(ToolError) {
        known.replace(by: try read(environments, on: terminal))
      } catch {
        for line in error.lines { terminal.printError("flagctl: those of before may edit: \(line)") }
      }
    }
    var trusted = TrustedProxies()
    for proxy in proxies { _ = trusted.add(proxy) }
    return ConsoleTeam(at: host ?? "127.0.0.1", behind: trusted, origin: origin, field: field) { known.person($0) }
  }

  private func read(_ environments: [String], on terminal: Terminal) throws(ToolError) -> ConsoleEditors {
    guard let editors else { return ConsoleEditors() }
    let text = String(decoding: try terminal.contents(of: editors), as: UTF8.self)
    return try mapError(try ConsoleEditors(text, environments: environments)) { (error: UsageError) in
      ToolError.data("\(editors): \(error.message)")
    }
  }
}

/// Those who may edit, which are read again while the console runs.
private final class ConsoleEditorsFile: Sendable {
  private let editors: Locked<ConsoleEditors>

  init(_ editors: ConsoleEditors) { self.editors = Locked(editors) }

  func replace(by new: ConsoleEditors) { editors.withLock { $0 = new } }

  func person(_ name: String) -> FlagConsolePerson { editors.withLock { $0.person(name) } }
}

/// The people who may edit definitions, everywhere or in some environments; all others may look.
struct ConsoleEditors: Sendable {
  /// The environments of each name; empty for all.
  private var environments: [Name: Set<String>] = [:]

  /// A name whose letters of ASCII have no case, as addresses of mail; any other letter is itself alone, since others
  /// become one of ASCII in lower case: the sign of the kelvin a k.
  private struct Name: Hashable {
    private let bytes: [UInt8]

    init(_ text: String) {
      bytes = text.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }
  }

  /// Creates a list of nobody.
  init() {}

  /// Parses a file: a name on each line, and the environments that it is for; lines that begin with # say nothing.
  init(_ text: String, environments known: [String]) throws(UsageError) {
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
      guard let name = words.first, !name.hasPrefix("#") else { continue }
      for word in words.dropFirst() where !known.contains(word) {
        let names = known.filter { !$0.isEmpty }.joined(separator: ", ")
        let expected = names.isEmpty ? "a name alone, of a console without environments" : "one of \(names)"
        throw UsageError("line \(index + 1): expected \(expected), found \(word.excerpt)")
      }
      let (key, own) = (Name(name), Set(words.dropFirst()))
      let isEverywhere = own.isEmpty || environments[key]?.isEmpty == true
      environments[key] = isEverywhere ? [] : environments[key, default: []].union(own)
    }
  }

  /// Returns what a person may do.
  func person(_ name: String) -> FlagConsolePerson {
    let own = [name, "*"].compactMap { environments[Name($0)] }
    let places = own.reduce(into: Set()) { $0.formUnion($1) }
    return FlagConsolePerson(
      name, may: own.contains([]) ? .edit : .view, Dictionary(uniqueKeysWithValues: places.map { ($0, .edit) }))
  }
}

extension OptionValue<HTTPFieldName> {
  fileprivate static var field: Self {
    Self("NAME", "is the name of a header field, such as X-Forwarded-Email") { HTTPFieldName($0) }
  }
}
