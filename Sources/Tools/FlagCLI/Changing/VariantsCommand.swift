import FlagConsole
import FlagDefinitions
import FlagDomain
import FlagEditing
import FlagReview
import FlagSupport

struct VariantsCommand: Command {
  private var change = ChangeOptions()
  private var key = ""
  private var added: [VariantText] = []
  private var changed: [VariantText] = []
  private var renamed: [Pair] = []
  private var removed: [String] = []
  private var replacement: String?
  private var rewrites = false

  static var options: [Option<Self>] {
    Option("--add", .variant, "adds a variant; may be given several times", addingTo: \.added)
    Option("--value", .variant, "sets the value of a variant; may be given several times", addingTo: \.changed)
    Option("--rename", .names, "renames a variant; may be given several times", addingTo: \.renamed)
    Option("--rewrite", "with --rename: writes the new name wherever the flag uses the variant", \.rewrites)
    Option("--remove", .text("NAME"), "removes a variant; may be given several times", addingTo: \.removed)
    Option(
      "--replacement", .text("NAME"), "with --remove: the variant to use wherever the flag uses a removed one",
      \.replacement)
    ChangeOptions.options.of(\.change)
  }

  static let help = """
    Lists the variants of a flag with the parts that use them, or changes them.

    \(ChangeOptions.usage("variants FLAG"))

    \(options.help())

    A VALUE is true or false, a number, a text, or a JSON object, as the other variants are. A variant that the default,
    the rule or a share uses is not renamed without --rewrite, nor removed without --replacement.

    """

  mutating func finish(_ operands: Operands) throws(UsageError) {
    key = try operands.one("FLAG")
    try change.check()
    if replacement != nil, removed.isEmpty { throw UsageError("--replacement NAME is for --remove NAME") }
    if rewrites, renamed.isEmpty { throw UsageError("--rewrite is for --rename OLD=NEW") }
  }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    let text = try change.current(on: terminal).text
    let variants: [FlagVariant]
    do throws(FlagError) { variants = try FlagText(text).variants(of: key) } catch { throw .flag(key, error) }
    let edits = try edits(variants.first?.value.variantKind ?? .boolean)
    guard edits.isEmpty else { return try change.run(edits, on: terminal) }
    var rows: [[String]] = [["VARIANT", "VALUE", "USED BY"]]
    for variant in variants {
      do throws(FlagError) {
        let uses = try VariantUse.all(ofVariant: variant.name, of: key, in: text)
        let words = uses.isEmpty ? "nothing" : uses.map(\.description).joined(separator: ", ")
        rows.append([variant.name.excerpt, variant.value.shortText.excerpt, words])
      } catch {
        throw .flag(key, error)
      }
    }
    try terminal.print(TextTable(rows).text)
    return .success
  }

  private func edits(_ kind: VariantKind) throws(ToolError) -> [DefinitionEdit] {
    var edits: [DefinitionEdit] = []
    for variant in added { edits.append(.addVariant(try variant.variant(kind), of: key)) }
    for variant in changed { edits.append(.setVariant(try variant.variant(kind), of: key)) }
    edits += renamed.map { .renameVariant($0.first, to: $0.second, of: key, rewritesUses: rewrites) }
    return edits + removed.map { .removeVariant($0, of: key, replacement: replacement) }
  }
}
