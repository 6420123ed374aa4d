import FlagDomain

/// Answers that are text, by a function from keys.
struct TextAnswers: ProviderSnapshot {
  let text: @Sendable (FlagKey) -> String?

  func answer(for key: FlagKey, in context: EvaluationContext) -> FlagAnswer? {
    text(key).map { FlagAnswer(.string($0)) }
  }

  var textReader: (@Sendable (String) throws(FlagError) -> FlagValue)? { FlagValue.reading(json:) }
}
