import FlagDefinitions
import FlagDomain
import FlagJSON

extension PayloadCompiler {
  /// Compiles a feature.
  mutating func feature(_ key: String, _ value: FlagValue) -> Feature {
    usesSharedParts = false
    var feature = Feature()
    guard case .object(let members) = value else {
      feature.failure = failure("expected an object with a feature's \"defaultValue\" and \"rules\"")
      return feature
    }
    let rules: [FlagValue]
    switch members["rules"] {
    case nil, .null?: rules = []
    case .array(let values)?: rules = values
    case let value?:
      expect("an array of rules", at: .member("rules"), found: value)
      feature.failure = tables.conditions.messages.number(of: "\(path): the rules are not an array")
      return feature
    }
    feature.defaultAnswer = tables.answers.number(
      of: FlagAnswer(
        members["defaultValue"].present, variant: "default", reason: rules.isEmpty ? .static : .default))
    let compiled = at(.member("rules")) { compiler in
      rules.enumerated().map { index, rule in
        compiler.at(.element(index)) { $0.rule(rule, index: index, of: key) }
      }
    }
    let start = UInt32(tables.rules.count)
    tables.rules += compiled
    feature.rules = start..<start + UInt32(compiled.count)
    feature.usesSharedParts = usesSharedParts
    feature.hasParents = compiled.contains { !$0.parents.isEmpty }
    return feature
  }

  private mutating func rule(_ value: FlagValue, index: Int, of feature: String) -> FeatureRule {
    var rule = FeatureRule()
    guard case .object(let members) = value else {
      warn("expected an object with a rule, found \(value.summary); the rule is skipped")
      return rule
    }
    rule.parents = parents(members["parentConditions"])
    rule.filters = filters(members["filters"]) ?? 0..<0
    if let forced = members["force"] {
      rule.kind = .force
      rule.condition = condition(of: members)
      rule.number = rollout(forced, members, index: index, of: feature)
    } else if let variations = (members["contextualVariations"] ?? members["variations"]).present {
      guard case .array(let values) = variations else {
        expect("an array of variations", at: .member("variations"), found: variations)
        return rule
      }
      rule.kind = .experiment
      var experiment = experiment(values, members, key: members.text("key") ?? feature, rule: members.text("id"))
      // A rule of a feature has no status of its own, and its prerequisites are those of the rule.
      (experiment.status, experiment.isActive, experiment.forced) = (.running, true, nil)
      rule.number = tables.experiments.number(of: experiment)
      referToBandit(members, Int(rule.number), of: values.count)
    } else if rule.parents.isEmpty {
      warn("expected \"force\", \"variations\" or \"parentConditions\", found none; the rule is skipped")
    }
    return rule
  }

  private mutating func referToBandit(_ members: [String: FlagValue], _ experiment: Int, of count: Int) {
    guard let id = members.text("contextualBanditRef") else { return }
    usesSharedParts = true
    banditReferences.append(
      BanditReference(
        experiment: experiment, id: id, coverage: members.number("coverage") ?? 1,
        weights: [BucketRange].usable(members["weights"]?.numbers, of: count)))
  }

  /// Compiles the condition of a rule or an experiment; nil if it has none.
  mutating func condition(of members: [String: FlagValue]) -> UInt32? {
    guard let condition = members["condition"].present else { return nil }
    return at(.member("condition")) { $0.condition(condition) }
  }

  private mutating func rollout(
    _ value: FlagValue, _ members: [String: FlagValue], index: Int, of feature: String
  ) -> UInt32 {
    var share: Rollout.Share?
    if let range = members["range"].present {
      share = range.range.map { .range($0) }
      if share == nil { expect("two numbers", at: .member("range"), found: range) }
    } else if let coverage = members.number("coverage") {
      share = .coverage(coverage)
    }
    let seed = members.text("seed") ?? feature
    var metadata: [String: FlagValue] = [:]
    if let id = members.text("id") { metadata["ruleId"] = .string(id) }
    let answer = tables.answers.number(
      of: FlagAnswer(
        Optional(value).present, variant: "rule-\(index + 1)", reason: .targetingMatch, metadata: metadata,
        isExperiment: false))
    return tables.rollouts.number(
      of: Rollout(
        answer: answer, hash: BucketHash(seed: seed, version: members.hashVersion ?? 1), unit: unit(members),
        share: share))
  }

  mutating func parents(_ value: FlagValue?) -> Range<UInt32> {
    guard let value = value.present else { return 0..<0 }
    guard case .array(let values) = value else {
      expect("an array of conditions on features", at: .member("parentConditions"), found: value)
      return 0..<0
    }
    let parents = at(.member("parentConditions")) { compiler in
      values.enumerated().compactMap { index, value in compiler.at(.element(index)) { $0.parent(value) } }
    }
    let start = UInt32(tables.parents.count)
    tables.parents += parents
    return start..<start + UInt32(parents.count)
  }

  private mutating func parent(_ value: FlagValue) -> ParentCondition? {
    guard let members = value.fields, let id = members.text("id") else {
      warn("expected an object with the \"id\" of a feature, found \(value.summary)")
      return nil
    }
    let condition = at(.member("condition")) { $0.condition(members["condition"].present ?? .object([:])) }
    return ParentCondition(key: id, condition: condition, isGate: members["gate"].isTruthyInJavaScript)
  }

  mutating func filters(_ value: FlagValue?) -> Range<UInt32>? {
    guard let value = value.present else { return nil }
    guard case .array(let values) = value else {
      expect("an array of filters", at: .member("filters"), found: value)
      return nil
    }
    let start = UInt32(tables.filters.count)
    for value in values {
      guard let members = value.fields else {
        expect("objects with the parts of filters", at: .member("filters"), found: value)
        continue
      }
      let unit = UnitAttribute(main: unitName(members.text("attribute") ?? "id"), fallback: nil)
      tables.filters.append(
        UserFilter(
          hash: BucketHash(seed: members.text("seed") ?? "", version: members.hashVersion ?? 2), unit: unit,
          ranges: (members["ranges"]?.elements ?? []).compactMap(\.range)))
    }
    return start..<UInt32(tables.filters.count)
  }

  /// Compiles the attributes that assign users to buckets.
  mutating func unit(_ members: [String: FlagValue]) -> UnitAttribute {
    let isSticky = !members["disableStickyBucketing"].isTruthyInJavaScript
    return UnitAttribute(
      main: unitName(members.text("hashAttribute") ?? "id"),
      fallback: isSticky ? members.text("fallbackAttribute").map { unitName($0) } : nil)
  }

  private mutating func unitName(_ name: String) -> UnitAttribute.Name {
    UnitAttribute.Name(
      name: name, literal: pathNumber(name, isLiteral: name.contains(".")),
      path: name.contains(".") ? pathNumber(name) : nil)
  }
}
