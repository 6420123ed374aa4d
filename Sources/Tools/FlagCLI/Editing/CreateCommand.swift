import FlagConsole
import FlagDefinitions
import FlagDomain
import FlagEditing
import FlagReview

struct CreateCommand: ChangeCommand {
  var change = ChangeOptions()
  var operands: [String] = []
  private var kind = VariantKind.boolean
  private var variants: [VariantText] = []
  private var defaultVariant: String?
  private var isOff = false
  private var description = ""
  private var owner = ""
  private var expires: CalendarDay?

  static var options: [Option<Self>] {
    Option("--type", .choice(), "the type of the variants (default: boolean)", \.kind)
    Option(
      "--variant", .variant,
      "a variant; may be given several times (default: on=true and off=false)", addingTo: \.variants)
    Option(
      "--default", .text("NAME"),
      "the variant for everyone; an empty one for the code's default (default: off, or the first one)",
      \.defaultVariant)
    Option("--off", "creates a flag that is switched off", \.isOff)
    Option("--description", .text("WORDS"), "the description", \.description)
    Option("--owner", .text("NAME"), "the person or team responsible for the flag", \.owner)
    Option("--expires", .day, "the last day on which the flag should be in the code", \.expires)
    ChangeOptions.options.of(\.change)
  }

  static let summary = "Creates a flag in a document, after all others."
  static let usage = "create FLAG [--variant NAME=VALUE ...] [option ...]"
  static let example = "create new-page --owner web --flags flags.json"
  static let notes = "A VALUE is true or false, a number, a text, or a JSON object, as the type is."

  mutating func finish(_ operands: Operands) throws(UsageError) {
    try take(operands)
    if kind != .boolean, variants.isEmpty {
      throw UsageError("--variant NAME=VALUE is missing: a flag of the type \(kind.rawValue) has no usual variants")
    }
  }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    var own: [FlagVariant] = []
    for variant in variants { own.append(try variant.variant(kind)) }
    var flag = NewFlag(key, variants: own.isEmpty ? NewFlag.switchVariants : own, isEnabled: !isOff)
    flag.defaultVariant = defaultVariant.map { $0.isEmpty ? nil : $0 } ?? (own.first?.name ?? "off")
    (flag.description, flag.owner, flag.expires) = (description, owner, expires)
    return try change.run(.make(flag), on: terminal)
  }
}

struct CopyCommand: ChangeCommand {
  var change = ChangeOptions()
  var operands: [String] = []

  static let summary = "Copies a flag of a document with its variants, rule and metadata to a new key, right after it."
  static let usage = "copy FLAG NEW [option ...]"
  static let example = "copy new-page newer-page --flags flags.json"
  static let notes = "Shares by the flag's key have other users in the copy."

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    try change.run(.copy(key, to: operands[1]), on: terminal)
  }
}
