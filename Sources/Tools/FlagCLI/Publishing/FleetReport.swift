import FlagDefinitions
import FlagDomain
import FlagPublishing
import FlagSupport

/// The report of `fleet`: the revisions that the servers of a set run, and those that they should run.
struct FleetReport {
  let set: String
  let head: PublishedHead?
  /// The reason why the head cannot be read; nil if it can.
  let problem: String?
  let servers: [Server]

  struct Server {
    enum State: String {
      case current, candidate, lags, fails, shared, absent, unknown
    }

    let report: ServerReport
    let expected: Int?
    let state: State
  }

  init(set: String, head: PublishedHead?, problem: String?, reports: [ServerReport]) {
    self.set = set
    self.head = head
    self.problem = problem
    servers = reports.map { report in
      let expected = head?.revision(for: report.name).number
      let state: Server.State =
        if report.isAbsent {
          .absent
        } else if report.isNameShared {
          .shared
        } else if report.failure != nil {
          .fails
        } else if problem != nil {
          .unknown
        } else if report.revision != expected {
          .lags
        } else {
          expected == head?.candidate?.revision.number && expected != nil ? .candidate : .current
        }
      return Server(report: report, expected: expected, state: state)
    }
  }

  var isHealthy: Bool { servers.allSatisfy { [.current, .candidate].contains($0.state) } }

  // MARK: - Text

  var text: String {
    var lines = [
      head.map { "\(set): \($0.revision.words)" } ?? "\(set): \(problem ?? "nothing has been published yet")"
    ]
    if let candidate = head?.candidate {
      lines.append("\(set): candidate on \(candidate.percent) % of the servers: \(candidate.revision.words)")
    }
    let table = TextTable([["SERVER", "REVISION", "SINCE", "STATE"]] + servers.map(\.cells)).text
    return lines.text + (servers.isEmpty ? "" : table) + "\(summary)\n"
  }

  private var summary: String {
    if servers.isEmpty { return "No server reports." }
    let counts: [(Server.State, String)] = [
      (.current, "current"), (.candidate, "with the candidate"), (.lags, "behind"), (.fails, "failing"),
      (.shared, "with a name that another server has"), (.absent, "absent"), (.unknown, "unknown"),
    ]
    let words = counts.compactMap { state, word in
      let count = servers.count { $0.state == state }
      return count == 0 ? nil : "\(count) \(word)"
    }
    return "\(servers.count.counted("server")): \(words.joined(separator: ", "))."
  }
}

extension FleetReport.Server {
  fileprivate var cells: [String] {
    [report.name.excerpt, report.revision.map { "\($0)" } ?? "none", report.timestamp.time, words]
  }

  private var words: String {
    switch state {
    case .current, .candidate: state.rawValue
    case .lags: "lags: should run \(expected.map { "revision \($0)" } ?? "none")"
    case .fails: "fails: \((report.failure ?? "").excerpt)"
    case .shared: "another server reports under this name"
    case .absent: "absent: no sign of life"
    case .unknown: "unknown, as the head is broken"
    }
  }
}

// MARK: - JSON

extension FleetReport {
  var json: FlagValue {
    FlagValue([
      "version": 1, "set": set, "head": head?.json, "problem": problem, "isHealthy": isHealthy,
      "servers": servers.map(\.json),
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
