import FlagDomain

/// Compares a rule with the format's schema, and looks for what a schema cannot see.
struct RuleChecker {
  private(set) var remarks: [Remark] = []

  /// The names of the shared rules.
  private let evaluators: Set<String>
  /// How many rules are being checked, one inside of the other.
  private var level = 0

  init(evaluators: Set<String>) { self.evaluators = evaluators }

  /// Checks a flag's rule, or a shared one.
  mutating func check(_ value: FlagValue, at path: JSONPath) {
    switch value {
    case .object([:]): break
    case .object(let fields) where fields.keys.elementsEqual(["$ref"]):
      warn(path, "the format's schema wants an operator here, and a reference only inside of one")
      checkArgument(value, at: path)
    default: checkRule(value, at: path)
    }
  }
}

extension RuleChecker {
  private mutating func checkRule(_ value: FlagValue, at path: JSONPath) {
    guard case .object(let fields) = value else {
      return expect("a rule, which is an object", at: path, found: value)
    }
    if fields.count > 1, fields.keys.allSatisfy({ RuleForm.all[$0] != nil }) {
      warn(path, "expected one operator, found \(fields.count): an object of several members is a plain value")
    }
    guard level < RuleCompiler.maximumLevels else {
      return expect("at most \(RuleCompiler.maximumLevels) levels of operators", at: path, found: value)
    }
    level += 1
    defer { level -= 1 }
    for (name, argument) in fields.sorted(by: { $0.key < $1.key }) {
      guard let form = RuleForm.all[name] else {
        expect("an operator", at: path, found: .string(name))
        continue
      }
      check(argument, form, at: path.appending(name))
    }
  }

  private mutating func check(_ argument: FlagValue, _ form: RuleForm, at path: JSONPath) {
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

  /// Checks an operand: a rule, a reference, or a value; what stands in lists is not looked at, as in the schema.
  private mutating func checkArgument(_ value: FlagValue, at path: JSONPath) {
    guard case .object(let fields) = value else { return }
    guard let name = fields["$ref"], fields.count == 1 else {
      return fields.isEmpty ? expect("a rule or a value", at: path, found: value) : checkRule(value, at: path)
    }
    guard case .string(let name) = name else {
      return expect("the name of an evaluator", at: path.appending("$ref"), found: name)
    }
    if !evaluators.contains(name) { warn(path, "no evaluator is called \(FlagValue.string(name))") }
  }
}

extension RuleChecker {
  private mutating func checkOperands(_ value: FlagValue, _ least: Int, _ most: Int?, at path: JSONPath) {
    guard let operands = value.list, operands.count >= least, operands.count <= most ?? .max else {
      let count = most == least ? "\(least)" : most.map { "\(least) to \($0)" } ?? "at least \(least)"
      return expect("an array of \(count) operands", at: path, found: value)
    }
    for (index, operand) in operands.enumerated() { checkArgument(operand, at: path.appending(index)) }
  }

  private mutating func checkOperand(_ value: FlagValue, at path: JSONPath) {
    if let operands = value.list, operands.count == 1 {
      checkArgument(operands[0], at: path.appending(0))
    } else {
      checkArgument(value, at: path)
    }
  }

  private mutating func checkVariable(_ value: FlagValue, at path: JSONPath) {
    let reserved = Variable.Reserved.name + "."
    switch value {
    case .string(let name) where name.hasPrefix(reserved):
      let names = [Variable.Reserved.flagKey, Variable.Reserved.timestamp].map { reserved + $0 }
      if !names.contains(name) { expect(names.joined(separator: " or "), at: path, found: value) }
    case .array(let parts):
      guard case .string? = parts.first else { return expect("an array with a name first", at: path, found: value) }
      for (index, part) in parts.enumerated().dropFirst() where !part.isScalar {
        expect("a plain value", at: path.appending(index), found: part)
      }
    default: break
    }
  }

  private mutating func checkNames(_ value: FlagValue, at path: JSONPath) {
    guard let names = value.list else { return expect("an array of names", at: path, found: value) }
    for (index, name) in names.enumerated() where !name.isText {
      expect("a name", at: path.appending(index), found: name)
    }
  }

