import FlagDefinitions
import FlagDomain
import FlagJSON
import FlagReview

struct ConvertCommand: Command {
  private var vendor: FormatOptions.Name?
  private var path = ""

  static var options: [Option<Self>] {
    Option(
      "--from", .choice([("growthbook", .growthBook), ("launchdarkly", .launchDarkly)]), "the format of the document",
      \.vendor)
  }

  static let summary = "Converts a vendor's document to the in-house format, and says what does not carry over."
  static let usage = "convert --from growthbook|launchdarkly FILE [option ...]"
  static let example = "convert --from growthbook features.json > flags.json"
  static let notes = """
    A flag without shares gives every kind of user the same variant as before, or it is left out. Shares are chosen
    by another hash, so that users change their variant once: the output names these flags.

    The exit code is 0 if every flag carries over as it is, 2 if shares are chosen anew, and 1 if a flag is left out.
    """

  mutating func finish(_ operands: Operands) throws(UsageError) {
    if vendor == nil { throw UsageError("--from growthbook|launchdarkly is missing") }
    path = try operands.one("FILE")
  }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    guard let vendor else { return .usage }
    let old = try terminal.definitions(at: path, format: vendor.format)
    var conversion = Conversion(try flags(of: old, vendor))
    let new = try mapError(try conversion.definitions(replacing: old, at: terminal.now())) { (error: any Error) in
      ToolError.data("\(path): \(error)")
    }
    try terminal.printContent(String(decoding: new.text, as: UTF8.self))
    for line in conversion.report(of: path) { terminal.printError("flagctl: \(line)") }
    return conversion.exitCode
  }

  private func flags(
    of old: StoredDefinitions, _ vendor: FormatOptions.Name
  ) throws(ToolError) -> [(key: String, flag: Result<ConvertedFlag, Untranslatable>)] {
    let document = try mapError(try FlagValue(json: old.text), ToolError.input(path: path))
    let convert = vendor == .growthBook ? GrowthBookConversion(document).flag : LaunchDarklyConversion(document).flag
    return old.document.listed.map { listed in
      (listed.key, Result { () throws(Untranslatable) in try convert(listed.key) })
    }
  }
}
