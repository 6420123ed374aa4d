import FlagDefinitions
import FlagDomain
import FlagPatterns

/// The evaluation of a flag for a context, within a budget of steps and bytes.
struct Evaluation {
  /// The reason why an evaluation ends without a variation.
  enum Failure: Error, Equatable {
    /// A flag or segment that the evaluation needs is malformed.
    case malformed(String)
    case tooManySteps
    case tooManyBytes
    case tooDeep(levels: Int)
  }

  /// The variation of a flag, and its cause.
  struct Decision {
    enum Cause {
      case off, target, otherwise
      case rule(Int)
      case prerequisite(Int)
      /// Neither a variation nor a rollout is given for the context.
      case nothingGiven
    }

    var variation: Int?
    var cause: Cause
    var isSplit = false
    var isInExperiment = false
  }

  let definitions: Definitions
  let context: EvaluationContext
  /// Whether a rollout needed the key of a user, and there is none.
  private(set) var isMissingTargetingKey = false
  /// Whether a segment was needed whose keys are kept elsewhere.
  private(set) var needsBigSegments = false

  private var steps = RuleLimits.steps
  private var bytes = RuleLimits.bytes
  /// The numbers of the flags and segments that are being evaluated, outermost first.
  private var openFlags: [Int] = []
  private var openSegments: [Int] = []

  init(_ definitions: Definitions, for context: EvaluationContext) {
    self.definitions = definitions
    self.context = context
  }

  // MARK: The budget

  mutating func step(_ count: Int = 1) throws(Failure) {
    steps -= count
    if steps < 0 { throw .tooManySteps }
  }

  mutating func charge(_ count: Int) throws(Failure) {
    bytes -= count
    if bytes < 0 { throw .tooManyBytes }
  }

  /// Returns whether a text has a match of a pattern.
  mutating func matches(_ pattern: Pattern, _ text: String) throws(Failure) -> Bool {
    guard let matches = pattern.matches(text, within: &steps) else { throw .tooManySteps }
    return matches
  }

  // MARK: Flags

  /// Decides the variation of a flag, given its number.
  mutating func decide(_ flag: LaunchDarklyFlag, number: Int) throws(Failure) -> Decision {
    guard flag.isOn else { return Decision(variation: flag.off, cause: .off) }
    if !flag.prerequisites.isEmpty, let failed = try failedPrerequisite(of: flag, number: number) {
      return Decision(variation: flag.off, cause: .prerequisite(failed))
    }
    if let variation = try target(of: flag) { return Decision(variation: variation, cause: .target) }
    for index in flag.rules.indices where try matches(flag.rules[index].clauses) {
      return try decide(flag.rules[index].choice, cause: .rule(index))
    }
    return try decide(flag.otherwise, cause: .otherwise)
  }

  /// Returns the index of the first prerequisite that is not met; nil if all are.
  private mutating func failedPrerequisite(of flag: LaunchDarklyFlag, number: Int) throws(Failure) -> Int? {
    guard openFlags.count < RuleLimits.levels else { throw .tooDeep(levels: RuleLimits.levels) }
    openFlags.append(number)
    defer { openFlags.removeLast() }
    for (index, prerequisite) in flag.prerequisites.enumerated() {
      // The evaluation of a flag takes about as long as that of so many clauses.
      try step(10)
      guard !openFlags.contains(prerequisite.flag) else {
        throw .malformed("prerequisites form a circle: \(flag.key.quoted) needs \(prerequisite.key.quoted)")
      }
      switch definitions.flags.entries[prerequisite.flag] {
      case nil: return index
      case .malformed(let reason): throw .malformed(reason)
      case .part(let other):
        let decision = try decide(other, number: prerequisite.flag)
        guard other.isOn, decision.variation == prerequisite.variation,
          other.variations.indices.contains(prerequisite.variation)
        else { return index }
      }
    }
    return nil
  }

  /// Returns the variation of the first target that has a key of the context.
  private mutating func target(of flag: LaunchDarklyFlag) throws(Failure) -> Int? {
    var first: (order: Int, variation: Int)?
    for table in flag.targets {
      try step()
      guard let key = context.key(of: table.kind), let target = table.target(of: key) else { continue }
      if first.map({ target.order < $0.order }) ?? true { first = target }
    }
    return first?.variation
  }

  private mutating func decide(
    _ choice: LaunchDarklyFlag.Choice, cause: Decision.Cause
  ) throws(Failure) -> Decision {
    switch choice {
    case .variation(let variation): return Decision(variation: variation, cause: cause)
    case .none: return Decision(variation: nil, cause: .nothingGiven)
    case .rollout(let rollout):
      try charge(rollout.shares.count * ByteCost.perStep)
      let bucket = try bucket(rollout.bucketer)
      let share = rollout.shares.first { bucket.position < $0.end } ?? rollout.shares[rollout.shares.count - 1]
      var isInExperiment = rollout.isExperiment && !share.isUntracked
      if case .noContext = bucket { isInExperiment = false }
      return Decision(
        variation: share.variation, cause: cause, isSplit: true, isInExperiment: isInExperiment)
    }
  }

  /// Returns the bucket of the context.
  private mutating func bucket(_ bucketer: Bucketer) throws(Failure) -> Bucket {
    do throws(AttributeReference.Malformed) {
      let bucket = try bucketer.bucket(of: context)
      if case (.noContext, .user) = (bucket, bucketer.kind) { isMissingTargetingKey = true }
      return bucket
    } catch {
      throw .malformed(error.message)
    }
  }

  // MARK: Segments

  /// Returns whether the context is in a segment, given its number; in none that the document does not have.
  mutating func isInSegment(_ number: Int) throws(Failure) -> Bool {
    try step()
    guard !openSegments.contains(number) else { throw .malformed("the rules of segments form a circle") }
    switch definitions.segments.entries[number] {
    case nil: return false
    case .malformed(let reason): throw .malformed(reason)
    case .part(let segment):
      if let unbounded = segment.unbounded {
        // There is no store of the keys, so that only rules include contexts of the kind.
        let isOfKind = context.key(of: unbounded.kind) != nil
        if !unbounded.hasGeneration || isOfKind { needsBigSegments = true }
        guard unbounded.hasGeneration, isOfKind else { return false }
        return try isIncluded(byRulesOf: segment, number: number)
      }
      try charge((segment.included.count + segment.excluded.count) * ByteCost.perStep)
      if segment.included.contains(context) { return true }
      if segment.excluded.contains(context) { return false }
      return try isIncluded(byRulesOf: segment, number: number)
    }
  }

  private mutating func isIncluded(byRulesOf segment: Segment, number: Int) throws(Failure) -> Bool {
    guard openSegments.count < RuleLimits.levels else { throw .tooDeep(levels: RuleLimits.levels) }
    openSegments.append(number)
    defer { openSegments.removeLast() }
    for rule in segment.rules where try matches(rule.clauses) {
      guard let weight = rule.weight else { return true }
      if try bucket(rule.bucketer).position < weight { return true }
    }
    return false
  }
}