  private mutating func checkNumberAndNames(_ value: FlagValue, at path: JSONPath) {
    guard let parts = value.list, parts.count == 2, parts[0].variantKind == .number else {
      return expect("an array of a number and an array of names", at: path, found: value)
    }
    checkNames(parts[1], at: path.appending(1))
  }
}

extension RuleChecker {
  private mutating func checkTexts(_ value: FlagValue, at path: JSONPath) {
    guard let texts = value.list, texts.count == 2 else {
      return expect("an array of 2 strings or rules", at: path, found: value)
    }
    for (index, text) in texts.enumerated() where !text.isText { checkRule(text, at: path.appending(index)) }
  }

  private mutating func checkVersions(_ value: FlagValue, at path: JSONPath) {
    guard let parts = value.list, parts.count == 3 else {
      return expect("an array of a version, a relation and a version", at: path, found: value)
    }
    checkVersion(parts[0], at: path.appending(0))
    checkVersion(parts[2], at: path.appending(2))
    if case .string(let name) = parts[1], VersionTest.Relation(rawValue: name) != nil { return }
    expect("one of = != < <= > >= ^ ~", at: path.appending(1), found: parts[1])
  }

  /// The schema knows complete versions alone, and no rule but that of a variable.
  private mutating func checkVersion(_ value: FlagValue, at path: JSONPath) {
    switch value {
    case .string(let text) where SemanticVersion(text) != nil && text.isCompleteVersion: break
    case .object(let fields) where fields.keys.allSatisfy { $0 == "var" }: checkRule(value, at: path)
    default: expect("a version such as 1.2.3, or a variable", at: path, found: value)
    }
  }

  private mutating func checkShares(_ value: FlagValue, at path: JSONPath) {
    guard let parts = value.list, let first = parts.first else {
      return expect("an array of shares", at: path, found: value)
    }
    let hasSubject = first.list == nil
    if hasSubject { checkRule(first, at: path.appending(0)) }
    for (index, share) in parts.enumerated().dropFirst(hasSubject ? 1 : 0) {
      checkShare(share, at: path.appending(index))
    }
    checkTotal(of: parts.dropFirst(hasSubject ? 1 : 0), at: path)
  }

  private mutating func checkShare(_ value: FlagValue, at path: JSONPath) {
    guard let parts = value.list, (1...2).contains(parts.count) else {
      return expect("an array of a variant and a weight", at: path, found: value)
    }
    checkArgument(parts[0], at: path.appending(0))
    guard let weight = parts.dropFirst().first else { return }
    if case .object = weight { return checkRule(weight, at: path.appending(1)) }
    if weight.weight.map({ $0 < 0 }) ?? true {
      expect("a whole number from 0 on", at: path.appending(1), found: weight)
    }
  }

  private mutating func checkTotal(of shares: ArraySlice<FlagValue>, at path: JSONPath) {
    let weights = shares.compactMap { $0.list.flatMap { $0.count == 2 ? Split.weight($0[1]) : 1 } }
    guard weights.count == shares.count else { return }
    let total = weights.reduce(0, +)
    if total == 0 { warn(path, "expected weights that sum to more than 0: no one falls into a share") }
    if total > Split.maximumTotal { warn(path, "expected weights that sum to at most \(Split.maximumTotal)") }
  }
}

extension RuleChecker {
  private mutating func expect(_ expected: String, at path: JSONPath, found value: FlagValue) {
    remarks.append(Remark(path, expected: expected, found: value))
  }

  private mutating func warn(_ path: JSONPath, _ message: String) {
    remarks.append(Remark(warning: path, message))
  }
}

extension FlagValue {
  fileprivate var list: [FlagValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  fileprivate var isText: Bool { variantKind == .string }

  fileprivate var isScalar: Bool { variantKind != .object }

  /// The whole number that a weight is, or nil.
  fileprivate var weight: Int128? {
    switch self {
    case .int(let value): value
    case .double(let value): Int128(exactly: value)
    default: nil
    }
  }
}

extension String {
  /// Whether a version's text has all three numbers, and nothing before them.
  fileprivate var isCompleteVersion: Bool {
    utf8.first?.isDigit == true && prefix { $0 != "-" && $0 != "+" }.utf8.count { $0 == UInt8(ascii: ".") } == 2
  }
}
