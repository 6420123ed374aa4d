public import FlagDomain

extension FlagDocument {
  /// Evaluates a flag, and records the steps of the evaluation.
  ///
  /// - Parameters:
  ///   - key: The flag's key.
  ///   - context: The context that the flag is evaluated for.
  ///   - seconds: The time, in seconds since 1970-01-01 UTC.
  /// - Returns: The explanation; its answer is nil if the document has no such flag.
  public func explain(_ key: String, in context: EvaluationContext, at seconds: Int64) -> FlagExplanation {
    var explanation = FlagExplanation(key: key)
    do {
      guard let flag = try flag(key) else { return explanation }
      try flag.explain(in: context, at: seconds, in: &explanation)
      explanation.answer = explanation.answer.map { sticky($0, of: flag, in: context, isSaved: false) }
    } catch {
      explanation.error = error
    }
    return explanation
  }
}
