import FlagDomain

extension Evaluation {
  mutating func variableValue(
    of instruction: Instruction, on program: Program, for context: EvaluationContext, in scope: borrowing Scope
  ) throws(RuleFailure) -> FlagValue? {
    // A fallback that can fail is evaluated in any case, as other implementations of the format do.
    let fallback = program.part(0, of: instruction)
    let isNeeded = fallback.kind != .undefined && !fallback.isConstant
    let other = isNeeded ? try value(of: fallback, on: program, for: context, in: scope) : nil
    if let value = try value(ofVariable: Int(instruction.payload), on: program, for: context, in: scope) {
      return value
    }
    if isNeeded { return other ?? .null }
    return fallback.isConstant ? program.tables.constants[Int(fallback.payload)] : .null
  }

  mutating func computedVariableValue(
    of instruction: Instruction, on program: Program, for context: EvaluationContext, in scope: borrowing Scope
  ) throws(RuleFailure) -> FlagValue? {
    let name = try value(of: program.part(0, of: instruction), on: program, for: context, in: scope)
    let fallback = try value(of: program.part(1, of: instruction), on: program, for: context, in: scope)
    try evaluateRest(from: 2, of: instruction, on: program, for: context, in: scope)
    return try value(namedBy: name, on: program, for: context, in: scope) ?? fallback ?? .null
  }

  /// Returns the value that a computed name refers to: as in JavaScript, null, undefined and an empty string mean the
  /// whole data.
  mutating func value(
    namedBy name: FlagValue?, on program: Program, for context: EvaluationContext, in scope: borrowing Scope
  ) throws(RuleFailure) -> FlagValue? {
    if name == nil || name == .null || name == .string("") { return try whole(scope, on: program, for: context) }
    let path = try text(of: name)
    try charge(path.utf8.count, each: ByteCost.name)
    if let reads, scope.isContext {
      reads.areOpen = true
      reads.insert(path)
    }
    let variable = Variable(path: path)
    guard let first = variable.first else { return nil }
    let value = try property(first, isReserved: variable.isReserved, on: program, for: context, in: scope)
    return try properties(variable.rest[...], of: value)
  }

  private mutating func value(
    ofVariable number: Int, on program: Program, for context: EvaluationContext, in scope: borrowing Scope
  ) throws(RuleFailure) -> FlagValue? {
    // The variable is used in place: copying it would update reference counts that all threads share.
    let isReserved = program.tables.variables[number].isReserved
    guard let first = program.tables.variables[number].first else { return try whole(scope, on: program, for: context) }
    if reads != nil, scope.isContext, !isReserved { reads?.insert(program.tables.variables[number].path) }
    let value = try property(first, isReserved: isReserved, on: program, for: context, in: scope)
    if program.tables.variables[number].rest.isEmpty { return value }
    return try properties(program.tables.variables[number].rest[...], of: value)
  }

  private mutating func properties(
    _ names: ArraySlice<String>, of value: FlagValue?
  ) throws(RuleFailure) -> FlagValue? {
    var value = value
    for name in names {
      guard let whole = value else { return nil }
      value = try property(name, of: whole)
    }
    return value
  }

  private mutating func property(
    _ name: ContextAttribute, isReserved: Bool, on program: Program, for context: EvaluationContext,
    in scope: borrowing Scope
  ) throws(RuleFailure) -> FlagValue? {
    try chargeName(name.name)
    switch copy scope {
    case .context:
      if isReserved { return try reserved(in: program) }
      let value = context[name]
      if isBucketing, value == nil, name.isTargetingKey { missesTargetingKey = true }
      return value
    case .element(let value): return try property(name.name, of: value)
    case .reduction(let current, let accumulator):
      if name.name.isIdentical(to: Scope.current) { return current }
      return name.name.isIdentical(to: Scope.accumulator) ? accumulator : nil
    }
  }

  private mutating func whole(_ scope: borrowing Scope, on program: Program, for context: EvaluationContext)
    throws(RuleFailure) -> FlagValue?
  {
    switch copy scope {
    case .context:
      reads?.areOpen = true
      let own = context.user.map { $0.attributes.count + $0.contexts.count } ?? 0
      try charge(context.attributes.count + own + 4, each: ByteCost.member)
      let reserved = try reserved(in: program)
      return .object(context.values.merging([Variable.Reserved.name: reserved]) { _, ours in ours })
    case .element(let value): return value
    case .reduction(let current, let accumulator):
      try charge(2, each: ByteCost.member)
      return .object([Scope.current: current, Scope.accumulator: accumulator ?? .null])
    }
  }

  /// Charges for the flag's key, because it is copied.
  private mutating func reserved(in program: Program) throws(RuleFailure) -> FlagValue {
    try charge(Int(program.tables.texts.entries[flag.key].count))
    return [
      Variable.Reserved.flagKey: .string(program.tables.texts[flag.key]),
      Variable.Reserved.timestamp: .int(Int128(seconds)),
    ]
  }
}
