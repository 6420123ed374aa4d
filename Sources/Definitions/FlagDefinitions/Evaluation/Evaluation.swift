import FlagDomain

/// One evaluation of one rule, with its remaining budget.
///
/// It is not copyable: each one serves a single evaluation. A nil value is JavaScript's undefined. Rules nest, and so
/// do the calls here: the functions on the way from an instruction to its parts are kept small, so that the deepest
/// rule fits a small thread's stack.
struct Evaluation: ~Copyable {
  let flag: EvaluatedFlag
  let seconds: Int64
  /// The steps so far; nil if the evaluation is not traced.
  var trace: Trace?
  /// Whether a bucket depends on the targeting key, and the context has none.
  var missesTargetingKey = false
  /// Whether a bucket has decided something.
  var isSplit = false
  /// Whether the subject that decides a bucket is being evaluated.
  var isBucketing = false
  /// The record of the attributes that are read; nil if they are not recorded.
  var reads: ContextReads?
  private var budget: Budget

  struct Budget {
    var steps: Int
    var bytes: Int

    static let evaluating = Budget(steps: RuleLimits.steps, bytes: RuleLimits.bytes)
    static let folding = Budget(steps: RuleLimits.foldingSteps, bytes: RuleLimits.foldingBytes)
  }

  init(of flag: EvaluatedFlag, at seconds: Int64 = 0, budget: Budget = .evaluating, trace: Trace? = nil) {
    self.flag = flag
    self.seconds = seconds
    self.budget = budget
    self.trace = trace
  }
}

struct EvaluatedFlag {
  let key: Int
  let bucketing: Bucketing
  /// The hash of the flag's key: the beginning of the hash that chooses a share.
  let hash: Murmur3

  init(key: Int, of program: Program, bucketing: Bucketing) {
    self.key = key
    self.bucketing = bucketing
    hash = program.tables.texts.withText(key) { Murmur3(flagKey: $0, bucketing: bucketing) }
  }
}

extension Evaluation {
  /// The used part of the usual budget, in steps; bytes are converted by ``ByteCost/perStep``.
  var work: Int {
    RuleLimits.steps - max(0, budget.steps) + (RuleLimits.bytes - max(0, budget.bytes)) / ByteCost.perStep
  }

  mutating func chargeStep() throws(RuleFailure) {
    budget.steps -= 1
    if budget.steps < 0 { throw .tooManySteps }
  }

  /// Charges for bytes that are about to be read or created, and throws if there are too many.
  mutating func charge(_ count: Int, each cost: Int = 1) throws(RuleFailure) {
    budget.bytes -= count * cost
    if budget.bytes < 0 { throw .tooManyBytes }
  }

  /// Charges for a name that is about to be looked up, if it is unusually long.
  mutating func chargeName(_ name: String) throws(RuleFailure) {
    let count = name.utf8.count
    // Hashing a string of nothing but combining marks takes Swift time quadratic in its length.
    if count > ByteCost.freeName { try charge(count, each: max(ByteCost.name, count / 16)) }
  }

  // Inlined into each operator, it would be a third of the module's code, and no faster.
  @inline(never)
  mutating func value(
    of instruction: Instruction, on program: Program, for context: EvaluationContext, in scope: borrowing Scope
  ) throws(RuleFailure) -> FlagValue? {
    try chargeStep()
    if trace != nil { trace?.willEvaluate(instruction, of: program) }
    let value: FlagValue?
    switch instruction.kind {
    case .undefined: value = nil
    case .constant: value = program.tables.constants[Int(instruction.payload)]
    case .strings:
      let strings = program.tables.strings(ofSet: Int(instruction.payload))
      try charge(strings.count, each: ByteCost.element)
      value = .array(strings)
    case .broken: throw .broken(message: instruction.payload)
    case .list: value = try listValue(of: instruction, on: program, for: context, in: scope)
    case .variable: value = try variableValue(of: instruction, on: program, for: context, in: scope)
    case .operation where instruction.traits.contains(.isTest):
      value = try truth(of: instruction, on: program, for: context, in: scope).map(FlagValue.bool) ?? .null
    case .operation: value = try operationValue(of: instruction, on: program, for: context, in: scope)
    }
    if trace != nil { trace?.didEvaluate(to: value) }
    return value
  }

  @inline(never)
  mutating func holds(
    _ instruction: Instruction, on program: Program, for context: EvaluationContext, in scope: borrowing Scope
  ) throws(RuleFailure) -> Bool {
    guard trace == nil, instruction.kind == .operation else {
      return try value(of: instruction, on: program, for: context, in: scope).isTruthy
    }
    try chargeStep()
    return try truth(of: instruction, on: program, for: context, in: scope) ?? false
  }

