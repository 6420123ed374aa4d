import FlagDomain
import FlagSupport

/// An entry in the table of commands, which help, parsing and shell completion use.
struct CommandEntry: Sendable {
  let name: String
  let summary: String
  let type: any Command.Type
  /// The purpose of the command; nil for one that help lists elsewhere.
  private let group: Group?

  private enum Group: String, CaseIterable { case read, change, check, publish, measure }

  private init(_ group: Group?, _ name: String, _ summary: String, _ type: any Command.Type) {
    (self.group, self.name, self.summary, self.type) = (group, name, summary, type)
  }

  /// All commands, in the order of help.
  static let all = [
    CommandEntry(.read, "list", "all flags: what is on", ListCommand.self),
    CommandEntry(.read, "explain", "who gets what, and why", ExplainCommand.self),
    CommandEntry(.read, "get", "the value of one flag", GetCommand.self),
    CommandEntry(.read, "history", "who did what, and when", HistoryCommand.self),
    CommandEntry(.read, "evaluate", "for many users at once", EvaluateCommand.self),
    CommandEntry(.read, "console", "all in a browser", ConsoleCommand.self),
    CommandEntry(.change, "create", "a new flag", CreateCommand.self),
    CommandEntry(.change, "on", "switches a flag on", OnCommand.self),
    CommandEntry(.change, "off", "off for everyone", OffCommand.self),
    CommandEntry(.change, "default", "a variant for the rest", DefaultCommand.self),
    CommandEntry(.change, "share", "for 10 %, where, when", ShareCommand.self),
    CommandEntry(.change, "schedule", "on and off at a time", ScheduleCommand.self),
    CommandEntry(.change, "variants", "the values of a flag", VariantsCommand.self),
    CommandEntry(.change, "copy", "to a new key", CopyCommand.self),
    CommandEntry(.change, "rename", "gives it another key", RenameCommand.self),
    CommandEntry(.change, "retire", "off, to be deleted", RetireCommand.self),
    CommandEntry(.change, "delete", "removes a flag", DeleteCommand.self),
    CommandEntry(.change, "set", "overrides it for tests", SetCommand.self),
    CommandEntry(.change, "clear", "ends overrides", ClearCommand.self),
    CommandEntry(.check, "validate", "is a file right?", ValidateCommand.self),
    CommandEntry(.check, "diff", "whom a change affects", DiffCommand.self),
    CommandEntry(.check, "check", "expired; not in code", CheckCommand.self),
    CommandEntry(.check, "references", "unused flags in code", ReferencesCommand.self),
    CommandEntry(.check, "convert", "from another vendor", ConvertCommand.self),
    CommandEntry(.publish, "publish", "a file to all servers", PublishCommand.self),
    CommandEntry(.publish, "stage", "to some servers first", StageCommand.self),
    CommandEntry(.publish, "restore", "undo: an earlier state", RestoreCommand.self),
    CommandEntry(.publish, "promote", "from one set to another", PromoteCommand.self),
    CommandEntry(.publish, "pull", "what is published", PullCommand.self),
    CommandEntry(.publish, "fleet", "which servers lag", FleetCommand.self),
    CommandEntry(.publish, "prune", "removes old revisions", PruneCommand.self),
    CommandEntry(.publish, "serve", "flags over HTTP", ServeCommand.self),
    CommandEntry(.measure, "analyze", "which variant won", AnalyzeCommand.self),
    CommandEntry(.measure, "simulate", "how many users it takes", SimulateCommand.self),
    CommandEntry(nil, "completions", "prints a shell's script", CompletionsCommand.self),
  ]

  /// The table of help: two commands a line.
  static var help: String {
    let rows = Group.allCases.flatMap { group in
      let commands = all.filter { $0.group == group }
      return stride(from: 0, to: commands.count, by: 2).map { index in
        let pair = commands[index...].prefix(2).flatMap { [$0.name, $0.summary] }
        return [index == 0 ? group.rawValue : ""] + pair + Array(repeating: "", count: 4 - pair.count)
      }
    }
    return TextTable(rows).text
  }

  /// The words that other tools have for a command.
  private static let synonyms = [
    "add": "create", "new": "create", "make": "create", "enable": "on", "disable": "off", "kill": "off",
    "rollout": "share", "percent": "share", "rollback": "restore", "revert": "restore", "undo": "restore",
    "log": "history", "blame": "history", "ls": "list", "show": "list", "status": "list", "why": "explain",
    "who": "explain", "remove": "delete", "archive": "retire", "lint": "validate", "edit": "console",
  ]

  /// Returns the command that someone may have meant; nil if none is near.
  static func closest(to name: String) -> String? { synonyms[name] ?? all.map(\.name).closest(to: name) }
}
