import FlagDefinitions
package import FlagDomain
package import FlagJSON

/// A checker that validates a rule against the format's schema, and records its references.
package struct RuleChecker {
  var diagnostics: [UnlocatedDiagnostic] = []
  /// The shared rules that the rule refers to, in the order in which they occur.
  package private(set) var references: [Reference] = []
  /// The subjects that decide the buckets of its splits, if the rule states them.
  var subjects: [Subject] = []
  /// Whether the rule reads the key of the flag that is evaluated.
  var readsFlagKey = false

  /// The texts that the rule compares a user's own fields with.
  private(set) var comparisons: [ComparedTexts.Comparison] = []

  private let evaluators: KnownNames
  /// The number of nested rules that are being checked.
  private var level = 0

  package struct Reference {
    package let name: String
    let path: DocumentPath
  }

  struct Subject {
    let value: FlagValue
    let path: DocumentPath
    let readsFlagKey: Bool
    let references: [String]
  }

  var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

  package init(evaluators: KnownNames) { self.evaluators = evaluators }

  private static let operators = KnownNames(Operator.known.keys)

  package mutating func check(_ value: FlagValue, at path: DocumentPath) {
    if value != .object([:]) { checkRuleOrReference(value, at: path) }
  }

  mutating func checkRuleOrReference(_ value: FlagValue, at path: DocumentPath) {
    guard case .object(let fields) = value, fields.count == 1, let name = fields["$ref"] else {
      return checkRule(value, at: path)
    }
    diagnostics.warn(path, "the format's schema allows an operator here, and a reference only inside one")
    checkReference(name, at: path.appending("$ref"))
  }

  mutating func checkRule(_ value: FlagValue, at path: DocumentPath) {
    guard case .object(let fields) = value else {
      return diagnostics.expect("a rule, which is an object", at: path, found: value)
    }
    if fields.count > 1, fields.keys.allSatisfy({ Operator.known[$0] != nil }) {
      diagnostics.warn(
        path, "expected one operator, found \(fields.count): an object of several members is a plain value")
    }
    guard level < RuleLimits.levels else {
      return diagnostics.expect("at most \(RuleLimits.levels) levels of operators", at: path, found: value)
    }
    level += 1
    defer { level -= 1 }
    for (name, argument) in fields.inOrder {
      guard let form = Operator.known[name]?.form else {
        let question = Operator.replacement(of: name) ?? Self.operators.question(name)
        diagnostics.fail(path, "expected an operator, found \(FlagValue.string(name).summary)\(question)")
        continue
      }
      comparisons += ComparedTexts.comparisons(by: name, argument, at: path.appending(name))
      check(argument, form, at: path.appending(name))
    }
  }

  private mutating func check(_ argument: FlagValue, _ form: RuleForm, at path: DocumentPath) {
    switch form {
    case .operands(let least, let most): checkOperands(argument, least, most, at: path)
    case .operand: checkOperand(argument, at: path)
    case .variable: checkVariable(argument, at: path)
    case .names: checkNames(argument, at: path)
    case .numberAndNames: checkNumberAndNames(argument, at: path)
    case .texts: checkTexts(argument, at: path)
    case .versions: checkVersions(argument, at: path)
    case .shares: checkShares(argument, at: path)
    }
  }

  mutating func checkArgument(_ value: FlagValue, at path: DocumentPath) {
    switch value {
    case .array(let elements): checkElements(elements, at: path)
    case .object([:]): diagnostics.expect("a rule or a value", at: path, found: value)
    case .object(let fields):
      guard fields.count == 1, let name = fields["$ref"] else { return checkRule(value, at: path) }
      checkReference(name, at: path.appending("$ref"))
    default: break
    }
  }

  /// Checks an array among the operands; an element that is an object is a rule if it has one member, else a value.
  private mutating func checkElements(_ elements: [FlagValue], at path: DocumentPath) {
    for (index, element) in elements.enumerated() {
      switch element {
      case .array: checkArgument(element, at: path.appending(index))
      case .object(let fields) where fields.count == 1: checkArgument(element, at: path.appending(index))
      default: break
      }
    }
  }

  private mutating func checkReference(_ name: FlagValue, at path: DocumentPath) {
    guard case .string(let name) = name else {
      return diagnostics.expect("the name of an evaluator", at: path, found: name)
    }
    guard evaluators.contains(name) else {
      let question = evaluators.question(name)
      return diagnostics.fail(path, "no evaluator of this document is named \(name.quoted)\(question)")
    }
    references.append(Reference(name: name, path: path))
  }

  private mutating func checkOperands(_ value: FlagValue, _ least: Int, _ most: Int?, at path: DocumentPath) {
    guard let operands = value.elements, operands.count >= least, operands.count <= most ?? .max else {
      let count = most == least ? "\(least)" : most.map { "\(least) to \($0)" } ?? "at least \(least)"
      let noun = (most ?? least) == 1 ? "operand" : "operands"
      return diagnostics.expect("an array of \(count) \(noun)", at: path, found: value)
    }
    for (index, operand) in operands.enumerated() where operand.hasParts {
      checkArgument(operand, at: path.appending(index))
    }
  }

  private mutating func checkOperand(_ value: FlagValue, at path: DocumentPath) {
    if let operands = value.elements, operands.count == 1 {
      checkArgument(operands[0], at: path.appending(0))
    } else {
      checkArgument(value, at: path)
    }
  }
}
