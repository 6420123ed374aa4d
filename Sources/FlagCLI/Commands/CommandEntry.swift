/// A command in the table that help lists, the command line is looked up in, and shells complete.
struct CommandEntry: Sendable {
  /// The name.
  let name: String
  /// What the command does, in a line.
  let summary: String
  let type: any Command.Type
  /// The words of which one is the command's operand; none where operands are files or anything else.
  var operands: [String] = []
}

extension CommandEntry {
  /// Every command, in the order in which help lists them.
  static let all = [
    CommandEntry(name: "validate", summary: "finds what is wrong with documents", type: ValidateCommand.self),
    CommandEntry(
      name: "evaluate", summary: "evaluates flags for many contexts, one case on each line", type: EvaluateCommand.self),
    CommandEntry(
      name: "explain", summary: "shows how a flag's value comes about for one context", type: ExplainCommand.self),
    CommandEntry(name: "expired", summary: "lists flags that should be gone by now", type: ExpiredCommand.self),
    CommandEntry(
      name: "serve", summary: "serves documents over HTTP, and evaluates their flags over OFREP",
      type: ServeCommand.self),
    CommandEntry(
      name: "console", summary: "shows the flags of a document in a browser, and edits them", type: ConsoleCommand.self),
    CommandEntry(name: "list", summary: "lists flags with their values", type: ListCommand.self),
    CommandEntry(name: "get", summary: "writes the value of a flag", type: GetCommand.self),
    CommandEntry(name: "set", summary: "overrides a flag", type: SetCommand.self),
    CommandEntry(name: "clear", summary: "clears overrides", type: ClearCommand.self),
    CommandEntry(name: "watch", summary: "writes flags whenever they change", type: WatchCommand.self),
    CommandEntry(
      name: "diff", summary: "says what a change of documents does to which users", type: DiffCommand.self),
    CommandEntry(
      name: "check", summary: "compares documents with the flags that code declares", type: CheckCommand.self),
    CommandEntry(
      name: "references", summary: "says where flags are declared and read, and which nothing reads",
      type: ReferencesCommand.self),
    CommandEntry(
      name: "publish", summary: "publishes a document to the servers of a set, or to a share of them",
      type: PublishCommand.self),
    CommandEntry(
      name: "stage", summary: "gives a candidate to more servers or to fewer, to all or to none",
      type: StageCommand.self
    ),
    CommandEntry(
      name: "rollback", summary: "publishes an earlier revision of a set again", type: RollbackCommand.self),
    CommandEntry(name: "promote", summary: "publishes the document of one set to another", type: PromoteCommand.self),
    CommandEntry(
      name: "schedule", summary: "writes into a document when a flag gives a variant", type: ScheduleCommand.self),
    CommandEntry(
      name: "history", summary: "lists what was published, by whom, when and why", type: HistoryCommand.self),
    CommandEntry(name: "pull", summary: "writes a document that was published", type: PullCommand.self),
    CommandEntry(
      name: "fleet", summary: "shows which servers run what, lag behind, or fail", type: FleetCommand.self),
    CommandEntry(
      name: "analyze", summary: "says what an experiment did, from its events", type: AnalyzeCommand.self),
    CommandEntry(
      name: "simulate", summary: "writes the events of an experiment that did not happen", type: SimulateCommand.self),
    CommandEntry(
      name: "completions", summary: "writes a script that completes command lines in a shell",
      type: CompletionsCommand.self, operands: Shell.allCases.map(\.rawValue)),
  ]

  /// The lines of a help text.
  static var help: String {
    let width = all.map(\.name.count).max() ?? 0
    return all.map { "  \($0.name)\(String(repeating: " ", count: width - $0.name.count + 2))\($0.summary)" }
      .joined(separator: "\n")
  }
}
