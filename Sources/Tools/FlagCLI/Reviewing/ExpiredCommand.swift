import FlagDefinitions
import FlagDomain
import FlagEditing
import FlagJSON
import FlagReview
import FlagSupport

struct ExpiredCommand: Command {
  private var review = ReviewOptions()
  private var today: CalendarDay?

  static var options: [Option<Self>] {
    Option.today(\.today)
    ReviewOptions.options.of(\.review)
  }

  static let summary = """
    Lists expired flags, with their owners: those whose metadata has a past day under "expires", and retired flags whose
    day under "gone" is over.
    """
  static let usage = """
    expired [option ...] FILE...
    expired --etcd URL[,URL...] --set NAME [option ...] [FILE...]
    """
  static let notes = "The exit code is 1 if there is an expired flag, or an invalid day."

  mutating func finish(_ operands: Operands) throws(UsageError) { try review.finish(operands) }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    let today = today ?? CalendarDay(seconds: terminal.now())
    var found: [(document: ReviewedText, flags: [Expiry])] = []
    let isComplete = try review.forEach(on: terminal) { document throws(ToolError) in
      let flags = try Expiry.all(in: document, today, on: terminal)
      if review.report.format == .text { try terminal.print(flags.map { "\(document.name): \($0.text)" }.text) }
      found.append((document, flags))
    }
    try review.report.print(
      text: { "" },
      json: {
        FlagValue(["version": 1, "flags": found.flatMap { document, flags in flags.map { $0.json(document) } }])
      }, findings: { found.flatMap { document, flags in flags.map { $0.finding(document) } } }, on: terminal)
    return isComplete && found.allSatisfy(\.flags.isEmpty) ? .success : .data
  }
}

/// A flag whose last day is over, or is not a day.
private struct Expiry {
  private let key: String
  private let location: JSONSourceLocation
  /// The day; nil if the metadata have none.
  private let day: CalendarDay?
  private let owner: String?
  private let words: String

  private init?(_ key: String, _ metadata: [String: FlagValue], _ today: CalendarDay, _ location: JSONSourceLocation) {
    let isRetired = FlagRetirement(metadata) != nil && metadata[FlagMetadataName.gone] != nil
    let name = isRetired ? FlagMetadataName.gone : FlagMetadataName.expires
    guard let last = metadata[name] else { return nil }
    owner = metadata[FlagMetadataName.owner]?.text
    if let day = last.text.flatMap({ CalendarDay(validating: $0) }) {
      guard day < today else { return nil }
      words = isRetired ? "retired, to be deleted after \(day)" : "expired on \(day)"
      self.day = day
    } else {
      words = "\(name): expected a day such as \"2027-01-31\", found \(last.text?.quoted ?? last.summary)"
      day = nil
    }
    (self.key, self.location) = (key, location)
  }

  /// Returns the flags of a document, in the order of their keys, and reports the malformed ones.
  static func all(
    in document: ReviewedText, _ today: CalendarDay, on terminal: Terminal
  ) throws(ToolError) -> [Expiry] {
    let flags = try mapError(try FlagDocument(parsing: document.text), ToolError.document(path: document.name))
    terminal.print(.document(path: document.name, flags.diagnostics))
    let keys = flags.keys.sorted()
    let paths = keys.map { DocumentPath.root.appending("flags").appending($0) }
    return zip(keys, JSONSourceLocation.locations(of: paths, in: document.text)).compactMap { key, location in
      Expiry(key, flags.metadata(of: key) ?? [:], today, location)
    }
  }

  var text: String { "\(key.excerpt): \(words)\(owner.map { ", owner \($0.excerpt)" } ?? "")" }

  func json(_ document: ReviewedText) -> FlagValue {
    FlagValue([
      "name": document.name, "key": key, "line": location.line, "column": location.column,
      "expires": day.map { "\($0)" }, "owner": owner, "message": words,
    ])
  }

  func finding(_ document: ReviewedText) -> Finding {
    Finding(
      rule: day == nil ? "invalid-day" : "expired", severity: day == nil ? .error : .warning,
      place: document.place(line: location.line, column: location.column), message: document.message(text))
  }
}
