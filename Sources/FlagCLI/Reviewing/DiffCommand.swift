import FlagConsole
import FlagDefinitions
import FlagDomain
import FlagJSON
import FlagReview
import Foundation

struct DiffCommand: Command {
  private var paths: [String] = []
  private var bucketing = Bucketing.v3
  private var timestamp: Int64?
  private var audience = Audience()
  private var attributes: String?
  private var isJSON = false

  static var options: [Option<Self>] {
    Option(
      "--users", .integer(in: 1...100_000_000), "how many users are asked about a flag (10000 unless told otherwise)",
      \.audience.users)
    Option(
      "--steps", .integer(in: 0...100_000_000_000),
      """
      the most steps of rules that asking takes, about all flags together (50000000 unless told
      otherwise); where they do not last, fewer users are asked, and it says how many
      """, \.audience.steps)
    Option("--seed", .seed, "which users are drawn (1 unless told otherwise)", \.audience.seed)
    Option(
      "--attributes", .file,
      """
      the attributes of users, a JSON object on each line, to draw from; else they are assumed: the
      values that rules compare them with, another one, or none
      """, \.attributes)
    Option(
      "--by", .attribute, "an attribute of users, as rules name it: says the share for each of its values, too",
      \.audience.attribute)
    Option.bucketing(\.bucketing)
    Option.timestamp(\.timestamp)
    Option.json(\.isJSON)
  }

  static let help = """
    Says what a change of definitions does: which flags it changes, and what share of the users gets another variant, or
    another value of the same one.

    usage: flagctl diff OLD NEW [option ...]

    \(options.help())

    A share is exact where it follows from the definitions: where everyone gets the same, and where weights alone
    decide, as they do for very many users. Else users are drawn and asked, and the share has a standard error.

    The exit code is 0 if no user gets anything else, as far as was found, and 2 if one does, or if a flag changes about
    which nobody could be asked.

    """

  mutating func finish(_ operands: Operands) throws(UsageError) {
    paths = [try operands.required(0, "an OLD document"), try operands.required(1, "a NEW document")]
    try operands.check(atMost: 2)
  }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    let old = try terminal.definitions(at: paths[0], bucketing: bucketing)
    let new = try terminal.definitions(at: paths[1], bucketing: bucketing)
    var audience = audience
    if let attributes { audience.profiles = try terminal.profiles(at: attributes) }
    let report = try DiffReport(
      from: old, to: new, named: (paths[0], paths[1]), among: audience, at: timestamp ?? terminal.now())
    try terminal.print(isJSON ? "\(report.json.printed)\n" : report.text)
    return report.hasChanges ? .changed : .success
  }
}

extension OptionValue<String> {
  fileprivate static var attribute: Self {
    Self(.text("ATTRIBUTE")) { (option, text) throws(UsageError) in
      if text.isEmpty { throw UsageError("\(option) is the name of an attribute, found nothing") }
      return text
    }
  }
}

extension Terminal {
  func definitions(at path: String, bucketing: Bucketing = .v3) throws(ToolError) -> StoredDefinitions {
    let data = try contents(of: path)
    let stored: StoredDefinitions
    do throws(FlagDocumentError) {
      stored = try StoredDefinitions(parsing: Array(data), format: .inHouse(bucketing: bucketing))
    } catch {
      throw .document(path: path, error.diagnostics)
    }
    print(.document(path: path, stored.document.diagnostics))
    return stored
  }

  /// Parses the attributes of users, one object per line.
  fileprivate func profiles(at path: String) throws(ToolError) -> [[String: FlagValue]] {
    let lines = try contents(of: path).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    var profiles: [[String: FlagValue]] = []
    for (index, line) in lines.enumerated() where line.contains(where: { $0 > 0x20 }) {
      let value: FlagValue
      do throws(JSONError) {
        value = try FlagValue(json: Array(line))
      } catch {
        throw .line(index + 1, of: path, "\(error) at byte \(error.offset + 1)")
      }
      guard let attributes = value.fields else {
        throw .line(index + 1, of: path, "expected an object of attributes, found \(value.typeName)")
      }
      profiles.append(attributes)
    }
    if profiles.isEmpty { throw .line(1, of: path, "expected an object of attributes, found nothing") }
    return profiles
  }
}
