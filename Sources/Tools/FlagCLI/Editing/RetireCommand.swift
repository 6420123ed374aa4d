import FlagDefinitions
import FlagDomain
import FlagEditing
import FlagReview
import FlagSupport

/// The readers of a flag that a command takes away: options that several commands share.
struct LeavingOptions: OptionGroup {
  fileprivate var readers = ReaderOptions()
  fileprivate var isForced = false

  static var options: [Option<Self>] {
    ReaderOptions.options.of(\.readers)
    Option("--force", "changes the flag although something reads it", \.isForced)
  }
}

/// A command that takes a flag from its readers.
protocol LeavingCommand: ChangeCommand {
  var leaving: LeavingOptions { get set }
}

extension LeavingCommand {
  @OptionsBuilder<Self> static var options: [Option<Self>] {
    LeavingOptions.options.of(\.leaving)
    ChangeOptions.options.of(\.change)
  }

  static var notes: String {
    "With --source, what reads the flag is shown, and the flag is changed only with --force then."
  }

  /// Makes an edit that takes a flag from its readers, if nothing reads it or the edit is forced.
  fileprivate func leave(_ edit: DefinitionEdit, on terminal: Terminal) throws(ToolError) -> ExitCode {
    try leaving.readers.check(key, in: change.current(on: terminal).document, isForced: leaving.isForced, on: terminal)
    return try change.run(edit, on: terminal)
  }
}

struct RenameCommand: LeavingCommand {
  var leaving = LeavingOptions()
  var change = ChangeOptions()
  var operands: [String] = []

  static let summary = """
    Gives a flag of a document another key; code that reads the old one gets its own default then. Shares by the flag's
    key have other users afterwards.
    """
  static let usage = "rename FLAG NEW [option ...]"
  static let example = "rename new-page start-page --source Sources --flags flags.json"

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    try leave(.rename(key, to: operands[1]), on: terminal)
  }
}

struct DeleteCommand: LeavingCommand {
  var leaving = LeavingOptions()
  var change = ChangeOptions()
  var operands: [String] = []

  static let summary = "Deletes a flag of a document; code that reads it gets its own default then."
  static let usage = "delete FLAG [option ...]"
  static let example = "delete new-page --source Sources --flags flags.json"

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode { try leave(.delete(key), on: terminal) }
}

struct RetireCommand: LeavingCommand {
  var leaving = LeavingOptions()
  var change = ChangeOptions()
  var operands: [String] = []
  private var gone: CalendarDay?

  /// The days until a retired flag may be deleted, if the command line has no day.
  private static let usualDays: Int64 = 30

  static var options: [Option<Self>] {
    Option("--gone", .day, "the last day of the flag (default: in \(usualDays) days)", \.gone)
    LeavingOptions.options.of(\.leaving)
    ChangeOptions.options.of(\.change)
  }

  static let summary = """
    Switches a flag of a document off for everyone, and marks it: after a day it may be deleted, and check lists it.
    """
  static let usage = "retire FLAG [option ...]"
  static let example = "retire new-page --gone 2027-01-31 --flags flags.json"

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    let day = gone ?? CalendarDay(seconds: terminal.now() + Self.usualDays * Timestamp.secondsPerDay)
    return try leave(.retire(key, gone: day), on: terminal)
  }
}
