import FlagDomain

/// Conditions and chains of alternatives, which evaluate only some of their parts.
extension Evaluation {
  mutating func branchValue(
    of instruction: Instruction, on program: Program, for context: EvaluationContext, in scope: borrowing Scope
  ) throws(RuleFailure) -> FlagValue? {
    guard instruction.name == .condition else {
      return try firstValue(of: instruction, isTruthy: instruction.name == .or, on: program, for: context, in: scope)
    }
    guard let result = try result(of: instruction, on: program, for: context, in: scope) else { return .null }
    return try value(of: result, on: program, for: context, in: scope)
  }

  mutating func branchHolds(
    _ instruction: Instruction, on program: Program, for context: EvaluationContext, in scope: borrowing Scope
  ) throws(RuleFailure) -> Bool {
    guard instruction.name == .condition else {
      return try alternativesHold(instruction, on: program, for: context, in: scope)
    }
    guard let result = try result(of: instruction, on: program, for: context, in: scope) else { return false }
    return try holds(result, on: program, for: context, in: scope)
  }

  mutating func result(
    of condition: Instruction, on program: Program, for context: EvaluationContext, in scope: borrowing Scope
  ) throws(RuleFailure) -> Instruction? {
    var index = 0
    let count = condition.parts.count
    while index + 1 < count {
      if try holds(program.part(index, of: condition), on: program, for: context, in: scope) {
        return program.part(index + 1, of: condition)
      }
      index += 2
    }
    return index < count ? program.part(index, of: condition) : nil
  }

  private mutating func alternativesHold(
    _ instruction: Instruction, on program: Program, for context: EvaluationContext, in scope: borrowing Scope
  ) throws(RuleFailure) -> Bool {
    let stops = instruction.name == .or
    for index in instruction.parts {
      if try holds(program.tables.instructions[index], on: program, for: context, in: scope) == stops { return stops }
    }
    return !stops && instruction.count > 0
  }

  /// Returns the first value with the requested truthiness, or else the last one.
  private mutating func firstValue(
    of instruction: Instruction, isTruthy: Bool, on program: Program, for context: EvaluationContext,
    in scope: borrowing Scope
  ) throws(RuleFailure) -> FlagValue? {
    var last: FlagValue?
    for index in instruction.parts {
      last = try value(of: program.tables.instructions[index], on: program, for: context, in: scope)
      if last.isTruthy == isTruthy { break }
    }
    return last
  }

  enum Choice {
    /// Null: the rule leaves the choice to the default variant.
    case none
    /// The variant whose name is the string with this number.
    case text(Int)
    /// The variant that a value names, if it names one.
    case value(FlagValue)
  }

  /// Returns the choice that a flag's rule makes; a name that the rule spells out is not turned into a string.
  mutating func choice(
    of rule: Instruction, on program: Program, for context: EvaluationContext
  ) throws(RuleFailure) -> Choice {
    var instruction = rule
    // With a trace, every step is needed. Without one, conditions are followed straight to the part with the result.
    while trace == nil, instruction.kind == .operation {
      if instruction.name == .condition {
        try chargeStep()
        guard let result = try result(of: instruction, on: program, for: context, in: .context) else { return .none }
        instruction = result
      } else if instruction.shortcut == .split {
        guard let share = try share(of: instruction, on: program, for: context, in: .context) else { break }
        guard let result = share else { return .none }
        instruction = result
      } else {
        break
      }
    }
    if instruction.traits.contains(.isName), trace == nil { return .text(Int(instruction.first)) }
    let value = try value(of: instruction, on: program, for: context, in: .context)
    guard let value, value != .null else { return .none }
    return .value(value)
  }
}
