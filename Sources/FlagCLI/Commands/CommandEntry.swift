import FlagDomain

/// An entry in the table of commands, which help, parsing and shell completion use.
struct CommandEntry: Sendable {
  let name: String
  let summary: String
  let type: any Command.Type
  /// The allowed words for the command's operand; empty if operands are files or anything else.
  let operands: [String]

  private init(_ name: String, _ summary: String, _ type: any Command.Type, operands: [String] = []) {
    self.name = name
    self.summary = summary
    self.type = type
    self.operands = operands
  }
}

extension CommandEntry {
  /// All commands, in the order of help.
  static let all = [
    CommandEntry("validate", "finds what is wrong with documents", ValidateCommand.self),
    CommandEntry("evaluate", "evaluates flags for many contexts, one case on each line", EvaluateCommand.self),
    CommandEntry("explain", "shows how a flag's value comes about for one context", ExplainCommand.self),
    CommandEntry("expired", "lists flags that should be gone by now", ExpiredCommand.self),
    CommandEntry("serve", "serves documents over HTTP, and evaluates their flags over OFREP", ServeCommand.self),
    CommandEntry("console", "shows the flags of a document in a browser, and edits them", ConsoleCommand.self),
    CommandEntry("list", "lists flags with their values", ListCommand.self),
    CommandEntry("get", "writes the value of a flag", GetCommand.self),
    CommandEntry("set", "overrides a flag", SetCommand.self),
    CommandEntry("clear", "clears overrides", ClearCommand.self),
    CommandEntry("watch", "writes flags whenever they change", WatchCommand.self),
    CommandEntry("diff", "says what a change of documents does to which users", DiffCommand.self),
    CommandEntry("check", "compares documents with the flags that code declares", CheckCommand.self),
    CommandEntry(
      "references", "says where flags are declared and read, and which nothing reads", ReferencesCommand.self),
    CommandEntry("publish", "publishes a document to the servers of a set, or to a share of them", PublishCommand.self),
    CommandEntry("stage", "gives a candidate to more servers or to fewer, to all or to none", StageCommand.self),
    CommandEntry("rollback", "publishes an earlier revision of a set again", RollbackCommand.self),
    CommandEntry("promote", "publishes the document of one set to another", PromoteCommand.self),
    CommandEntry("schedule", "writes into a document when a flag gives a variant", ScheduleCommand.self),
    CommandEntry("history", "lists what was published, by whom, when and why", HistoryCommand.self),
    CommandEntry("pull", "writes a document that was published", PullCommand.self),
    CommandEntry("fleet", "shows which servers run what, lag behind, or fail", FleetCommand.self),
    CommandEntry("analyze", "says what an experiment did, from its events", AnalyzeCommand.self),
    CommandEntry("simulate", "writes the events of an experiment that did not happen", SimulateCommand.self),
    CommandEntry(
      "completions", "writes a script that completes command lines in a shell", CompletionsCommand.self,
      operands: Shell.allCases.map(\.rawValue)),
  ]

  static var help: String { TextTable(all.map { ["  \($0.name)", $0.summary] }).text }
}
