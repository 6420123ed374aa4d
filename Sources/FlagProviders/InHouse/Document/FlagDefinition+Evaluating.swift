import FlagDomain

extension FlagDefinition {
  /// Returns what the flag says to a context; the steps on the way are kept in a trace, where there is one.
  func evaluate(
    in context: EvaluationContext, at seconds: Int64, bucketing: Bucketing, trace: inout Trace?
  ) throws(FlagError) -> FlagAnswer {
    if let fixedAnswer { return fixedAnswer }
    do {
      return try answer(in: context, at: seconds, bucketing: bucketing, trace: &trace)
    } catch {
      throw FlagError(error.code, error.message, isTransient: dependsOnTime)
    }
  }

  private func answer(
    in context: EvaluationContext, at seconds: Int64, bucketing: Bucketing, trace: inout Trace?
  ) throws(FlagError) -> FlagAnswer {
    guard let rule else { return try defaultAnswer() }
    switch try value(of: rule, in: context, at: seconds, bucketing: bucketing, trace: &trace) {
    case nil, .null: return try defaultAnswer()
    case .string(let name): return try variantAnswer(name)
    case .bool(let value): return try variantAnswer(value ? "true" : "false")
    case let value?:
      throw FlagError(.general, "targeting: expected the name of a variant, a boolean or null, found \(value.summary)")
    }
  }

  private func value(
    of rule: Rule, in context: EvaluationContext, at seconds: Int64, bucketing: Bucketing, trace: inout Trace?
  ) throws(FlagError) -> FlagValue? {
    var evaluation = Evaluation(of: key, in: context, at: seconds, bucketing: bucketing, trace: trace)
    defer { trace = evaluation.trace }
    do {
      return try evaluation.value(of: rule, in: .context)
    } catch {
      throw FlagError(error)
    }
  }

  private func defaultAnswer() throws(FlagError) -> FlagAnswer {
    if let defaultIndex { return answer(variants[defaultIndex], .default) }
    guard let defaultVariant else { return answer(nil, .default) }
    throw unknownVariant(defaultVariant, in: "defaultVariant")
  }

  private func variantAnswer(_ name: String) throws(FlagError) -> FlagAnswer {
    guard let index = variants.index(ofVariant: name) else { throw unknownVariant(name, in: "targeting") }
    return answer(variants[index], .targetingMatch)
  }

  private func unknownVariant(_ name: String, in field: String) -> FlagError {
    let names = variants.map(\.name).joined(separator: ", ")
    return FlagError(.general, "\(field): expected one of the variants \(names), found \(FlagValue.string(name))")
  }

  private func answer(_ variant: Variant?, _ reason: ResolutionReason) -> FlagAnswer {
    FlagAnswer(
      variant?.value, variant: variant?.name, reason: reason, metadata: metadata, isTransient: dependsOnTime)
  }
}