  /// Evaluates the parts from an index on and discards their values, as other implementations of the format do.
  mutating func evaluateRest(
    from index: Int, of instruction: Instruction, on program: Program, for context: EvaluationContext,
    in scope: borrowing Scope
  ) throws(RuleFailure) {
    for index in instruction.parts.dropFirst(index) {
      let part = program.tables.instructions[index]
      if !part.isConstant { _ = try value(of: part, on: program, for: context, in: scope) }
    }
  }

  mutating func values(
    of instruction: Instruction, on program: Program, for context: EvaluationContext, in scope: borrowing Scope
  ) throws(RuleFailure) -> [FlagValue?] {
    var values: [FlagValue?] = []
    try charge(instruction.parts.count, each: ByteCost.element)
    values.reserveCapacity(instruction.parts.count)
    for index in instruction.parts {
      try values.append(value(of: program.tables.instructions[index], on: program, for: context, in: scope))
    }
    return values
  }

  private mutating func listValue(
    of instruction: Instruction, on program: Program, for context: EvaluationContext, in scope: borrowing Scope
  ) throws(RuleFailure) -> FlagValue? {
    .array(try values(of: instruction, on: program, for: context, in: scope).map { $0 ?? .null })
  }

  /// Returns the result of an operator that is not a test for its parts.
  ///
  /// It and ``truth(of:on:for:in:)`` are on the stack once for each level of a rule, and an unoptimized function
  /// reserves stack for each of its calls: so operators that differ in a detail share a call.
  private mutating func operationValue(
    of instruction: Instruction, on program: Program, for context: EvaluationContext, in scope: borrowing Scope
  ) throws(RuleFailure) -> FlagValue? {
    switch instruction.name {
    case .variable: try computedVariableValue(of: instruction, on: program, for: context, in: scope)
    case .condition, .and, .or: try branchValue(of: instruction, on: program, for: context, in: scope)
    case .map: try mapped(instruction, on: program, for: context, in: scope)
    case .filter: try filtered(instruction, on: program, for: context, in: scope)
    case .reduce: try reduced(instruction, on: program, for: context, in: scope)
    case .fractional: try shareValue(of: instruction, on: program, for: context, in: scope)
    default: try appliedValue(of: instruction, on: program, for: context, in: scope)
    }
  }

  private mutating func appliedValue(
    of instruction: Instruction, on program: Program, for context: EvaluationContext, in scope: borrowing Scope
  ) throws(RuleFailure) -> FlagValue? {
    let values = try values(of: instruction, on: program, for: context, in: scope)
    return try apply(instruction.name, to: values, on: program, for: context, in: scope)
  }

  /// Returns whether an operator's result is truthy; nil if the operator returns null because of invalid operands.
  private mutating func truth(
    of instruction: Instruction, on program: Program, for context: EvaluationContext, in scope: borrowing Scope
  ) throws(RuleFailure) -> Bool? {
    let name = instruction.name
    switch name {
    case .not, .truth: return try firstHolds(of: instruction, on: program, for: context, in: scope) == (name == .truth)
    case .equal, .notEqual, .identical, .notIdentical:
      let areEqual = try areEqual(instruction, on: program, for: context, in: scope)
      return areEqual == (name == .equal || name == .identical)
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      return try areOrdered(instruction, on: program, for: context, in: scope)
    case .in: return try contains(instruction, on: program, for: context, in: scope)
    case .startsWith, .endsWith: return try hasAffix(instruction, on: program, for: context, in: scope)
    case .version: return try versionsCompare(instruction, on: program, for: context, in: scope)
    case .all, .some: return try elementsHold(instruction, on: program, for: context, in: scope)
    case .none: return try !elementsHold(instruction, on: program, for: context, in: scope)
    case .condition, .and, .or: return try branchHolds(instruction, on: program, for: context, in: scope)
    default: return try operationValue(of: instruction, on: program, for: context, in: scope).isTruthy
    }
  }

  private mutating func firstHolds(
    of instruction: Instruction, on program: Program, for context: EvaluationContext, in scope: borrowing Scope
  ) throws(RuleFailure) -> Bool {
    let holds = try holds(program.part(0, of: instruction), on: program, for: context, in: scope)
    try evaluateRest(from: 1, of: instruction, on: program, for: context, in: scope)
    return holds
  }
}
