import FlagDefinitions
import FlagPublishing

extension FleetSet {
  func servers() throws(ToolError) -> [ServerReport] {
    try answer { (store) async throws(DefinitionStoreError) in try await store.servers() }
  }

  /// Returns a note if no server that reports is in the share of a candidate; nil if one is.
  func unchosen(by candidate: StagedRevision) -> String? {
    let share = "\(candidate.percent) %"
    let names: [String]
    do throws(ToolError) { names = try servers().filter { !$0.isAbsent }.map(\.name) } catch {
      return "flagctl: \(name): it is unknown whether \(share) chooses a server: the reports cannot be read"
    }
    if names.isEmpty { return "flagctl: \(name): \(share) chooses no server: none reports" }
    func chooses(_ percent: Int) -> Bool {
      names.contains { StagedRevision(revision: candidate.revision, percent: percent).includes(server: $0) }
    }
    if chooses(candidate.percent) { return nil }
    let servers = names.count == 1 ? "the server that reports" : "any of the \(names.count) servers that report"
    let wider = (candidate.percent...99).first { chooses($0) }.map { "\($0) %" } ?? "100 %"
    return "flagctl: \(name): \(share) does not choose \(servers): the smallest share that does is \(wider)"
  }

  func removedWords(_ count: Int) -> String { "\(count) earlier \(count == 1 ? "revision" : "revisions") removed" }
}
