import FlagDefinitions
import FlagPublishing

/// The options of a publication: its author, and whether to ask for agreement.
struct PublishOptions: OptionGroup {
  private(set) var expected: Int?
  private(set) var percent: Int?
  private(set) var author: String?
  private(set) var reason = ""
  private(set) var isAgreed = false
  private(set) var kept: Int?
  private(set) var isOverBroken = false
  private(set) var bucketing = Bucketing.v3
  private(set) var isDryRun = false
  private(set) var isJSON = false

  static var options: [Option<Self>] {
    changeOptions
    Option(
      "--over-broken",
      """
      publishes although the head or the document that it replaces cannot be read; the effect is
      then shown against the newest revision that can be read
      """, \.isOverBroken)
  }

  /// The options that publications have which are based on the current document.
  @OptionsBuilder<Self> static var changeOptions: [Option<Self>] {
    Option(
      "--expect", .integer("REVISION", in: 1...Int.max),
      "the revision to replace; if it is another one, nothing is published (exit code 75)", \.expected)
    Option(
      "--percent", .integer(in: 1...100),
      """
      the share of the servers that runs the document, as a candidate, chosen by their names
      (default: all servers, without a candidate)
      """, \.percent)
    Option("--author", .text("NAME"), "the author (default: $USER)", \.author)
    Option("--reason", .text("WORDS"), "the reason, for the history", \.reason)
    Option("--keep", .integer(in: 1...Int.max), "afterwards removes all but this many of the newest revisions", \.kept)
    [Option<Self>.bucketing(\.bucketing)].shared(.document)
    Option.agreement(\.isAgreed)
    Option("--dry-run", "shows the effect, and changes nothing", \.isDryRun)
    Option.json(\.isJSON)
  }

  /// Returns the note of a publication, whose reason is before the one on the command line.
  func note(_ reason: String, on terminal: Terminal) -> PublicationNote {
    PublicationNote(
      author: author ?? terminal.author,
      reason: [reason, self.reason].filter { !$0.isEmpty }.joined(separator: ": "))
  }

  /// The option that is given although a file has no servers or revisions for it; nil if there is none.
  var unusedForFile: String? {
    let given = [("--percent", percent != nil), ("--expect", expected != nil), ("--keep", kept != nil)]
    return given.first { $0.1 }?.0
  }

  /// The option for a history that is given; nil if there is none.
  var historyOption: String? { author != nil ? "--author" : reason.isEmpty ? nil : "--reason" }
}

extension Option {
  static func agreement(_ property: Property<Bool>) -> Self {
    Self("--yes", "does not ask for confirmation", property)
  }
}

extension Terminal {
  /// Asks for agreement to a change, unless it was given on the command line.
  ///
  /// - Throws: An error if the answer is no, or if the terminal is not interactive: it names the missing option.
  func agree(
    _ isAgreed: Bool, to question: String, of set: String, unless option: String = "--yes"
  ) throws(ToolError) {
    if isAgreed { return }
    guard isInteractive() else {
      throw .usage("\(set): standard input is not a terminal, so nobody can confirm: \(option) is missing")
    }
    guard try ask(question) else { throw .data("\(set): nothing was changed") }
  }
}
