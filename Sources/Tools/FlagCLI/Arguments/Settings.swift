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

  private(set) var values: [String: [String]] = [:]
  /// Whether the file alone names the cluster, so that the author of the file would get the user's password.
  private(set) var hasClusterOfFile = false

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
    hasClusterOfFile = values["--etcd"] != nil
    for name in Self.setOptions + ["--flags"] {
      let variable = "FLAGCTL_" + name.dropFirst(2).uppercased().replacing("-", with: "_")
      guard let text = terminal.environment[variable] else { continue }
      values[name] = [text]
      if name == "--etcd" { hasClusterOfFile = false }
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
      values["--\(name)"] = (value.elements ?? [value]).map { $0.text ?? $0.printed }
    }
  }
}
