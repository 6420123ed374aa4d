import FlagDomain
import FlagSupport

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

  /// All commands, in the order of help.
  static let all = [
    CommandEntry("validate", "finds errors in documents", ValidateCommand.self),
    CommandEntry("evaluate", "evaluates flags for many contexts, one case on each line", EvaluateCommand.self),
    CommandEntry("explain", "explains a flag's value for one context", ExplainCommand.self),
    CommandEntry("serve", "serves documents over HTTP, and evaluates their flags over OFREP", ServeCommand.self),
    CommandEntry("console", "shows the flags of a document in a browser, and edits them", ConsoleCommand.self),
    CommandEntry("list", "lists flags with their values", ListCommand.self),
    CommandEntry("get", "prints the value of a flag", GetCommand.self),
    CommandEntry("set", "overrides a flag", SetCommand.self),
    CommandEntry("clear", "clears overrides", ClearCommand.self),
    CommandEntry("make", "makes a flag", MakeCommand.self),
    CommandEntry("copy", "copies a flag to a new key", CopyCommand.self),
    CommandEntry("rename", "gives a flag another key", RenameCommand.self),
    CommandEntry("variants", "lists and changes the variants of a flag", VariantsCommand.self),
    CommandEntry("retire", "switches a flag off for everyone, to be deleted after a day", RetireCommand.self),
    CommandEntry("delete", "deletes a flag", DeleteCommand.self),
    CommandEntry("diff", "estimates the effect of a change of documents on users", DiffCommand.self),
    CommandEntry("convert", "converts a vendor's document to the in-house format", ConvertCommand.self),
    CommandEntry("check", "lists expired flags, and compares documents with the flags of code", CheckCommand.self),
    CommandEntry(
      "references", "finds the declarations and reads of flags, and unread flags", ReferencesCommand.self),
    CommandEntry("publish", "publishes a document to the servers of a set, or to a share of them", PublishCommand.self),
    CommandEntry("stage", "gives a candidate to more, fewer, all or no servers", StageCommand.self),
    CommandEntry("rollback", "publishes an earlier revision of a set again", RollbackCommand.self),
    CommandEntry("promote", "publishes the document of one set to another", PromoteCommand.self),
    CommandEntry("schedule", "schedules a variant of a flag", ScheduleCommand.self),
    CommandEntry("history", "lists the published revisions of a set", HistoryCommand.self),
    CommandEntry("pull", "prints a published document", PullCommand.self),
    CommandEntry("fleet", "lists the servers of a set with their revisions", FleetCommand.self),
    CommandEntry("prune", "removes earlier revisions of a set, and makes room in etcd", PruneCommand.self),
    CommandEntry("analyze", "analyzes the events of an experiment", AnalyzeCommand.self),
    CommandEntry("simulate", "simulates the events of an experiment", SimulateCommand.self),
    CommandEntry(
      "completions", "prints a shell's completion script", CompletionsCommand.self,
      operands: Shell.allCases.map(\.rawValue)),
  ]

  static var help: String { TextTable(all.map { ["  \($0.name)", $0.summary] }).text }
}
