public import FlagDomain

/// How a flag's answer came about.
public struct FlagExplanation: Sendable {
  /// The flag's key.
  public let key: String
  /// The answer, or nil where there is none.
  public internal(set) var answer: FlagAnswer?
  /// What kept the flag from being evaluated, or nil.
  package(set) public var error: FlagError?
  /// What was evaluated, in its order: one step for a flag with a rule, and none for another.
  public internal(set) var steps: [Step] = []

  /// One part of a rule that was evaluated.
  public struct Step: Hashable, Sendable {
    /// The part, as a document would have it.
    public let rule: FlagValue
    /// What it gave; nil where an error cut it short.
    public internal(set) var value: FlagValue?
    /// The bucket into which it put the user, where it is a split.
    public internal(set) var bucket: Bucket?
    /// The parts of this one that were evaluated, in their order; those that are plain values are left out.
    public internal(set) var parts: [Step] = []
  }

  /// One of the equal parts into which a split divides everyone.
  public struct Bucket: Hashable, Sendable {
    /// Which one it is, counted from zero.
    public let number: Int
    /// How many there are: the sum of the weights.
    public let count: Int
  }
}

extension FlagDocument {
  /// Evaluates a flag as always, and keeps how the answer came about.
  ///
  /// - Parameters:
  ///   - key: The flag's key.
  ///   - context: Whom the flag is evaluated for.
  ///   - seconds: The time, in seconds since the beginning of 1970 in UTC.
  /// - Returns: The explanation; its answer is nil where the document has no such flag.
  public func explain(_ key: String, in context: EvaluationContext, at seconds: Int64) -> FlagExplanation {
    var explanation = FlagExplanation(key: key)
    var trace: Trace? = Trace()
    do {
      explanation.answer = try flag(key)?.evaluate(
        in: context, at: seconds, bucketing: bucketing, trace: &trace)
    } catch {
      explanation.error = error
    }
    explanation.steps = trace?.finish() ?? []
    return explanation
  }
}
