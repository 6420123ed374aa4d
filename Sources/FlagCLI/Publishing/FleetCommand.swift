import FlagDefinitions
import FlagDomain

struct FleetCommand: Command {
  private var fleet = FleetOptions()
  private var isJSON = false

  static var options: [Option<Self>] {
    FleetOptions.options.of(\.fleet)
    Option.json(\.isJSON)
  }

  static let help = """
    Lists the servers of a set with their revisions: which ones are up to date, lag behind, or fail, and why.

    usage: flagctl fleet --etcd URL[,URL...] --set NAME [option ...]

    \(options.help())

    The exit code is 3 if a server lags or fails. A server that has stopped is not listed once its lease has expired.

    """

  func finish(_ operands: Operands) throws(UsageError) {
    try operands.check()
    try fleet.checkSet()
  }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    let set = try fleet.set(on: terminal)
    let reports = try set.answer { (store) async throws(DefinitionStoreError) in try await store.servers() }
    let report = FleetReport(set: set.name, head: try set.headIfAny(), reports: reports)
    try terminal.print(isJSON ? "\(report.json.printed)\n" : report.text)
    return report.isHealthy ? .success : .behind
  }
}

/// The report of `fleet`: the revisions that the servers of a set run, and those that they should run.
struct FleetReport {
  let set: String
  let head: PublishedHead?
  let servers: [Server]

  struct Server {
    enum State: String {
      case current, candidate, lags, fails
    }

    let report: ServerReport
    let expected: Int?
    let state: State
  }

  init(set: String, head: PublishedHead?, reports: [ServerReport]) {
    self.set = set
    self.head = head
    servers = reports.map { report in
      let expected = head?.revision(for: report.name).number
      let state: Server.State =
        if report.failure != nil {
          .fails
        } else if report.revision != expected {
          .lags
        } else {
          expected == head?.candidate?.revision.number && expected != nil ? .candidate : .current
        }
      return Server(report: report, expected: expected, state: state)
    }
  }

  var isHealthy: Bool { servers.allSatisfy { [.current, .candidate].contains($0.state) } }
}

// MARK: - Text

extension FleetReport {
  var text: String {
    var lines = [head.map { "\(set): \($0.revision.words)" } ?? "\(set): nothing has been published yet"]
    if let candidate = head?.candidate {
      lines.append("\(set): candidate on \(candidate.percent) % of the servers: \(candidate.revision.words)")
    }
    let table = TextTable([["SERVER", "REVISION", "SINCE", "STATE"]] + servers.map(\.cells)).text
    return lines.joined(separator: "\n") + "\n" + (servers.isEmpty ? "" : table) + "\(summary)\n"
  }

  private var summary: String {
    if servers.isEmpty { return "No server reports." }
    let counts: [(Server.State, String)] = [
      (.current, "current"), (.candidate, "with the candidate"), (.lags, "behind"), (.fails, "failing"),
    ]
    let words = counts.compactMap { state, word in
      let count = servers.count { $0.state == state }
      return count == 0 ? nil : "\(count) \(word)"
    }
    return "\(servers.count) \(servers.count == 1 ? "server" : "servers"): \(words.joined(separator: ", "))."
  }
}

extension FleetReport.Server {
  fileprivate var cells: [String] {
    [report.name.printable, report.revision.map { "\($0)" } ?? "none", report.timestamp.time, words]
  }

  private var words: String {
    switch state {
    case .current, .candidate: state.rawValue
    case .lags: "lags: should run \(expected.map { "revision \($0)" } ?? "none")"
    case .fails: "fails: \((report.failure ?? "").printable)"
    }
  }
}

// MARK: - JSON

extension FleetReport {
  var json: FlagValue {
    FlagValue([
      "version": 1, "set": set, "head": head?.json, "isHealthy": isHealthy, "servers": servers.map(\.json),
    ])
  }
}

extension FleetReport.Server {
  fileprivate var json: FlagValue {
    FlagValue([
      "name": report.name, "revision": report.revision, "expected": expected, "state": state.rawValue,
      "failure": report.failure, "timestamp": report.timestamp,
    ])
  }
}
