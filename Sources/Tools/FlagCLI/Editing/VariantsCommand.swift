import FlagConsole
import FlagConsoleEditor
import FlagDefinitions
import FlagDomain
import FlagEditing
import FlagReview
import FlagSupport

struct VariantsCommand: ChangeCommand {
  var change = ChangeOptions()
  var operands: [String] = []
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
    Option("--remove", .text("VARIANT"), "removes a variant; may be given several times", addingTo: \.removed)
    Option(
      "--replacement", .text("VARIANT"), "with --remove: the variant to use wherever the flag uses a removed one",
      \.replacement)
    ChangeOptions.options.of(\.change)
  }

  static let summary = "Lists the variants of a flag with the parts that use them, or changes them."
  static let usage = "variants FLAG [option ...]"
  static let example = "variants color --add blue=#00f --flags flags.json"
  static let notes = """
    A VALUE is true or false, a number, a text, or a JSON object, as the other variants are. A variant that the default,
    the rule or a share uses is not renamed without --rewrite, nor removed without --replacement.
    """

  mutating func finish(_ operands: Operands) throws(UsageError) {
    try take(operands)
    if replacement != nil, removed.isEmpty { throw UsageError("--replacement VARIANT is for --remove VARIANT") }
    if rewrites, renamed.isEmpty { throw UsageError("--rewrite is for --rename OLD=NEW") }
  }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    let text = try change.current(on: terminal).text
    let variants = try mapError(try FlagText(text).variants(of: key), ToolError.flag(key))
    let kind = variants.first?.value.variantKind ?? .boolean
    let added = try added.map { variant throws(ToolError) in try variant.variant(kind) }
    let changed = try changed.map { variant throws(ToolError) in try variant.variant(kind) }
    if added.isEmpty, changed.isEmpty, renamed.isEmpty, removed.isEmpty {
      let table = try table(of: variants, in: text)
      let rows = zip(variants, table.dropFirst()).map { variant, row in
        FlagValue(["name": variant.name, "value": variant.value, "usedBy": row[2]])
      }
      let json = FlagValue(["version": 1, "variants": rows])
      try terminal.print(change.isJSON ? "\(json.printed)\n" : TextTable(table).text)
      return .success
    }
    let words = DocumentChangeLabels(source: "the change", reason: "variants of \(key)")
    return try change.run(words, on: terminal) { stored throws(ToolError) in
      return try mapError(try edited(stored.text, adding: added, setting: changed), ToolError.flag(key))
    }
  }

  private func table(of variants: [FlagVariant], in text: [UInt8]) throws(ToolError) -> [[String]] {
    var rows: [[String]] = [["VARIANT", "VALUE", "USED BY"]]
    for variant in variants {
      let uses = try mapError(
        try VariantUse.all(ofVariant: variant.name, of: key, in: text), ToolError.flag(key))
      let words = uses.isEmpty ? "nothing" : uses.map(\.description).joined(separator: ", ")
      rows.append([variant.name.excerpt, variant.value.shortText.excerpt, words])
    }
    return rows
  }

  /// Returns a document with all changes, which are made at once.
  private func edited(
    _ document: [UInt8], adding added: [FlagVariant], setting changed: [FlagVariant]
  ) throws(FlagError) -> [UInt8] {
    var text = try FlagText(document)
    var variants = try text.variantDrafts(of: key)
    for variant in changed { variants[try variants.index(of: variant.name)].value = variant.value }
    let old = variants
    for name in renamed {
      variants[try old.index(of: name.first)].name = name.second
      if !rewrites { try text.checkUnused(name.first, of: key) }
    }
    variants += added.map { VariantDraft(writtenAs: nil, $0.name, $0.value) }
    for name in removed { variants.remove(at: try variants.index(of: name)) }
    var names = rewrites ? renamed.map { (old: $0.first, new: $0.second) } : []
    if let replacement {
      _ = try variants.index(of: replacement)
      names += removed.map { (old: $0, new: replacement) }
    }
    try text.setVariants(variants, of: key, rewriting: names)
    return text.text
  }
}

/// A variant as a command line names it, `NAME=VALUE`, whose value is read once the type is known.
struct VariantText {
  let name: String
  let text: String

  /// Returns the variant; the value is true or false, a number, a text, or JSON, as the type is.
  func variant(_ kind: VariantKind) throws(ToolError) -> FlagVariant {
    let value = try mapError(try FlagControl(kind).value(of: text)) { (error: FlagError) in
      ToolError.data("the variant \(name.excerpt): \(error.message)")
    }
    return FlagVariant(name, value)
  }
}

extension OptionValue<VariantText> {
  static var variant: Self {
    Self("NAME=VALUE", "is a variant such as blue=2") { text in
      Pair(text).map { VariantText(name: $0.first, text: $0.second) }
    }
  }
}

/// Two words of a command line with a sign between them.
struct Pair {
  let first: String
  let second: String

  init?(_ text: String) {
    guard let sign = text.firstIndex(of: "="), sign > text.startIndex else { return nil }
    (first, second) = (String(text[..<sign]), String(text[text.index(after: sign)...]))
  }
}

extension OptionValue<Pair> {
  static var names: Self { Self("OLD=NEW", "is a name and a new one, such as blue=navy") { Pair($0) } }
}
