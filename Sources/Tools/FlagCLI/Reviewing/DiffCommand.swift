import FlagConsole
import FlagDefinitions
import FlagDomain
import FlagFoundation
import FlagJSON
import FlagReview

struct DiffCommand: Command {
  private var paths: [String] = []
  private var fleet = FleetOptions()
  private var format = FormatOptions()
  private var timestamp: Int64?
  private var audience = Audience()
  private var attributes: String?
  private var isJSON = false

  static var options: [Option<Self>] {
    Option(
      "--steps", .integer(in: 0...100_000_000_000),
      """
      the maximum number of evaluation steps for all flags together (default: 50000000); if they
      are used up, fewer users are asked, and the output shows how many
      """, \.audience.steps)
    Option(
      "--attributes", .file,
      """
      the attributes of your users, a JSON object on each line: each is asked which variant it
      gets before and after
      """, \.attributes)
    Option(
      "--by", .attribute, "an attribute of these users, as rules name it: also shows the share for each of its values",
      \.audience.attribute)
    FormatOptions.options.of(\.format)
    Option.timestamp(\.timestamp)
    Option.json(\.isJSON)
    FleetOptions.options.of(\.fleet)
  }

  static let summary = """
    Shows the effect of a change of definitions: which flags change, and which users get another variant or value.
    """
  static let usage = """
    diff OLD NEW [option ...]
    diff NEW --etcd URL --set NAME [option ...]
    diff --etcd URL --set OLD --set NEW [option ...]
    """
  static let example = "diff old.json new.json"
  static let fileOperands = 2
  static let notes = """
    A share is exact if it follows from the definitions: if everyone gets the same variant, or if only weights decide.
    Otherwise the rules are solved, and the output has an example of each kind of user who gets another variant; with
    --attributes, your users are asked as well. Of a set, the document that servers run is compared.

    The exit code is 2 if a change affects users, 4 if that is not decided, because the rules could not be solved, and 0
    if no user is affected.
    """

  mutating func finish(_ operands: Operands) throws(UsageError) {
    paths = operands.words
    if audience.attribute != nil, attributes == nil { throw UsageError("--by needs users: --attributes FILE") }
    try format.check()
    guard fleet.isUsed else {
      _ = try operands.required(0, "an OLD document")
      _ = try operands.required(1, "a NEW document")
      return try operands.check(atMost: 2)
    }
    try fleet.checkSets()
    try format.checkSets()
    guard fleet.sets.count + paths.count == 2 else {
      throw UsageError(
        "a set is compared with one NEW document, or with another set, found \(fleet.sets.count) and \(paths.count)")
    }
  }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    var documents: [NamedDefinitions] = []
    for (name, text) in try fleet.currentTexts(on: terminal) {
      documents.append((name, try terminal.definitions(in: text, name, format: format.format)))
    }
    for path in paths { documents.append((path, try terminal.definitions(at: path, format: format.format))) }
    let (old, new) = (documents[0], documents[1])
    var audience = audience
    if let attributes { audience.users = try terminal.profiles(at: attributes) }
    let report = try DiffReport(
      from: old.definitions, to: new.definitions, named: (old.name, new.name), on: audience,
      at: timestamp ?? terminal.now())
    try terminal.print(isJSON ? "\(report.json.printed)\n" : report.text)
    return report.exitCode
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
  /// Parses the attributes of users, one object per line.
  func profiles(at path: String) throws(ToolError) -> [[String: FlagValue]] {
    var profiles: [[String: FlagValue]] = []
    let lines = try contents(of: path).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where line.contains(where: { $0 > 0x20 }) {
      let value = try mapError(try FlagValue(json: Array(line))) { (error: JSONError) in
        ToolError.line(index + 1, of: path, "\(error) at byte \(error.offset + 1)")
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
