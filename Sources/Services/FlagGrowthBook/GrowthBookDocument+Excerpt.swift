package import FlagDefinitions
import FlagDomain
import FlagJSON

extension GrowthBookDocument {
  /// The keys of the features that are malformed, or need a feature, saved group or contextual bandit that is.
  package var brokenKeys: Set<String> {
    var waiting = payload.features.indices.filter { payload.isBroken($0) }
    let dependents = waiting.isEmpty ? [:] : payload.dependents
    var keys: Set<String> = []
    while let number = waiting.popLast() {
      let key = payload.keys[number]
      if keys.insert(key).inserted { waiting += dependents[key] ?? [] }
    }
    return keys
  }

  /// Returns a document of some features, with the features, saved groups and contextual bandits that they need.
  package func excerpt(of keys: Set<String>) -> any DefinitionDocument {
    var features: [String: FlagValue] = [:]
    var waiting = Array(keys)
    do {
      while let key = waiting.popLast() {
        guard features[key] == nil, let number = payload.keys.number(of: key) else { continue }
        features[key] = try FlagValue(json: text(of: number))
        for rule in payload.features[number].rules {
          waiting += payload.rules[Int(rule)].parents.map { payload.parents[Int($0)].key }
        }
      }
      let texts = FlagValue.object(features).texts
      let bandits = source.sections.bandits.filter { texts.contains($0.key) }
      var groups: [String: FlagValue] = [:]
      var names = Array(texts.union(FlagValue.object(bandits).texts))
      while let name = names.popLast() {
        guard groups[name] == nil, let group = source.sections.groups[name] else { continue }
        groups[name] = group
        names += group.texts
      }
      let document = FlagValue.object([
        "features": .object(features), "savedGroups": .object(groups), "contextualBandits": .object(bandits),
      ])
      return try GrowthBookDocument(document.json(), format: growthBook)
    } catch {
      return self  // What has been read once can be written and read again.
    }
  }
}

extension Payload {
  /// Returns whether a feature is malformed, or uses a saved group or a contextual bandit that is.
  fileprivate func isBroken(_ feature: Int) -> Bool {
    if features[feature].failure != nil { return true }
    guard features[feature].usesSharedParts else { return false }
    return features[feature].rules.contains { number in
      let rule = rules[Int(number)]
      var conditions = rule.parents.map { parents[Int($0)].condition }
      if let condition = rule.condition { conditions.append(condition) }
      if rule.kind == .experiment {
        let experiment = experiments[Int(rule.number)]
        if experiment.failure != nil { return true }
        conditions += experiment.bandit?.leaves.map(\.condition) ?? []
      }
      return !self.conditions.brokenGroups.isEmpty && conditions.contains { usesBrokenGroup($0) }
    }
  }

  private func usesBrokenGroup(_ condition: UInt32) -> Bool {
    let node = conditions.nodes[Int(condition)]
    switch node.kind {
    case .all, .any, .containsAll:
      return (node.operand..<node.operand + node.count).contains { usesBrokenGroup(conditions.children[Int($0)]) }
    case .not, .size, .elementPasses, .elementFulfils: return usesBrokenGroup(node.operand)
    case .attribute: return usesBrokenGroup(node.count)
    case .isInGroup, .belongsToGroup: return conditions.brokenGroups[Int(node.operand)] != nil
    default: return false
    }
  }
}

extension FlagValue {
  /// The texts in the value, at any depth.
  fileprivate var texts: Set<String> {
    var found: Set<String> = []
    var rest = [self]
    while let value = rest.popLast() {
      switch value {
      case .string(let text): found.insert(text)
      case .array(let elements): rest += elements
      case .object(let members): rest += members.values
      case .null, .bool, .int, .double: break
      }
    }
    return found
  }
}
