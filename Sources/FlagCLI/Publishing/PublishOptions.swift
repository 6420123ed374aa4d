import FlagDefinitions
import FlagReview

/// How something is published: to whom, as whom, and whether a person is asked.
struct PublishOptions {
  private(set) var expected: Int?
  private(set) var percent: Int?
  private(set) var author: String?
  private(set) var reason = ""
  private(set) var isAgreed = false
  private(set) var kept: Int?
  private(set) var audience = Audience()

  static let options = [
    CommandOption(
      "--expect", .text("REVISION"), "the revision that is to be replaced; else nothing is published (exit code 75)"),
    CommandOption(
      "--percent", .text("NUMBER"),
      """
      the share of the servers that runs the document, as a candidate, chosen by their names; all
      unless told otherwise
      """),
    CommandOption("--author", .text("NAME"), "who publishes (USER unless told otherwise)"),
    CommandOption("--reason", .text("WORDS"), "why"),
    CommandOption("--keep", .text("NUMBER"), "removes all but so many of the newest revisions afterwards"),
    CommandOption(
      "--users", .text("NUMBER"),
      "how many users the change is tried on, where it has to be (10000 unless told otherwise)"),
    agreement,
  ]

  /// The option that spares the question.
  static let agreement = CommandOption("--yes", "asks nobody whether the change is wanted")
}

extension PublishOptions {
  /// Reads an option that is one of these; returns false for any other word.
  mutating func take(_ word: String, from arguments: inout Arguments) throws(UsageError) -> Bool {
    switch word {
    case "--expect": expected = try arguments.integer(of: word, in: 1...Int.max)
    case "--percent": percent = try arguments.integer(of: word, in: 1...100)
    case "--author": author = try arguments.value(of: word)
    case "--reason": reason = try arguments.value(of: word)
    case "--users": audience.users = try arguments.integer(of: word, in: 1...100_000_000)
    case "--keep": kept = try arguments.integer(of: word, in: 1...Int.max)
    case "--yes": isAgreed = true
    default: return false
    }
    return true
  }
}

extension Terminal {
  /// Asks a person whether a change is wanted, unless that was said before.
  ///
  /// - Throws: Where it is not wanted, and where there is nobody to ask.
  func agree(_ isAgreed: Bool, to question: String, of set: String) throws(ToolError) {
    if isAgreed { return }
    guard isInteractive() else {
      throw .usage("\(set): nobody can be asked, since standard input is no terminal: --yes is missing")
    }
    guard try ask(question) else { throw .data("\(set): nothing was changed") }
  }
}
