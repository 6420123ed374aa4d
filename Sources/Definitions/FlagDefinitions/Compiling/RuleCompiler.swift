import FlagDomain

/// A compiler of a document's rules, each flag's and the shared ones, into a program.
///
/// A shared rule is compiled once, and reused wherever it is referred to. A part that cannot be evaluated becomes a
/// broken instruction, which is an error when it is reached, and not before.
struct RuleCompiler {
  var builder = ProgramBuilder()
  /// The parts of the operators that are being compiled, those of the outermost first.
  var parts: [Instruction] = []

  private var evaluators: [String: FlagValue] = [:]
  private var compiled: [String: Part] = [:]
  private var circular: Set<String> = []
  private var operatorsLeft = 0

  struct Part {
    var instruction: Instruction
    var levels = 0
    var operators = 0
  }

  mutating func define(_ evaluators: [String: FlagValue]) {
    self.evaluators = evaluators
    let order = ReferenceOrder(ofEvaluators: evaluators)
    circular = order.circular
    for name in order.names where !circular.contains(name) {
      guard let rule = evaluators[name] else { continue }
      operatorsLeft = RuleLimits.operators
      var part = part(rule, level: 0)
      if rule.fields?.count != 1 { part.instruction.traits.insert(.isNoRule) }
      part.operators = RuleLimits.operators - operatorsLeft
      compiled[name] = part
    }
  }

  /// Returns the first instruction of the rule that a value describes.
  mutating func rule(_ value: FlagValue) -> Instruction {
    operatorsLeft = RuleLimits.operators
    let root = part(value, level: 0).instruction
    return root.traits.contains(.isNoRule) ? builder.broken(Self.noRule) : root
  }

  /// Returns the program with everything that was compiled, and the document's metadata.
  consuming func program(metadata: [String: FlagValue]) -> Program { Program(builder.tables, metadata: metadata) }

  private mutating func part(_ value: FlagValue, level: Int) -> Part {
    switch value {
    case .object(let members) where members.count == 1:
      guard let (name, argument) = members.first else { return Part(instruction: builder.constant(value)) }
      return operation(name, argument, level: level)
    case .array(let elements) where elements.contains(where: \.hasParts):
      guard level < RuleLimits.levels else { return broken(Self.tooDeep) }
      return list(elements, level: level)
    case .null, .bool, .int, .double, .string, .array, .object: return Part(instruction: builder.constant(value))
    }
  }

  private mutating func operation(_ name: String, _ argument: FlagValue, level: Int) -> Part {
    guard level < RuleLimits.levels else { return broken(Self.tooDeep) }
    operatorsLeft -= 1
    guard operatorsLeft >= 0 else { return broken(Self.tooLarge) }
    if name.isIdentical(to: "$ref") { return reference(argument, level: level) }
    guard let name = Operator(name) else {
      let hint = Operator.replacement(of: name) ?? ""
      return broken("expected an operator, found \(name.quoted)\(hint)")
    }
    let start = parts.count
    defer { parts.removeSubrange(start...) }
    let levels = compileOperands(argument, level: level + 1)
    return Part(instruction: operation(name, partsFrom: start), levels: levels + 1)
  }

  /// Compiles the operands of an argument, which may be a single one without an array; returns their maximum nesting.
  private mutating func compileOperands(_ argument: FlagValue, level: Int) -> Int {
    guard case .array(let operands) = argument else {
      let part = part(argument, level: level)
      parts.append(part.instruction)
      return part.levels
    }
    var levels = 0
    for operand in operands {
      let part = part(operand, level: level)
      parts.append(part.instruction)
      levels = max(levels, part.levels)
    }
    return levels
  }

  private mutating func list(_ elements: [FlagValue], level: Int) -> Part {
    let start = parts.count
    defer { parts.removeSubrange(start...) }
    let levels = compileOperands(.array(elements), level: level + 1)
    if parts[start...].allSatisfy(\.isConstant) {
      let values = parts[start...].map { builder.tables.constants[Int($0.payload)] }
      return Part(instruction: builder.constant(.array(values)), levels: levels)
    }
    var instruction = Instruction(kind: .list, traits: .isNew)
    instruction.traits.formUnion(time(of: parts[start...]))
    place(partsFrom: start, in: &instruction)
    return Part(instruction: instruction, levels: levels + 1)
  }

  private mutating func reference(_ name: FlagValue, level: Int) -> Part {
    guard case .string(let name) = name else {
      return broken("expected the name of an evaluator, found the value of type \(name.typeName)")
    }
    guard evaluators.member(name) != nil else { return broken("no evaluator is named \(name.quoted)") }
    guard let part = compiled[name] else { return broken("the evaluator \(name.quoted) refers to itself") }
    guard level + part.levels <= RuleLimits.levels else { return broken(Self.tooDeep) }
    operatorsLeft -= part.operators
    guard operatorsLeft >= 0 else { return broken(Self.tooLarge) }
    return part
  }

  private mutating func broken(_ message: String) -> Part { Part(instruction: builder.broken(message)) }

  private static let tooDeep = "the rule nests more than \(RuleLimits.levels) levels"
  private static let tooLarge = "the rule has more than \(RuleLimits.operators) operators"
}
