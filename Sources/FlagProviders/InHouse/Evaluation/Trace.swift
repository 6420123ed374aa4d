import FlagDomain

/// Keeps the steps of an evaluation, as a tree.
struct Trace {
  /// The most steps that are kept; those after them are left out.
  private static let maximumSteps = 10_000

  /// The outermost steps that have ended.
  private(set) var steps: [FlagExplanation.Step] = []
  /// The steps that have begun and not ended, the outermost first.
  private var open: [FlagExplanation.Step?] = []
  private var count = 0

  /// Takes note that a rule is about to be evaluated.
  mutating func willEvaluate(_ rule: Rule) {
    count += rule.constantValue == nil ? 1 : 0
    open.append(rule.constantValue == nil && count <= Self.maximumSteps ? FlagExplanation.Step(rule: rule.json) : nil)
  }

  /// Takes note of what the rule gave that was begun last and has not ended.
  mutating func didEvaluate(to value: FlagValue?) {
    guard var step = open.popLast() ?? nil else { return }
    step.value = value ?? .null
    add(step)
  }

  /// Takes note of the bucket into which a split put the user, of how many.
  mutating func didSplit(bucket: UInt64, of total: UInt64) {
    guard let last = open.indices.last else { return }
    open[last]?.bucket = FlagExplanation.Bucket(number: Int(bucket), count: Int(total))
  }

  /// The steps, those that an error cut short included.
  mutating func finish() -> [FlagExplanation.Step] {
    while let step = open.popLast() { if let step { add(step) } }
    return steps
  }

  private mutating func add(_ step: FlagExplanation.Step) {
    if let parent = open.lastIndex(where: { $0 != nil }) {
      open[parent]?.parts.append(step)
    } else {
      steps.append(step)
    }
  }
}
