import FlagDomain

/// The operators that evaluate a part for each element of an array. A trace shows the first element's evaluation.
extension Evaluation {
  mutating func mapped(
    _ instruction: Instruction, on program: Program, for context: EvaluationContext, in scope: borrowing Scope
  ) throws(RuleFailure) -> FlagValue {
    guard let elements = try elements(of: instruction, on: program, for: context, in: scope) else { return .array([]) }
    try charge(elements.count, each: ByteCost.element)
    var values: [FlagValue] = []
    values.reserveCapacity(elements.count)
    let body = program.part(1, of: instruction)
    var iteration = Iteration()
    defer { end(&iteration) }
    for element in elements {
      begin(&iteration)
      try values.append(value(of: body, on: program, for: context, in: .element(element)) ?? .null)
    }
    return .array(values)
  }

  mutating func filtered(
    _ instruction: Instruction, on program: Program, for context: EvaluationContext, in scope: borrowing Scope
  ) throws(RuleFailure) -> FlagValue {
    guard let elements = try elements(of: instruction, on: program, for: context, in: scope) else { return .array([]) }
    try charge(elements.count, each: ByteCost.element)
    var kept: [FlagValue] = []
    let body = program.part(1, of: instruction)
    var iteration = Iteration()
    defer { end(&iteration) }
    for element in elements {
      begin(&iteration)
      if try holds(body, on: program, for: context, in: .element(element)) {
        iteration.held += 1
        kept.append(element)
      }
    }
    return .array(kept)
  }

  /// Returns whether the second part holds for all elements of the first, or for some; false if there are no elements.
  mutating func elementsHold(
    _ instruction: Instruction, on program: Program, for context: EvaluationContext, in scope: borrowing Scope
  ) throws(RuleFailure) -> Bool {
    guard let elements = try elements(of: instruction, on: program, for: context, in: scope), !elements.isEmpty else {
      return false
    }
    let (body, isForAll) = (program.part(1, of: instruction), instruction.name == .all)
    var iteration = Iteration()
    defer { end(&iteration) }
    for element in elements {
      begin(&iteration)
      let holds = try holds(body, on: program, for: context, in: .element(element))
      iteration.held += holds ? 1 : 0
      if holds != isForAll { return !isForAll }
    }
    return isForAll
  }

  mutating func reduced(
    _ instruction: Instruction, on program: Program, for context: EvaluationContext, in scope: borrowing Scope
  ) throws(RuleFailure) -> FlagValue? {
    let elements = try elements(of: instruction, on: program, for: context, in: scope)
    var result =
      instruction.count > 2
      ? try value(of: program.part(2, of: instruction), on: program, for: context, in: scope) : .null
    guard let elements else { return result }
    let body = program.part(1, of: instruction)
    var iteration = Iteration()
    defer { end(&iteration) }
    for element in elements {
      begin(&iteration)
      result = try value(of: body, on: program, for: context, in: .reduction(current: element, accumulator: result))
      if let result, result.hasParts { try checkNesting(of: result, levels: RuleLimits.nesting) }
    }
    return result
  }

  private mutating func elements(
    of instruction: Instruction, on program: Program, for context: EvaluationContext, in scope: borrowing Scope
  ) throws(RuleFailure) -> [FlagValue]? {
    guard
      case .array(let elements) = try value(of: program.part(0, of: instruction), on: program, for: context, in: scope)
    else {
      return nil
    }
    return elements
  }

  /// Throws if a reduction's result nests too deep: each result can wrap the one before in an array or object.
  ///
  /// All parts are charged, each as often as it is reached: a part that a reduction duplicates costs twice as much.
  private mutating func checkNesting(of value: FlagValue, levels: Int) throws(RuleFailure) {
    switch value {
    case .array(let elements):
      if levels == 0 { throw RuleFailure.nestsTooDeep }
      try charge(elements.count, each: ByteCost.read)
      for element in elements where element.hasParts { try checkNesting(of: element, levels: levels - 1) }
    case .object(let members):
      if levels == 0 { throw RuleFailure.nestsTooDeep }
      try charge(members.count, each: ByteCost.element)
      for element in members.values where element.hasParts { try checkNesting(of: element, levels: levels - 1) }
    case .null, .bool, .int, .double, .string: break
    }
  }

  struct Iteration {
    var count = 0
    var held = 0
    /// The trace, put aside while elements after the first are evaluated.
    fileprivate var trace: Trace?
  }

  private mutating func begin(_ iteration: inout Iteration) {
    iteration.count += 1
    if iteration.count == 2, let trace {
      iteration.trace = trace
      self.trace = nil
    }
  }

  private mutating func end(_ iteration: inout Iteration) {
    if let trace = iteration.trace { self.trace = trace }
    trace?.didIterate(iteration.count, held: iteration.held)
  }
}
