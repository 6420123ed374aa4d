import FlagDomain

/// The variation that a user keeps from an earlier run.
struct KeptVariation {
  var index: Int?
  /// Whether the user is excluded, because of an assignment of an older version.
  var isBlocked = false

  static let none = KeptVariation()
}

extension FeatureEvaluation {
  mutating func keptVariation(
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

  func keep(_ run: ExperimentRun, of experiment: Experiment, for unit: Unit) {
    guard let store else { return }
    let name = unit.isFallback ? experiment.unit.fallback ?? experiment.unit.main : experiment.unit.main
    let unit = StickyBucketUnit(attribute: name.name, value: unit.text)
    let variation = experiment.variations[run.variation].key
    if store.assignments(of: unit)[experiment.stickyKey] != variation {
      store.save([experiment.stickyKey: variation], of: unit)
    }
  }
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
