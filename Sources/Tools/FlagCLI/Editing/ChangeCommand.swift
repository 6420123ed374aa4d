import FlagDomain
import FlagEditing

/// A command that changes a flag, whose operands are the capital words of its usage.
protocol ChangeCommand: Command {
  var change: ChangeOptions { get set }
  /// The operands: the flag's key, and what else the usage names.
  var operands: [String] { get set }
}

extension ChangeCommand {
  static var options: [Option<Self>] { ChangeOptions.options.of(\.change) }

  var key: String { operands[0] }

  mutating func finish(_ operands: Operands) throws(UsageError) { try take(operands) }

  mutating func take(_ operands: Operands) throws(UsageError) {
    let names = Self.usage.split(separator: " ").dropFirst().prefix { $0.allSatisfy(\.isUppercase) }
    for (index, name) in names.enumerated() { self.operands.append(try operands.required(index, "a \(name)")) }
    try operands.check(atMost: names.count)
    try change.check()
  }
}

struct OnCommand: ChangeCommand {
  var change = ChangeOptions()
  var operands: [String] = []

  static let summary = "Switches a flag on: its rule and its default variant decide who gets what."
  static let usage = "on FLAG [option ...]"
  static let example = "on new-page --flags flags.json"

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    try change.run("switched on \(key)", of: key, on: terminal) { draft in
      draft.isEnabled = true
      guard draft.rule.isEmpty, let name = draft.defaultVariant else { return }
      terminal.printError("flagctl: \(key.excerpt): on, everyone gets \(name.excerpt): see flagctl default, and share")
    }
  }
}

struct OffCommand: ChangeCommand {
  var change = ChangeOptions()
  var operands: [String] = []

  static let summary = "Switches a flag off: everyone gets the code's default. Its rule stays, for flagctl on."
  static let usage = "off FLAG [option ...]"
  static let example = "off new-page --reason \"it is slow\" --flags flags.json"

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    try change.run("switched off \(key)", of: key, on: terminal) { $0.isEnabled = false }
  }
}

struct DefaultCommand: ChangeCommand {
  var change = ChangeOptions()
  var operands: [String] = []

  static let summary = "Sets the variant of all for whom the rule of a flag chooses none: of everyone, without a rule."
  static let usage = "default FLAG VARIANT [option ...]"
  static let example = "default new-page on --flags flags.json"

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    try change.run("default variant of \(key)", of: key, on: terminal) { draft throws(FlagError) in
      try draft.check(operands[1])
      draft.defaultVariant = operands[1]
    }
  }
}

extension DefinitionDraft {
  /// Checks that the flag has a variant.
  func check(_ variant: String) throws(FlagError) {
    guard variants.contains(variant) else {
      let names = variants.map(\.excerpt).joined(separator: ", ")
      throw FlagError(.general, "expected one of the variants \(names), found \(variant.excerpt)")
    }
  }
}
