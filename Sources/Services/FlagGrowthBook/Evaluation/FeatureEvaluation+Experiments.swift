import FlagDomain

extension FeatureEvaluation {
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
