import FlagDomain
import FlagJSON

/// The options that one would type each time: those in the file `.flagctl.json` of the folder, and in variables.
struct Settings {
  /// The use that a command has for settings that say where flags are.
  enum Use {
    /// The flags of a file, or else those of a set.
    case fileOrSet
    /// A file and a set.
    case both
    /// None: the command is about something else.
    case none
  }

  /// An option as the settings have it.
  struct Value {
    let texts: [String]
    /// The place that has it: the path of the file, or the name of the variable.
    let source: String
    /// Whether the file has it, which may be someone else's.
    let isOfFile: Bool
  }

  private(set) var values: [String: Value] = [:]

  /// The options that name and reach a set; those and `--flags` may be in variables, such as FLAGCTL_FLAGS.
  static let setOptions = FleetOptions.options.map(\.name)

  /// The options that the file may have: none that writes elsewhere, skips a question, or says whom to trust, since a
  /// folder may be someone else's.
  static let fileOptions = [
    "--flags", "--etcd", "--set", "--etcd-prefix", "--etcd-user", "--author", "--bucketing", "--format", "--source",
    "--catalog", "--user", "--attributes",
  ]

  init(on terminal: Terminal) throws(ToolError) {
    if let path = terminal.settings { try read(terminal.contents(of: path), path) }
    for name in Self.setOptions + ["--flags"] {
      let variable = "FLAGCTL_" + name.dropFirst(2).uppercased().replacing("-", with: "_")
      if let text = terminal.environment[variable] {
        values[name] = Value(texts: [text], source: variable, isOfFile: false)
      }
    }
  }

  private mutating func read(_ text: some Sequence<UInt8>, _ path: String) throws(ToolError) {
    let value = try mapError(try FlagValue(json: Array(text))) { (error: JSONError) in
      ToolError.data("\(path): \(error)")
    }
    guard let fields = value.fields else {
      throw .data("\(path): expected an object of options, found \(value.typeName)")
    }
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
      guard Self.fileOptions.contains("--\(name)") else {
        let names = Self.fileOptions.map { $0.dropFirst(2) }.joined(separator: ", ")
        throw .data("\(path): expected one of the options \(names), found \(name.excerpt)")
      }
      let elements = value.elements ?? [value]
      let texts = elements.compactMap(\.text)
      guard texts.count == elements.count else {
        throw .data("\(path): \(name): expected a text, or a list of texts, found \(value.printed.excerpt)")
      }
      values["--\(name)"] = Value(texts: texts, source: path, isOfFile: true)
    }
  }
}
