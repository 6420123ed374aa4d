import FlagDomain

extension Payload {
  /// The values of a feature by the names of their variants, in the order of the names, each name once.
  func variants(of feature: Int) -> [(name: String, value: FlagValue)] {
    guard features[feature].failure == nil else { return [] }
    var values: [String: FlagValue] = [:]
    for answer in answerNumbers(of: feature) {
      guard let name = answers[answer].variant, values[name] == nil else { continue }
      values[name] = answers[answer].value ?? .null
    }
    return values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  private func answerNumbers(of feature: Int) -> [Int] {
    let others = features[feature].rules.flatMap { number in
      let rule = rules[Int(number)]
      switch rule.kind {
      case .force: return [Int(rollouts[Int(rule.number)].answer)]
      case .experiment:
        let experiment = experiments[Int(rule.number)]
        return experiment.variations.indices.map { Int(experiment.firstAnswer) + $0 }
      case .none: return []
      }
    }
    return [Int(features[feature].defaultAnswer)] + others
  }

  /// The numbers of the features that depend on a feature, by its key.
  var dependents: [String: [Int]] {
    var dependents: [String: [Int]] = [:]
    guard !parents.isEmpty else { return dependents }
    for feature in features.indices {
      for rule in features[feature].rules {
        for parent in rules[Int(rule)].parents { dependents[parents[Int(parent)].key, default: []].append(feature) }
      }
    }
    return dependents
  }
}
