import FlagDefinitions
import FlagDomain
import FlagEditing
import FlagReview
import FlagSupport

/// The flag that a command takes from its readers, and what reads it: options that several commands share.
struct LeavingOptions: OptionGroup {
  private var change = ChangeOptions()
  private var readers = ReaderOptions()
  private var isForced = false

  static var options: [Option<Self>] {
    ReaderOptions.options.of(\.readers)
    Option("--force", "changes the flag although something reads it", \.isForced)
    ChangeOptions.options.of(\.change)
  }

  static let notes = "With --source, what reads the flag is shown, and the flag is changed only with --force then."

  func check() throws(UsageError) {
    try change.check()
  }

  /// Makes an edit that takes a flag from its readers, if nothing reads it or the edit is forced.
  func run(_ edit: DefinitionEdit, on terminal: Terminal) throws(ToolError) -> ExitCode {
    try readers.check(edit.keys[0], in: change.current(on: terminal).document, isForced: isForced, on: terminal)
    return try change.run(edit, on: terminal)
  }
}

struct RenameCommand: Command {
  private var leaving = LeavingOptions()
  private var (key, name) = ("", "")

  static var options: [Option<Self>] { LeavingOptions.options.of(\.leaving) }

  static let summary = "Gives a flag of a document another key; code that reads the old one gets its own default then."
  static let usage = ChangeOptions.usage("rename FLAG NEW")
  static let notes = """
    \(LeavingOptions.notes)
    Shares by the flag's key have other users afterwards.
    """

  mutating func finish(_ operands: Operands) throws(UsageError) {
    (key, name) = try operands.pair
    try leaving.check()
  }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    try leaving.run(.rename(key, to: name), on: terminal)
  }
}

struct DeleteCommand: Command {
  private var leaving = LeavingOptions()
  private var key = ""

  static var options: [Option<Self>] { LeavingOptions.options.of(\.leaving) }

  static let summary = "Deletes a flag of a document; code that reads it gets its own default then."
  static let usage = ChangeOptions.usage("delete FLAG")
  static let notes = LeavingOptions.notes

  mutating func finish(_ operands: Operands) throws(UsageError) {
    key = try operands.one("FLAG")
    try leaving.check()
  }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    try leaving.run(.delete(key), on: terminal)
  }
}

struct RetireCommand: Command {
  private var leaving = LeavingOptions()
  private var key = ""
  private var gone: CalendarDay?

  /// The days until a retired flag may be deleted, if the command line has no day.
  private static let usualDays: Int64 = 30

  static var options: [Option<Self>] {
    Option("--gone", .day, "the last day of the flag (default: in \(usualDays) days)", \.gone)
    LeavingOptions.options.of(\.leaving)
  }

  static let summary = """
    Switches a flag of a document off for everyone, and marks it: after a day it may be deleted, and check lists it.
    """
  static let usage = ChangeOptions.usage("retire FLAG")
  static let notes = LeavingOptions.notes

  mutating func finish(_ operands: Operands) throws(UsageError) {
    key = try operands.one("FLAG")
    try leaving.check()
  }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    let day = gone ?? CalendarDay(seconds: terminal.now() + Self.usualDays * Timestamp.secondsPerDay)
    return try leaving.run(.retire(key, gone: day), on: terminal)
  }
}
