import FlagDefinitions
import FlagDomain
import FlagPatterns

/// One evaluation of one feature for a context, with its remaining budget.
struct FeatureEvaluation: ~Copyable {
  let context: EvaluationContext
  private let store: (any StickyBucketStore)?
  /// The numbers of the features that are being evaluated, each a prerequisite of the one before.
  private var path: [Int] = []
  private var stepsLeft = Self.steps
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

  private enum ParentCheck {
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

  // MARK: Units

  /// The value that assigns a user to buckets, and the attribute that has it.
  struct Unit {
    let text: String
    let isFallback: Bool
  }

  /// Returns the value of an attribute or, if its user has none, of the fallback; nil if both are missing.
  mutating func assignedUnit(of attribute: UnitAttribute, usesFallback: Bool, in payload: Payload) -> Unit? {
    if let text = unit(of: attribute.main, in: payload) { return Unit(text: text, isFallback: false) }
    if usesFallback, let fallback = attribute.fallback, let text = unit(of: fallback, in: payload) {
      return Unit(text: text, isFallback: true)
    }
    if payload.conditions.paths[Int(attribute.main.path)].alias?.isTargetingKey == true { missesTargetingKey = true }
    return nil
  }

  /// Returns the value of an attribute as text; nil if it is neither a text with characters nor a number but 0.
  private func unit(of attribute: UnitAttribute.Name, in payload: Payload) -> String? {
    switch contextValue(ofPath: Int(attribute.path), in: payload) {
    case .string(let text)? where !text.isEmpty: text
    case let value? where value.number.map { $0 != 0 && $0.isFinite } == true: value.scalarText
    default: nil
    }
  }

  /// Returns the attribute with the first name of a path; nil if the context has none.
  func contextValue(ofPath number: Int, in payload: Payload) -> FlagValue? {
    if let alias = payload.conditions.paths[number].alias, let value = context[alias] { return value }
    return context[payload.conditions.paths[number].first]
  }

  // MARK: Experiments

  /// Runs an experiment for the user: chooses a variation, or none.
  mutating func run(_ number: Int, of payload: Payload) throws(EvaluationFailure) -> ExperimentRun {
    var run = ExperimentRun(experiment: number)
    if let failure = payload.experiments[number].failure { throw .broken(message: failure) }
    run.leaf = try leaf(ofExperiment: number, in: payload)
    let count = payload.experiments[number].variations.count
    guard count > 1, payload.settings.isEnabled else { return run }
    if !payload.settings.forcedVariations.isEmpty,
      let forced = payload.settings.forcedVariations[payload.experiments[number].key]
    {
      return run.choosing(forced, of: count)
    }
    let isSticky = store != nil && !payload.experiments[number].sticky.isDisabled
    guard let unit = assignedUnit(of: payload.experiments[number].unit, usesFallback: isSticky, in: payload) else {
      return run
    }
    let kept = isSticky ? try keptVariation(of: payload.experiments[number], in: payload) : .none
    if kept.index == nil, payload.experiments[number].namespace?.contains(unit.text) == false { return run }
    guard let bucket = payload.experiments[number].hash.bucket(of: unit.text) else { return run }
    run.isSticky = kept.isBlocked
    if kept.isBlocked { return run }
    guard let chosen = kept.index ?? ranges(of: run, in: payload).index(of: bucket) else { return run }
    if payload.settings.isQAMode { return run }
    run.isHashed = true
    run.usesFallback = unit.isFallback
    run.bucket = bucket
    run.isSticky = kept.index != nil
    run = run.choosing(chosen, of: count)
    if isSticky, run.isIncluded { keep(run, of: payload.experiments[number], for: unit) }
    return run
  }

  private func ranges(of run: ExperimentRun, in payload: Payload) -> [BucketRange] {
    guard let leaf = run.leaf, let bandit = payload.experiments[run.experiment].bandit else {
      return payload.experiments[run.experiment].ranges
    }
    return bandit.leaves[leaf].ranges
  }

  /// Returns the first leaf of the experiment's contextual bandit whose condition holds.
  private mutating func leaf(ofExperiment number: Int, in payload: Payload) throws(EvaluationFailure) -> Int? {
    guard let bandit = payload.experiments[number].bandit else { return nil }
    for (index, leaf) in bandit.leaves.enumerated() {
      // A leaf whose weights do not fit leaves the user to the experiment's own.
      if try holds(leaf.condition, for: .context, in: payload) { return leaf.ranges.isEmpty ? nil : index }
    }
    return nil
  }

  // MARK: Sticky buckets

  private mutating func keptVariation(
    of experiment: Experiment, in payload: Payload
  ) throws(EvaluationFailure) -> KeptVariation {
    guard let store else { return .none }
    var assignments: [String: String] = [:]
    for name in [experiment.unit.fallback, experiment.unit.main] {
      guard let name, let text = unit(of: name, in: payload) else { continue }
      let kept = store.assignments(of: StickyBucketUnit(attribute: name.name, value: text))
      try charge(kept.count)
      assignments.merge(kept) { _, later in later }
    }
    let minimum = experiment.sticky.minimumVersion
    if minimum > 0 {
      for key in assignments.keys {
        if let version = experiment.stickyVersion(of: key), version < minimum { return KeptVariation(isBlocked: true) }
      }
    }
    guard let key = assignments[experiment.stickyKey] else { return .none }
    return KeptVariation(index: experiment.variations.firstIndex { $0.stickyKey == key })
  }

  private func keep(_ run: ExperimentRun, of experiment: Experiment, for unit: Unit) {
    guard let store else { return }
    let name = unit.isFallback ? experiment.unit.fallback ?? experiment.unit.main : experiment.unit.main
    let unit = StickyBucketUnit(attribute: name.name, value: unit.text)
    let variation = experiment.variations[run.variation].key
    if store.assignments(of: unit)[experiment.stickyKey] != variation {
      store.save([experiment.stickyKey: variation], of: unit)
    }
  }
}

extension ExperimentRun {
  /// Returns the run with a variation; without one, if the experiment does not have it.
  fileprivate func choosing(_ variation: Int, of count: Int) -> ExperimentRun {
    var run = self
    run.isIncluded = (0..<count).contains(variation)
    run.variation = run.isIncluded ? variation : 0
    return run
  }
}

/// The variation that a user keeps from an earlier run.
private struct KeptVariation {
  var index: Int?
  /// Whether the user is excluded, because of an assignment of an older version.
  var isBlocked = false

  static let none = KeptVariation()
}

extension Experiment {
  /// The key of an assignment to the experiment's current version.
  fileprivate var stickyKey: String { "\(key)__\(sticky.version)" }

  /// Returns the version of the experiment that an assignment's key names; nil for the key of another experiment.
  fileprivate func stickyVersion(of key: String) -> Int? {
    guard key.hasPrefix(self.key + "__") else { return nil }
    let version = key.utf8.dropFirst(self.key.utf8.count + 2)
    guard let number = Int(String(Substring(version))), number >= 0 else { return nil }
    return number
  }
}
