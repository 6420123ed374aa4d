import FlagDomain

/// Hears of every step of an evaluation.
protocol RuleObserver {
  /// Takes note that a rule is about to be evaluated.
  mutating func willEvaluate(_ rule: Rule)

  /// Takes note of what the rule gave that was begun last and is not yet ended.
  mutating func didEvaluate(to value: FlagValue?)

  /// Takes note of the bucket into which a split put the user, of how many.
  mutating func didSplit(bucket: UInt64, of total: UInt64)
}

/// The observer of evaluations that no one follows; the compiler leaves its calls out.
struct NoObserver: RuleObserver {
  @inline(__always) mutating func willEvaluate(_ rule: Rule) {}
  @inline(__always) mutating func didEvaluate(to value: FlagValue?) {}
  @inline(__always) mutating func didSplit(bucket: UInt64, of total: UInt64) {}
}
