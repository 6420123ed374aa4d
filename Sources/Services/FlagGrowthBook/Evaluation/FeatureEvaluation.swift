import FlagDomain
import FlagPatterns

/// One evaluation of one feature for a context, with its remaining budget.
struct FeatureEvaluation: ~Copyable {
  let context: EvaluationContext
  let store: (any StickyBucketStore)?
  /// The numbers of the features that are being evaluated, each a prerequisite of the one before.
  private var path: [Int] = []
  var stepsLeft = Self.steps
  /// The number of levels of the saved groups that are being evaluated, each needed by the one before.
  var groupLevels = 0
  /// Whether a share is chosen by the targeting key, and the context has none.
  var missesTargetingKey = false

  /// The maximum number of steps: parts of conditions, elements of arrays, and bytes of text that is converted.
  static let steps = 1_000_000
  /// The maximum number of features that are prerequisites of each other.
  static let levels = 20
  /// The maximum number of levels of saved groups that need each other.
  static let maximumGroupLevels = 100

  init(for context: EvaluationContext, _ store: (any StickyBucketStore)?) {
    (self.context, self.store) = (context, store)
  }

  mutating func charge(_ count: Int = 1) throws(EvaluationFailure) {
    stepsLeft -= count
    if stepsLeft < 0 { throw .tooManySteps }
  }

  /// Returns whether a text has a pattern, whose search is charged.
  mutating func find(_ number: UInt32, in text: String, of payload: Payload) throws(EvaluationFailure) -> Bool {
    guard let found = payload.conditions.patterns[Int(number)].matches(text, within: &stepsLeft) else {
      throw .tooManySteps
    }
    return found
  }

  /// Evaluates a feature; prerequisites are evaluated by recursion, whose depth is limited.
  mutating func outcome(of number: Int, in payload: Payload) throws(EvaluationFailure) -> FeatureOutcome {
    let feature = payload.features[number]
    if let failure = feature.failure { throw .broken(message: failure) }
    // A feature without prerequisites is part of no cycle, and needs no entry, which would allocate memory.
    if feature.hasParents {
      if path.contains(number) { return FeatureOutcome(source: .cyclicPrerequisite) }
      path.append(number)
    }
    defer { if feature.hasParents { path.removeLast() } }
    for (index, rule) in feature.rules.enumerated() {
      try charge()
      if let outcome = try outcome(ofRule: Int(rule), index: index, in: payload) { return outcome }
    }
    return FeatureOutcome(source: .defaultValue, answer: Int(feature.defaultAnswer))
  }

  /// Returns the outcome that a rule decides for; nil if the next rule decides.
  private mutating func outcome(
    ofRule number: Int, index: Int, in payload: Payload
  ) throws(EvaluationFailure) -> FeatureOutcome? {
    let rule = payload.rules[number]
    switch try check(rule.parents, in: payload) {
    case .fulfilled: break
    case .cyclic: return FeatureOutcome(source: .cyclicPrerequisite, rule: index)
    case .unfulfilled(let isGate): return isGate ? FeatureOutcome(source: .prerequisite, rule: index) : nil
    }
    if !rule.filters.isEmpty, try isFilteredOut(rule.filters, in: payload) { return nil }
    return try outcome(of: rule, index: index, in: payload)
  }

  /// Returns the outcome of a rule whose prerequisites and filters let the user pass; nil if the next rule decides.
  ///
  /// It is apart, so that it takes no stack while prerequisites are evaluated.
  private mutating func outcome(
    of rule: FeatureRule, index: Int, in payload: Payload
  ) throws(EvaluationFailure) -> FeatureOutcome? {
    if let condition = rule.condition, try !holds(condition, for: .context, in: payload) { return nil }
    switch rule.kind {
    case .none: return nil
    case .force:
      guard isIncluded(in: Int(rule.number), of: payload) else { return nil }
      return FeatureOutcome(source: .force, rule: index, answer: Int(payload.rollouts[Int(rule.number)].answer))
    case .experiment:
      let experiment = Int(rule.number)
      let run = try run(experiment, of: payload)
      guard run.isIncluded, !payload.experiments[experiment].variations[run.variation].isPassthrough else { return nil }
      return FeatureOutcome(
        source: .experiment, rule: index, answer: Int(payload.experiments[experiment].firstAnswer) + run.variation,
        run: run)
    }
  }

  enum ParentCheck {
    case fulfilled, cyclic
    case unfulfilled(isGate: Bool)
  }

  /// Evaluates the features that others depend on, and the conditions on their values.
  private mutating func check(_ parents: Range<UInt32>, in payload: Payload) throws(EvaluationFailure) -> ParentCheck {
    for number in parents {
      try charge()
      guard path.count <= Self.levels else { throw .tooManyParents }
      var value = FlagValue.null
      if let feature = payload.parents[Int(number)].feature {
        let outcome = try outcome(of: feature, in: payload)
        if outcome.source == .cyclicPrerequisite { return .cyclic }
        value = outcome.answer.flatMap { payload.answers[$0].value } ?? .null
      }
      guard try holds(payload.parents[Int(number)].condition, for: .parent(value), in: payload) else {
        return .unfulfilled(isGate: payload.parents[Int(number)].isGate)
      }
    }
    return .fulfilled
  }

  private mutating func isFilteredOut(_ filters: Range<UInt32>, in payload: Payload) throws(EvaluationFailure) -> Bool {
    for number in filters {
      try charge()
      let unit = assignedUnit(of: payload.filters[Int(number)].unit, usesFallback: false, in: payload)
      guard let unit, let bucket = payload.filters[Int(number)].hash.bucket(of: unit.text),
        payload.filters[Int(number)].ranges.index(of: bucket) != nil
      else { return true }
    }
    return false
  }

  /// Returns whether the user has a share of a rollout.
  private mutating func isIncluded(in number: Int, of payload: Payload) -> Bool {
    let rollout = payload.rollouts[number]
    guard let share = rollout.share else { return true }
    guard share.start < share.end, let unit = assignedUnit(of: rollout.unit, usesFallback: true, in: payload) else {
      return false
    }
    return rollout.hash.bucket(of: unit.text).map(share.contains) ?? false
  }
}
