import FlagDefinitions
import FlagDomain
import FlagPublishing

struct FleetCommand: Command {
  private var fleet = FleetOptions()
  private var isJSON = false
  private var forgotten: [String] = []
  private var forgetsAbsent = false

  static var options: [Option<Self>] {
    FleetOptions.options.of(\.fleet)
    Option(
      "--forget", .setName(), "takes an absent server out of the list; may be given several times",
      addingTo: \.forgotten)
    Option("--forget-absent", "takes all absent servers out of the list", \.forgetsAbsent)
    Option.json(\.isJSON)
  }

  static let summary = """
    Lists the servers of a set with their revisions: which ones are up to date, lag behind, or fail, and why.
    """
  static let usage = "fleet --etcd URL --set NAME [option ...]"
  static let example = "fleet --etcd https://etcd:2379 --set production"
  static let notes = """
    The exit code is 3 if a server lags, fails, is absent, or shares its name with another one. A server is absent if it
    has not reported for the time of its lease, and has not signed off: it was killed, or is cut off from etcd.
    """

  func finish(_ operands: Operands) throws(UsageError) {
    try operands.check()
    try fleet.checkSet()
  }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    let set = try fleet.set(on: terminal)
    try forget(in: set)
    let (head, problem) = try set.readableHead()
    let report = FleetReport(set: set.name, head: head, problem: problem, reports: try set.servers())
    try terminal.print(isJSON ? "\(report.json.printed)\n" : report.text)
    return report.isHealthy ? .success : .behind
  }

  private func forget(in set: FleetSet) throws(ToolError) {
    var names = forgotten
    if forgetsAbsent { names += try set.servers().filter(\.isAbsent).map(\.name) }
    for name in names {
      let isForgotten = try set.answer { (store) async throws(DefinitionStoreError) in
        try await store.forget(server: name)
      }
      guard isForgotten else {
        throw .data("\(set.name): \(name.excerpt) is no absent server: it reports, or is not listed")
      }
    }
  }
}
