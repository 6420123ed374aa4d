package import FlagDomain

extension RuleCompiler {
  /// Returns the result of an operator for constant values, or nil if it is not a small value without parts.
  ///
  /// An operation that fails is not folded: its error occurs when it is reached, and not before.
  func folded(_ operation: Instruction, _ operands: ArraySlice<Instruction>) -> FlagValue? {
    var tables = Program.Tables()
    let key = tables.texts.insert("")
    var operation = operation
    operation.count = UInt32(operands.count)
    for operand in operands {
      var copy = operand
      copy.payload = UInt32(tables.constants.count)
      tables.constants.append(builder.tables.constants[Int(operand.payload)])
      tables.instructions.append(copy)
    }
    let program = Program(tables)
    var evaluation = Evaluation(of: EvaluatedFlag(key: key, of: program, bucketing: .v3), budget: .folding)
    let context = EvaluationContext()
    do {
      guard let value = try evaluation.value(of: operation, on: program, for: context, in: .context), value.isSmall
      else { return nil }
      return value
    } catch {
      return nil
    }
  }
}

extension FlagValue {
  /// The value that a rule gives whatever it is asked for; nil if it gives several, a large one, or none.
  package var constantOfRule: FlagValue? {
    if isScalar { return self }
    var compiler = RuleCompiler()
    let root = compiler.rule(self)
    return root.isConstant ? compiler.builder.tables.constants[Int(root.payload)] : nil
  }

  fileprivate var isSmall: Bool {
    switch self {
    case .null, .bool, .int: true
    case .double(let value, _): !value.isNaN
    case .string(let text): text.utf8.count <= RuleLimits.foldedText
    case .array, .object: false
    }
  }
}
