import FlagDefinitions
import FlagDomain
import FlagPublishing

struct StageCommand: Command {
  private var fleet = FleetOptions()
  private var percent: Int?
  private var expected: Int?
  private var isAgreed = false
  private var bucketing = Bucketing.v3

  static var options: [Option<Self>] {
    FleetOptions.options.of(\.fleet)
    Option(
      "--percent", .integer(in: 0...100),
      "the share of the servers, chosen by their names: 100 is all, and 0 withdraws it", \.percent)
    Option(
      "--expect", .integer("REVISION", in: 1...Int.max),
      "the candidate; if it is another one, nothing changes (exit code 75)", \.expected)
    [Option<Self>.bucketing(\.bucketing)].shared(.document)
    Option.agreement(\.isAgreed)
  }

  static let summary = """
    Gives the candidate of a set to more or fewer servers. A wider share includes the servers of the narrower one.
    """
  static let usage = "stage --percent NUMBER --etcd URL --set NAME [option ...]"
  static let example = "stage --percent 50 --etcd https://etcd:2379 --set production"
  static let notes = "Before more servers get it, the effect on users is shown, and confirmation is asked for."

  func finish(_ operands: Operands) throws(UsageError) {
    try operands.check()
    try fleet.checkSet()
    if percent == nil { throw UsageError("--percent NUMBER is missing") }
  }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    let set = try fleet.set(bucketing: bucketing, on: terminal)
    let (head, percent) = (try set.head(), percent ?? 0)
    guard let candidate = head.candidate else { throw .data("\(set.name): \(head) has no candidate") }
    let number = candidate.revision.number
    if let expected, expected != number {
      throw .conflict(["\(set.name): nothing was changed: expected candidate \(expected), found \(head)"])
    }
    if percent > candidate.percent {
      let (old, new) = (try set.definitions(of: head.revision.number), try set.definitions(of: number))
      try terminal.print(
        try terminal.changes(from: old, to: new, named: ("revision \(head.revision.number)", "revision \(number)")))
      if percent < 100, let line = set.unchosen(by: StagedRevision(revision: candidate.revision, percent: percent)) {
        terminal.printError(line)
      }
      let share = percent == 100 ? "all servers" : "\(percent) % of the servers"
      try terminal.agree(isAgreed, to: "Give revision \(number) to \(share) of \(set.name)?", of: set.name)
    }
    _ = try set.answer(ifConflict: { () throws(ToolError) in try Self.conflict(set, over: head) }) {
      (store) async throws(DefinitionStoreError) in
      try await store.stage(percent: percent, expecting: head)
    }
    try terminal.print("\(set.name): \(Self.outcome(number, percent, head))\n")
    return .success
  }

  private static func conflict(_ set: FleetSet, over head: PublishedHead) throws(ToolError) -> ToolError {
    let now = try mapError(try set.headIfAny(), ToolError.published)
    let newer = [now?.candidate?.revision, now?.revision].compactMap { $0 }.filter { $0.number > head.revision.number }
    return .conflict(
      ["\(set.name): nothing was changed: expected \(head), found \(now.map { "\($0)" } ?? "nothing")"]
        + newer.map { "\(set.name): \($0.words)" })
  }

  private static func outcome(_ number: Int, _ percent: Int, _ head: PublishedHead) -> String {
    switch percent {
    case 0: "candidate \(number) is withdrawn; all servers run revision \(head.revision.number)"
    case 100: "revision \(number) is published"
    default: "revision \(number) is a candidate on \(percent) % of the servers"
    }
  }
}
