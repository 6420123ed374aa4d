public import FlagDomain

/// Answers for a provider that does not keep it alive.
public protocol FlagProviderDelegate: AnyObject, Sendable {
  /// Returns what it says of a flag, on any thread.
  ///
  /// It says the same for the same key and context until a change is announced.
  ///
  /// - Returns: The answer, or nil when it has none.
  /// - Throws: A `FlagError` when what it has is unusable.
  func answer(for key: FlagKey, in context: EvaluationContext) throws(FlagError) -> FlagAnswer?
}

extension ClosureProvider {
  /// Creates a provider that asks a delegate, for as long as someone else keeps that alive; then it has no answers.
  public convenience init(name: String = "delegate", delegate: some FlagProviderDelegate) {
    self.init(name: name) { [weak delegate] key, context throws(FlagError) in
      try delegate?.answer(for: key, in: context)
    }
  }
}
