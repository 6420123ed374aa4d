import FlagDefinitions
import FlagDomain

struct ExpiredCommand: Command {
  private var files: [String] = []
  private var today: CalendarDay?

  static var options: [Option<Self>] {
    Option.today(\.today)
  }

  static let help = """
    Lists expired flags, with their owners: those whose metadata has a past day under "expires".

    usage: flagctl expired FILE... [--today DAY]

    \(options.help())

    The exit code is 1 if there is an expired flag, or an invalid day.

    """

  mutating func finish(_ operands: Operands) throws(UsageError) { files = try operands.some("FILE") }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    let today = today ?? CalendarDay(seconds: terminal.now())
    var exitCode = ExitCode.success
    for path in files {
      guard let document = try document(at: path, on: terminal) else {
        exitCode = .data
        continue
      }
      let expired = document.keys.sorted().compactMap { Expiry($0, document.metadata(of: $0) ?? [:], today) }
      try terminal.print(expired.map { "\(path): \($0.text)\n" }.joined())
      if !expired.isEmpty { exitCode = .data }
    }
    return exitCode
  }

  /// Returns a document; nil after reporting an error, so that the other files are still searched.
  private func document(at path: String, on terminal: Terminal) throws(ToolError) -> FlagDocument? {
    do {
      let file = try DocumentSource.File(reading: path, on: terminal)
      terminal.print(file.failure)
      return file.document
    } catch {
      terminal.print(error)
      return nil
    }
  }
}

private struct Expiry {
  let text: String

  init?(_ key: String, _ metadata: [String: FlagValue], _ today: CalendarDay) {
    guard let expires = metadata["expires"] else { return nil }
    let owner = if case .string(let owner)? = metadata["owner"] { ", owner \(owner.excerpt)" } else { "" }
    guard case .string(let text) = expires, let day = CalendarDay(validating: text) else {
      let found = if case .string(let text) = expires { text.quoted } else { expires.summary }
      self.text = "\(key.excerpt): expires: expected a day such as \"2027-01-31\", found \(found)\(owner)"
      return
    }
    guard day < today else { return nil }
    self.text = "\(key.excerpt): expired on \(day)\(owner)"
  }
}
