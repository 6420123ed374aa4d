import FlagDefinitions
import FlagReview

/// The options of a publication: its audience, its author, and whether to ask for agreement.
struct PublishOptions: OptionGroup {
  private(set) var expected: Int?
  private(set) var percent: Int?
  private(set) var author: String?
  private(set) var reason = ""
  private(set) var isAgreed = false
  private(set) var kept: Int?
  private(set) var audience = Audience()

  static var options: [Option<Self>] {
    Option(
      "--expect", .integer("REVISION", in: 1...Int.max),
      "the revision that is to be replaced; else nothing is published (exit code 75)", \.expected)
    Option(
      "--percent", .integer(in: 1...100),
      """
      the share of the servers that runs the document, as a candidate, chosen by their names; all
      unless told otherwise
      """, \.percent)
    Option("--author", .text("NAME"), "who publishes (USER unless told otherwise)", \.author)
    Option("--reason", .text("WORDS"), "why", \.reason)
    Option("--keep", .integer(in: 1...Int.max), "removes all but so many of the newest revisions afterwards", \.kept)
    Option(
      "--users", .integer(in: 1...100_000_000),
      "how many users the change is tried on, where it has to be (10000 unless told otherwise)", \.audience.users)
    Option.agreement(\.isAgreed)
  }
}

extension Option {
  static func agreement(_ property: Property<Bool>) -> Self {
    Self("--yes", "asks nobody whether the change is wanted", property)
  }
}

extension Terminal {
  /// Asks for agreement to a change, unless it was given on the command line.
  ///
  /// - Throws: An error if the answer is no, or if the terminal is not interactive.
  func agree(_ isAgreed: Bool, to question: String, of set: String) throws(ToolError) {
    if isAgreed { return }
    guard isInteractive() else {
      throw .usage("\(set): nobody can be asked, since standard input is no terminal: --yes is missing")
    }
    guard try ask(question) else { throw .data("\(set): nothing was changed") }
  }
}
