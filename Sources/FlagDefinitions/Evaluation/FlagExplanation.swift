public import FlagDomain

/// The answer of a flag, with the steps of its evaluation.
public struct FlagExplanation: Sendable {
  /// The flag's key.
  public let key: String
  /// The answer, or nil if there is none.
  public internal(set) var answer: FlagAnswer?
  /// The error that stopped the evaluation, or nil.
  package(set) public var error: FlagError?
  /// The steps in order: one for a flag with a rule, none for a flag without.
  public internal(set) var steps: [Step] = []
  /// The number of steps that were omitted.
  public internal(set) var omittedSteps = 0

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
