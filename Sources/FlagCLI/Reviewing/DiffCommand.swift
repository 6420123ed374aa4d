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
      "--users", .integer(in: 1...100_000_000), "the number of simulated users for each flag (default: 10000)",
      \.audience.users)
    Option(
      "--steps", .integer(in: 0...100_000_000_000),
      """
      the maximum number of evaluation steps for all flags together (default: 50000000); if they
      are used up, fewer users are sampled, and the output shows how many
      """, \.audience.steps)
    Option("--seed", .seed, "the seed of the simulated users (default: 1)", \.audience.seed)
    Option(
      "--attributes", .file,
      """
      the attributes of users to sample from, a JSON object on each line (default: the values in
      the rules, a different value, and none)
      """, \.attributes)
    Option(
      "--by", .attribute, "an attribute of users, as rules name it: also shows the share for each of its values",
      \.audience.attribute)
    Option.bucketing(\.bucketing)
    Option.timestamp(\.timestamp)
    Option.json(\.isJSON)
  }

  static let help = """
    Estimates the effect of a change of definitions: which flags change, and for which share of users the variant or its
    value changes.

    usage: flagctl diff OLD NEW [option ...]

    \(options.help())

    A share is exact if it follows from the definitions: if everyone gets the same variant, or if only weights decide.
    Otherwise users are sampled, and the share has a standard error.

    The exit code is 0 if no difference for users was found, and 2 if there is one, or if a flag changed and no user
    could be sampled.

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
