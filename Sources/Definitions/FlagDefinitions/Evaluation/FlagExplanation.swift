public import FlagDomain

/// The answer of a flag, with the steps of its evaluation.
public struct FlagExplanation: Sendable {
  /// The flag's key.
  public let key: String
  /// The answer, or nil if there is none.
  package(set) public var answer: FlagAnswer?
  /// The error that stopped the evaluation, or nil.
  package(set) public var error: FlagError?
  /// The steps in order: one for a flag with a rule, none for a flag without.
  package(set) public var steps: [Step] = []
  /// The number of steps that were omitted.
  package(set) public var omittedSteps = 0

  /// Creates an explanation without an answer.
  package init(key: String) { self.key = key }

  /// One part of a rule that was evaluated.
  public struct Step: Hashable, Sendable {
    /// The part, as JSON; in a long one, "..." replaces the omitted parts.
    public let rule: FlagValue
    /// The result; nil after an error, and a description for a long one.
    public internal(set) var value: FlagValue?
    /// The bucket that a split assigned the user to.
    public internal(set) var bucket: Bucket?
    /// The iteration over the elements of an array; the parts are those of the first element.
    public internal(set) var iteration: Iteration?
    /// The parts that were evaluated, in order, without plain values.
    public internal(set) var parts: [Step] = []

    /// Creates a step; nothing of its rule is recorded if that is long.
    package init(rule: FlagValue, value: FlagValue? = nil) {
      self.rule = rule.bounded(to: RuleLimits.explainedValue)
      self.value = value
    }
  }

  /// A bucket of a split: one of equal parts of all users.
  public struct Bucket: Hashable, Sendable {
    /// The number of the bucket, counted from zero.
    public let number: Int
    /// The number of buckets: the sum of the weights.
    public let count: Int
  }

  /// The evaluation of a part for the elements of an array.
  public struct Iteration: Hashable, Sendable {
    /// The number of elements that it was evaluated for.
    public let count: Int
    /// The number of elements for which it was true.
    public let held: Int
  }
}
