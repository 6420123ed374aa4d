import FlagDomain

/// Makes rules of the values that stand in a document, and inlines the shared rules that they refer to.
///
/// A part that cannot be evaluated becomes a broken rule: it is an error when it is reached, and not before.
struct RuleCompiler {
  /// The shared rules of the document, by their names.
  private let evaluators: [String: FlagValue]
  /// Shared rules that were compiled before.
  private var compiled: [String: Inlined] = [:]
  /// The names of the shared rules that are being inlined, one inside of the other.
  private var path: [String] = []
  private var pool = RulePool()
  private var operationsLeft = 0
  /// The most levels that were open at once.
  private var deepest = 0

  /// A shared rule, and what it takes to inline it.
  private struct Inlined {
    let rule: Rule
    let operations: Int
    let levels: Int

    func fits(_ operations: Int, _ levels: Int) -> Bool { self.operations <= operations && self.levels < levels }
  }

  init(evaluators: [String: FlagValue] = [:]) { self.evaluators = evaluators }

  /// Returns the rule that a value stands for.
  mutating func rule(_ value: FlagValue) -> Rule {
    if let known = pool.recent(value) { return known }
    operationsLeft = Self.maximumOperations
    let rule = rule(value, level: 0)
    pool.keep(rule, of: value)
    return rule
  }
}

extension RuleCompiler {
  /// The most operators and lists inside of each other, with shared rules inlined.
  static let maximumLevels = 100
  /// The most operators of one rule, with shared rules inlined.
  static let maximumOperations = 65_536

  private mutating func rule(_ value: FlagValue, level: Int) -> Rule {
    deepest = max(deepest, level)
    switch value {
    case .object(let fields) where fields.count == 1:
      guard let (name, argument) = fields.first else { return pool.constant(value) }
      guard level < Self.maximumLevels else { return .broken("the rule nests more than \(Self.maximumLevels) levels") }
      operationsLeft -= 1
      guard operationsLeft >= 0 else { return .broken("the rule has more than \(Self.maximumOperations) operators") }
      return operation(name, argument, level: level + 1).folded
    case .array(let elements) where !elements.allSatisfy(\.isPlain):
      guard level < Self.maximumLevels else { return .broken("the rule nests more than \(Self.maximumLevels) levels") }
      let rules = rules(elements, level: level + 1)
      let constants = rules.compactMap(\.constantValue)
      return constants.count == rules.count ? pool.constant(.array(constants)) : .list(rules)
    default: return pool.constant(value)
    }
  }

  private mutating func rules(_ values: [FlagValue], level: Int) -> [Rule] {
    var rules: [Rule] = []
    rules.reserveCapacity(values.count)
    for value in values { rules.append(rule(value, level: level)) }
    return rules
  }

  private mutating func operation(_ name: String, _ argument: FlagValue, level: Int) -> Rule {
    if name == "$ref" { return reference(argument, level: level) }
    if name == "fractional" { return split(argument.arguments, level: level) }
    let operands = rules(argument.arguments, level: level)
    return switch name {
    case "var": variable(operands)
    case "if", "?:": .condition(operands)
    case "and": .and(operands)
    case "or": .or(operands)
    case "reduce": .reduction(over: operands[or: 0], body: operands[or: 1], initial: operands.dropFirst(2).first)
    case "sem_ver": versionTest(operands)
    default: basicOperation(name, operands)
    }
  }

  private func basicOperation(_ name: String, _ operands: [Rule]) -> Rule {
    if name == UnaryOperator.negate.rawValue, operands.count < 2 { return .unary(.negate, operands[or: 0]) }
    if let name = BinaryOperator(rawValue: name) { return binary(name, operands) }
    if let name = UnaryOperator(rawValue: name) { return .unary(name, operands[or: 0]) }
    if let name = VariadicOperator(rawValue: name) { return .variadic(name, operands) }
    if let name = IterationOperator(rawValue: name) {
      return .iteration(name, over: operands[or: 0], body: operands[or: 1])
    }
    return .broken("expected an operator, found \(FlagValue.string(name))")
  }

  private func binary(_ name: BinaryOperator, _ operands: [Rule]) -> Rule {
    switch name {
    case .less, .lessOrEqual:
      if operands.count > 2 { return .between(name, operands[0], operands[1], operands[2]) }
    case .startsWith, .endsWith:
      if operands.count != 2 { return .constant(.null) }
    default: break
    }
    return .binary(BinaryOperation(name, operands[or: 0], operands[or: 1]))
  }

  private mutating func variable(_ operands: [Rule]) -> Rule {
    let fallback = operands.dropFirst().first
    return switch operands.first?.constantValue {
    case .null: variable("", fallback: fallback)
    case let name?: variable(Optional(name).text, fallback: fallback)
    case nil where operands.isEmpty: variable("", fallback: nil)
    case nil: .computedVariable(name: operands[0], fallback: fallback)
    }
  }

