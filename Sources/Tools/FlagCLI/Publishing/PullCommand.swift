import FlagDefinitions
import FlagDomain
import FlagFoundation
import FlagPublishing

struct PullCommand: Command {
  private var fleet = FleetOptions()
  private var revision: Int?
  private var output: String?

  static var options: [Option<Self>] {
    FleetOptions.options.of(\.fleet)
    Option(
      "--revision", .integer(in: 1...Int.max), "the revision (default: the one that servers run)",
      \.revision)
    Option("--output", .file, "the file to write (default: standard output)", \.output)
  }

  static let summary = "Prints the document of a set exactly as it was published."
  static let usage = "pull --etcd URL --set NAME [option ...]"
  static let example = "pull --etcd https://etcd:2379 --set production > flags.json"

  func finish(_ operands: Operands) throws(UsageError) {
    try operands.check()
    try fleet.checkSet()
  }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    let set = try fleet.set(on: terminal)
    let (number, text) = if let revision { (revision, try set.text(of: revision)) } else { try set.currentText() }
    guard let output else {
      try terminal.printContent(String(decoding: text, as: UTF8.self))
      return .success
    }
    try terminal.save(Data(text), to: output)
    try terminal.print("\(set.name): revision \(number) is in \(output)\n")
    return .success
  }
}
