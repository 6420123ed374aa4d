import FlagDomain

extension FlagDefinition {
  /// Returns what the flag says to a context; the observer hears how it came about.
  func evaluate<Observer: RuleObserver>(
    in context: EvaluationContext, at seconds: Int64, bucketing: Bucketing, observer: inout Observer
  ) throws(FlagError) -> FlagAnswer {
    if let fixedAnswer { return fixedAnswer }
    guard let rule else { return try defaultAnswer() }
    var evaluation = Evaluation(of: key, in: context, at: seconds, bucketing: bucketing, observer: observer)
    defer { observer = evaluation.observer }
    switch try evaluation.value(of: rule, in: .context) {
    case nil, .null: return try defaultAnswer()
    case .string(let name): return try variantAnswer(name)
    case .bool(let value): return try variantAnswer(value ? "true" : "false")
    case let value?:
      throw FlagError(.general, "targeting: expected the name of a variant, a boolean or null, found \(value.summary)")
    }
  }

  private func defaultAnswer() throws(FlagError) -> FlagAnswer {
    if let defaultIndex { return answer(variants[defaultIndex], .default) }
    guard let defaultVariant else { return answer(nil, .default) }
    throw unknownVariant(defaultVariant, in: "defaultVariant")
  }

  private func variantAnswer(_ name: String) throws(FlagError) -> FlagAnswer {
    for variant in variants where variant.name.isIdentical(to: name) { return answer(variant, .targetingMatch) }
    throw unknownVariant(name, in: "targeting")
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