  private mutating func variable(_ name: String, fallback: Rule?) -> Rule {
    fallback == nil ? pool.variable(name) : .variable(Variable(name, fallback: fallback))
  }
}

extension RuleCompiler {
  /// Inlines a shared rule.
  private mutating func reference(_ name: FlagValue, level: Int) -> Rule {
    guard case .string(let name) = name else { return .broken("expected the name of an evaluator, found \(name)") }
    guard let value = evaluators[name] else { return .broken("no evaluator is called \(FlagValue.string(name))") }
    guard !path.contains(name) else { return .broken("the evaluator \(FlagValue.string(name)) refers to itself") }
    if let known = compiled[name], known.fits(operationsLeft, Self.maximumLevels - level) {
      operationsLeft -= known.operations
      deepest = max(deepest, level + known.levels)
      return known.rule
    }
    return compile(name, value, level: level)
  }

  private mutating func compile(_ name: String, _ value: FlagValue, level: Int) -> Rule {
    let (before, outerDeepest) = (operationsLeft, deepest)
    path.append(name)
    deepest = level
    let rule = rule(value, level: level)
    path.removeLast()
    // Inside of another shared rule, a reference back to that one is broken, and elsewhere it is not.
    if path.isEmpty, operationsLeft >= 0, deepest < Self.maximumLevels {
      compiled[name] = Inlined(rule: rule, operations: before - operationsLeft, levels: deepest - level)
    }
    deepest = max(deepest, outerDeepest)
    return rule
  }
}

extension RuleCompiler {
  private func versionTest(_ operands: [Rule]) -> Rule {
    guard operands.count == 3, let left = VersionTest.Operand(operands[0]), let right = VersionTest.Operand(operands[2])
    else {
      return .constant(.null)
    }
    func test(_ relation: VersionTest.Relation) -> Rule {
      .version(VersionTest(left: left, relation: relation, right: right))
    }
    if let name = operands[1].constantValue {
      guard case .string(let name) = name, let relation = VersionTest.Relation(rawValue: name) else {
        return .constant(.null)
      }
      return test(relation)
    }
    // A relation that a rule gives: one test for each that it may be.
    let tests = VersionTest.Relation.allCases.flatMap { relation -> [Rule] in
      let name = Rule.constant(.string(relation.rawValue))
      return [.binary(BinaryOperation(.identical, operands[1], name)), test(relation)]
    }
    return .condition(tests + [.constant(.null)])
  }

  private mutating func split(_ arguments: [FlagValue], level: Int) -> Rule {
    var arguments = arguments[...]
    var subject: Rule?
    if let first = arguments.first, !first.isList {
      subject = rule(first, level: level)
      arguments = arguments.dropFirst()
    }
    var shares: [Split.Share] = []
    for argument in arguments {
      guard let share = share(argument, level: level) else { return .constant(.null) }
      shares.append(share)
    }
    return .split(Split(subject: subject, shares: shares))
  }

  private mutating func share(_ value: FlagValue, level: Int) -> Split.Share? {
    guard case .array(let parts) = value, (1...2).contains(parts.count) else { return nil }
    let weight = parts.count == 2 ? rule(parts[1], level: level) : .constant(1)
    guard let weight = Split.Weight(weight) else { return nil }
    return Split.Share(result: rule(parts[0], level: level), weight: weight)
  }
}

extension VersionTest.Operand {
  /// Creates an operand; nil for a value that is no version.
  fileprivate init?(_ rule: Rule) {
    guard let constant = rule.constantValue else {
      self = .rule(rule)
      return
    }
    guard let version = SemanticVersion(constant) else { return nil }
    self = .version(version, text: constant)
  }
}

extension Split.Weight {
  /// Creates a weight; nil for a value that is none.
  fileprivate init?(_ rule: Rule) {
    guard let constant = rule.constantValue else {
      self = .rule(rule)
      return
    }
    guard let weight = Split.weight(constant) else { return nil }
    self = .constant(weight)
  }
}

extension [Rule] {
  /// The rule at a place, or the one that gives nothing.
  fileprivate subscript(or index: Int) -> Rule { indices.contains(index) ? self[index] : .undefined }
}

extension FlagValue {
  fileprivate var isList: Bool {
    if case .array = self { true } else { false }
  }

  /// Whether the value has no parts.
  fileprivate var isPlain: Bool {
    switch self {
    case .array, .object: false
    default: true
    }
  }

  /// The operands that an operator's argument stands for: one alone need not stand in a list.
  fileprivate var arguments: [FlagValue] {
    if case .array(let elements) = self { elements } else { [self] }
  }
}
