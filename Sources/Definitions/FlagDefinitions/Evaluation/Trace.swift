import FlagDomain

struct Trace {
  private(set) var steps: [FlagExplanation.Step] = []
  /// The number of steps that were not recorded because of the limit.
  private(set) var omitted = 0
  /// The steps that have begun and not ended, the outermost first; nil for one that is not recorded.
  private var open: [FlagExplanation.Step?] = []
  private var stepsLeft = RuleLimits.explainedSteps
  private var bytesLeft = RuleLimits.explainedBytes

  mutating func willEvaluate(_ instruction: Instruction, of program: Program) {
    guard !instruction.isValue else { return open.append(nil) }
    guard stepsLeft > 0 else {
      omitted += 1
      return open.append(nil)
    }
    stepsLeft -= 1
    let rule = program.json(instruction, atMost: min(RuleLimits.explainedValue, bytesLeft))
    bytesLeft -= rule.jsonSize
    open.append(FlagExplanation.Step(rule: rule))
  }

  mutating func didEvaluate(to value: FlagValue?) {
    guard var step = open.popLast() ?? nil else { return }
    let value = (value ?? .null).bounded(to: min(RuleLimits.explainedValue, bytesLeft))
    bytesLeft -= value.jsonSize
    step.value = value
    add(step)
  }

  mutating func didSplit(bucket: UInt64, of total: UInt64) {
    guard let last = open.indices.last else { return }
    open[last]?.bucket = FlagExplanation.Bucket(number: Int(bucket), count: Int(total))
  }

  mutating func didIterate(_ count: Int, held: Int) {
    guard let last = open.indices.last else { return }
    open[last]?.iteration = FlagExplanation.Iteration(count: count, held: held)
  }

  mutating func finish() {
    while let step = open.popLast() { if let step { add(step) } }
  }

  private mutating func add(_ step: FlagExplanation.Step) {
    if let parent = open.lastIndex(where: { $0 != nil }) {
      open[parent]?.parts.append(step)
    } else {
      steps.append(step)
    }
  }
}
