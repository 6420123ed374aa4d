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
    var names = Set(experiment.unit.names)
    for condition in experiment.bandit?.leaves.map(\.condition) ?? [] {
      names.formUnion(attributes(ofCondition: condition))
    }
    return names
  }

  private func attributes(ofFilters numbers: Range<UInt32>) -> [String] {
    numbers.flatMap { filters[Int($0)].unit.names }
  }

  private func attributes(ofCondition number: UInt32) -> Set<String> {
    var names: Set<String> = []
    var (waiting, groups) = ([number], Set<UInt32>())
    while let number = waiting.popLast() {
      let node = conditions.nodes[Int(number)]
      switch node.kind {
      case .all, .any: waiting += conditions.children[Int(node.operand)..<Int(node.operand + node.count)]
      case .not: waiting.append(node.operand)
      case .belongsToGroup:
        if groups.insert(node.operand).inserted { waiting.append(conditions.groups[Int(node.operand)].node) }
      case .attribute:
        let path = conditions.paths[Int(node.operand)]
        names.insert(([path.first.name] + path.rest).joined(separator: "."))
      default: break
      }
    }
    return names
  }
}

extension UnitAttribute {
  fileprivate var names: [String] { [main.name] + (fallback.map { [$0.name] } ?? []) }
}
