package import FlagDomain

extension FlagDefinition {
  /// Returns the answer of the flag's rule for a context; the flag has no fixed answer.
  func ruledAnswer(
    in context: EvaluationContext, at seconds: () -> Int64, budget: Evaluation.Budget = .evaluating
  ) throws(FlagError) -> FlagAnswer {
    var evaluation = Evaluation(of: evaluated, at: dependsOnTime ? seconds() : 0, budget: budget)
    return try answer(in: context, &evaluation)
  }

  /// Returns the flag's answer for a context, and adds the steps that it took, even if it fails, and the attributes
  /// that it read.
  package func evaluate(
    in context: EvaluationContext, at seconds: Int64, counting work: inout Int, recording reads: ContextReads? = nil
  ) throws(FlagError) -> FlagAnswer {
    if let fixedAnswer { return fixedAnswer }
    var evaluation = Evaluation(of: evaluated, at: seconds)
    evaluation.reads = reads
    defer { work += evaluation.work }
    return try answer(in: context, &evaluation)
  }

  /// Returns the value of a part of the flag's rule for a context, and adds the steps that it took, even if it fails.
  package func value(
    of part: Instruction, in context: EvaluationContext, at seconds: Int64, counting work: inout Int
  ) throws(FlagError) -> FlagValue? {
    var evaluation = Evaluation(of: evaluated, at: seconds)
    defer { work += evaluation.work }
    do {
      return try evaluation.value(of: part, on: program, for: context, in: .context)
    } catch {
      throw ofFlag(FlagError(error, of: program))
    }
  }

  /// Returns the answer for users for whom the rule gives a value.
  package func answer(toResult value: FlagValue) throws(FlagError) -> FlagAnswer {
    try answer(to: value == .null ? .none : .value(value), isMissingTargetingKey: false)
  }

  /// Records the flag's answer for a context, and the steps that led to it.
  func explain(
    in context: EvaluationContext, at seconds: Int64, budget: Evaluation.Budget = .evaluating,
    in explanation: inout FlagExplanation
  ) throws(FlagError) {
    if let fixedAnswer {
      explanation.answer = fixedAnswer
      return
    }
    var evaluation = Evaluation(of: evaluated, at: seconds, budget: budget, trace: Trace())
    defer {
      evaluation.trace?.finish()
      explanation.steps = evaluation.trace?.steps ?? []
      explanation.omittedSteps = evaluation.trace?.omitted ?? 0
    }
    explanation.answer = try answer(in: context, &evaluation)
  }

  private func answer(in context: EvaluationContext, _ evaluation: inout Evaluation) throws(FlagError) -> FlagAnswer {
    let choice: Evaluation.Choice
    do {
      choice =
        try root.map { root throws(RuleFailure) in
          try evaluation.choice(of: root, on: program, for: context)
        } ?? .none
    } catch {
      throw ofFlag(FlagError(error, of: program))
    }
    do {
      return try answer(
        to: choice, isMissingTargetingKey: evaluation.missesTargetingKey,
        stickyReason: stickyVersion != nil && evaluation.isSplit ? .split : nil)
    } catch {
      throw ofFlag(error)
    }
  }

  private func ofFlag(_ error: FlagError) -> FlagError {
    FlagError(error.code, error.message, isTransient: dependsOnTime, metadata: metadata)
  }

  private func answer(
    to choice: Evaluation.Choice, isMissingTargetingKey: Bool, stickyReason: ResolutionReason? = nil
  ) throws(FlagError) -> FlagAnswer {
    let reason = stickyReason ?? .targetingMatch
    switch choice {
    case .none: return try defaultAnswer(isMissingTargetingKey: isMissingTargetingKey)
    case .text(let number):
      guard let index = variants.index(ofText: number) else {
        throw unknownVariant(program.tables.texts[number], in: "targeting")
      }
      return answer(index, reason, isMissingTargetingKey: isMissingTargetingKey)
    case .value(let value):
      guard let name = value.variantName else {
        throw FlagError(.general, "targeting: expected the name of a variant or null, found \(value.summary)")
      }
      guard let index = variants.index(ofVariant: name) else { throw unknownVariant(name, in: "targeting") }
      return answer(index, reason, isMissingTargetingKey: isMissingTargetingKey)
    }
  }

  private func defaultAnswer(isMissingTargetingKey: Bool) throws(FlagError) -> FlagAnswer {
    if let defaultIndex { return answer(defaultIndex, .default, isMissingTargetingKey: isMissingTargetingKey) }
    if let defaultVariant { throw unknownVariant(defaultVariant, in: "defaultVariant") }
    return FlagAnswer(
      nil, reason: .default, metadata: metadata, isTransient: dependsOnTime,
      isMissingTargetingKey: isMissingTargetingKey, isExperiment: isExperiment)
  }

  private static let namedVariants = 10

  private func unknownVariant(_ name: String, in field: String) -> FlagError {
    var names = variants.prefix(Self.namedVariants).map(\.name.excerpt).joined(separator: ", ")
    if variants.count > Self.namedVariants { names += " and \(variants.count - Self.namedVariants) more" }
    return FlagError(.general, "\(field): expected one of the variants \(names), found \(name.quoted)")
  }

  private func answer(_ variant: Int, _ reason: ResolutionReason, isMissingTargetingKey: Bool) -> FlagAnswer {
    FlagAnswer(
      variants[variant].value, variant: variants[variant].name, reason: reason, metadata: metadata,
      isTransient: dependsOnTime, isMissingTargetingKey: isMissingTargetingKey, isExperiment: isExperiment)
  }
}
