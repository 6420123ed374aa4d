import FlagDomain
import FlagPatterns

extension FeatureEvaluation {
  /// Runs an experiment for the user: chooses a variation, or none.
  mutating func run(_ number: Int, of payload: Payload) throws(EvaluationFailure) -> ExperimentRun {
    var run = ExperimentRun(experiment: number)
    run.leaf = try leaf(ofExperiment: number, in: payload)
    let count = payload.experiments[number].variations.count
    guard count > 1, payload.settings.isEnabled, try isOnPage(of: number, in: payload) else { return run }
    if let forced = forcedVariation(ofExperiment: number, in: payload) { return run.choosing(forced, of: count) }
    guard payload.experiments[number].isActive, payload.experiments[number].status != .draft else { return run }
    let isSticky = store != nil && !payload.experiments[number].sticky.isDisabled
    guard let unit = try assignedUnit(of: payload.experiments[number].unit, usesFallback: isSticky, in: payload) else {
      return run
    }
    let kept = isSticky ? try keptVariation(of: payload.experiments[number], in: payload) : .none
    if kept.index == nil, try !isEligible(for: number, unit, of: payload) { return run }
    guard try hasAddress(of: number, in: payload),
      let bucket = payload.experiments[number].hash.bucket(of: unit.text)
    else { return run }
    run.isSticky = kept.isBlocked
    if kept.isBlocked { return run }
    guard let chosen = kept.index ?? ranges(of: run, in: payload).index(of: bucket) else { return run }
    if let forced = payload.experiments[number].forced { return run.choosing(forced, of: count) }
    guard !payload.settings.isQAMode, payload.experiments[number].status != .stopped else { return run }
    run.isHashed = true
    run.usesFallback = unit.isFallback
    run.bucket = bucket
    run.isSticky = kept.index != nil
    run = run.choosing(chosen, of: count)
    if isSticky, run.isIncluded { keep(run, of: payload.experiments[number], for: unit) }
    return run
  }

  /// Returns whether filters, namespace, conditions and groups let the user take part.
  private mutating func isEligible(
    for number: Int, _ unit: Unit, of payload: Payload
  ) throws(EvaluationFailure) -> Bool {
    if let filters = payload.experiments[number].filters {
      if try isFilteredOut(filters, in: payload) { return false }
    } else if let namespace = payload.experiments[number].namespace, !namespace.contains(unit.text) {
      return false
    }
    if let condition = payload.experiments[number].condition,
      try !holds(condition, for: .context, in: payload)
    {
      return false
    }
    if !payload.experiments[number].parents.isEmpty {
      guard case .fulfilled = try check(payload.experiments[number].parents, in: payload) else { return false }
    }
    guard let groups = payload.experiments[number].groups else { return true }
    return groups.contains { payload.settings.groups.contains($0) }
  }

  /// Returns the variation that the address or the settings choose for an experiment.
  private func forcedVariation(ofExperiment number: Int, in payload: Payload) -> Int? {
    if let address = address(in: payload) {
      let (key, count) = (payload.experiments[number].key, payload.experiments[number].variations.count)
      if let variation = WebAddress.variation(of: key, in: address, of: count) { return variation }
    }
    if payload.settings.forcedVariations.isEmpty { return nil }
    return payload.settings.forcedVariations[payload.experiments[number].key]
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
      if try holds(leaf.condition, for: .context, in: payload) { return index }
    }
    return nil
  }
}

extension FeatureEvaluation {
  /// The address of the page, or nil.
  func address(in payload: Payload) -> String? {
    guard let name = payload.address, case .string(let address)? = context[name], !address.isEmpty else { return nil }
    return address
  }

  /// Returns whether the page is one of those that an experiment targets.
  private mutating func isOnPage(of number: Int, in payload: Payload) throws(EvaluationFailure) -> Bool {
    guard let targets = payload.experiments[number].addresses else { return true }
    return try isTargeted(targets, address(in: payload) ?? "")
  }

  /// Returns whether targets include an address, and none excludes it.
  mutating func isTargeted(_ targets: [AddressTarget], _ address: String) throws(EvaluationFailure) -> Bool {
    let address = WebAddress(address, relativeTo: AddressTarget.base)
    var isIncluded = false
    var hasIncluding = false
    for target in targets {
      var isMatching = false
      if let address {
        guard let found = target.matches(address, within: &stepsLeft) else { throw .tooManySteps }
        isMatching = found
      }
      if target.isIncluding {
        hasIncluding = true
        if isMatching { isIncluded = true }
      } else if isMatching {
        return false
      }
    }
    return isIncluded || !hasIncluding && !targets.isEmpty
  }

  /// Returns whether the address, or the part of it after the host, has an experiment's pattern, if it has one.
  private mutating func hasAddress(of number: Int, in payload: Payload) throws(EvaluationFailure) -> Bool {
    guard let pattern = payload.experiments[number].addressPattern else { return true }
    guard let address = address(in: payload) else { return false }
    for text in [address, WebAddress.pathOnly(of: address)] {
      guard let found = pattern.matches(text, within: &stepsLeft) else { throw .tooManySteps }
      if found { return true }
    }
    return false
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
