import FlagDomain

extension Payload {
  /// Returns the names of the attributes that the rules of a feature read; a nested one's name has dots.
  func attributes(of feature: Int) -> Set<String> {
    var names: Set<String> = []
    for number in features[feature].rules {
      let rule = rules[Int(number)]
      names.formUnion(attributes(ofFilters: rule.filters))
      if let condition = rule.condition { names.formUnion(attributes(ofCondition: condition)) }
      switch rule.kind {
      case .force:
        let rollout = rollouts[Int(rule.number)]
        if rollout.share != nil { names.formUnion(rollout.unit.names) }
      case .experiment: names.formUnion(attributes(of: experiments[Int(rule.number)]))
      case .none: break
      }
    }
    return names
  }

  private func attributes(of experiment: Experiment) -> Set<String> {
    var names = Set(experiment.unit.names).union(attributes(ofFilters: experiment.filters ?? 0..<0))
    for condition in [experiment.condition].compactMap(\.self) + (experiment.bandit?.leaves.map(\.condition) ?? []) {
      names.formUnion(attributes(ofCondition: condition))
    }
    return names
  }

  private func attributes(ofFilters numbers: Range<UInt32>) -> [String] {
    numbers.flatMap { filters[Int($0)].unit.names }
  }

  private func attributes(ofCondition number: UInt32) -> [String] {
    let node = conditions.nodes[Int(number)]
    switch node.kind {
    case .all, .any:
      return (node.operand..<node.operand + node.count).flatMap {
        attributes(ofCondition: conditions.children[Int($0)])
      }
    case .not: return attributes(ofCondition: node.operand)
    case .attribute:
      let path = conditions.paths[Int(node.operand)]
      return [([path.first.name] + path.rest).joined(separator: ".")]
    default: return []
    }
  }
}

extension UnitAttribute {
  fileprivate var names: [String] { [main.name] + (fallback.map { [$0.name] } ?? []) }
}
