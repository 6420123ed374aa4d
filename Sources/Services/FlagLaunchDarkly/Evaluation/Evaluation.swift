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

  private let definitions: Definitions
  private let context: EvaluationContext
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

  private mutating func step(_ count: Int = 1) throws(Failure) {
    steps -= count
    if steps < 0 { throw .tooManySteps }
  }

  private mutating func charge(_ count: Int) throws(Failure) {
    bytes -= count
    if bytes < 0 { throw .tooManyBytes }
  }

  /// Returns whether a text has a match of a pattern.
  private mutating func matches(_ pattern: Pattern, _ text: String) throws(Failure) -> Bool {
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
  private mutating func isInSegment(_ number: Int) throws(Failure) -> Bool {
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

  // MARK: Clauses

  /// Returns whether all clauses of a rule hold.
  private mutating func matches(_ clauses: [Clause]) throws(Failure) -> Bool {
    try step()
    for clause in clauses where try !matches(clause) { return false }
    return true
  }

  private mutating func matches(_ clause: Clause) throws(Failure) -> Bool {
    try step()
    if case .isInSegment(let segments) = clause.test {
      for segment in segments where try isInSegment(segment) { return !clause.isNegated }
      return clause.isNegated
    }
    let attribute: AttributeReference
    switch clause.attribute {
    case .success(let reference): attribute = reference
    case .failure(let error):
      // A clause about a context that is not there does not hold, whatever its attribute.
      guard context.key(of: clause.kind) != nil else { return false }
      throw .malformed(error.message)
    }
    if attribute.isKind {
      for kind in context.kinds where try holds(clause.test, for: .string(kind)) { return !clause.isNegated }
      return clause.isNegated
    }
    // A clause about an attribute that is not there does not hold, negated or not.
    switch context.value(of: attribute, in: clause.kind) {
    case nil: return false
    case .array(let elements)?:
      for element in elements {
        try step()
        if try holds(clause.test, for: element) { return !clause.isNegated }
      }
      return clause.isNegated
    case let value?: return try holds(clause.test, for: value) != clause.isNegated
    }
  }

  /// Returns whether a value compares with one of a clause's as the test says.
  private mutating func holds(_ test: ClauseTest, for value: FlagValue) throws(Failure) -> Bool {
    switch test {
    case .isOneOf(let values):
      if !values.others.isEmpty { try charge(values.others.count * 64) }
      return values.contains(value)
    case .startsWith, .endsWith, .contains, .matches, .version:
      guard case .string(let text) = value else { return false }
      return try holds(test, forText: text)
    case .number(let relation, let others):
      guard let number = value.number else { return false }
      return try holds(relation, number, others)
    case .date(let relation, let others):
      if case .string(let text) = value { try charge(text.utf8.count) }
      guard let time = value.milliseconds else { return false }
      return try holds(relation, time, others)
    case .unusable(let message): throw .malformed(message)
    case .never, .isInSegment: return false
    }
  }

  private mutating func holds(
    _ relation: ClauseTest.Relation, _ number: Double, _ others: [Double]
  ) throws(Failure) -> Bool {
    for other in others {
      try step()
      if relation.holds(number, other) { return true }
    }
    return false
  }

  private mutating func holds(_ test: ClauseTest, forText text: String) throws(Failure) -> Bool {
    switch test {
    case .startsWith(let parts): return try any(parts, in: text) { $0.utf8.starts(with: $1.utf8) }
    case .endsWith(let parts):
      return try any(parts, in: text) { $0.utf8.suffix($1.utf8.count).elementsEqual($1.utf8) }
    case .contains(let parts):
      for part in parts {
        try step()
        try charge(text.utf8.count * 2 + part.utf8.count * 8)
        if text.hasPart(part) { return true }
      }
    case .matches(let patterns):
      for pattern in patterns {
        try step()
        if try matches(pattern, text) { return true }
      }
    case .version(let relation, let versions):
      for version in versions {
        try step()
        try charge(text.utf8.count)
        guard let found = SemanticVersion(text, isLenient: true) else { return false }
        if relation.holds(found.order(to: version), 0) { return true }
      }
    case .isOneOf, .number, .date, .isInSegment, .never, .unusable: break
    }
    return false
  }

  private mutating func any(
    _ parts: [String], in text: String, _ holds: (String, String) -> Bool
  ) throws(Failure) -> Bool {
    for part in parts where part.utf8.count <= text.utf8.count {
      try step()
      try charge(part.utf8.count)
      if holds(text, part) { return true }
    }
    return false
  }
}
