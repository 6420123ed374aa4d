import FlagDefinitions
import FlagDomain
import FlagJSON

extension PayloadCompiler {
  /// Compiles a feature, which is malformed if any of its known members is.
  mutating func feature(_ key: String, _ value: FlagValue) -> Feature {
    let known = diagnostics.count
    var feature = parts(of: key, value)
    feature.failure = failure(since: known)
    return feature
  }

  private mutating func parts(of key: String, _ value: FlagValue) -> Feature {
    usesSharedParts = false
    var feature = Feature()
    guard case .object(let members) = value else {
      fail("expected an object with a feature's \"defaultValue\" and \"rules\"")
      return feature
    }
    let rules: [FlagValue]
    switch members["rules"] {
    case nil: rules = []
    case .array(let values)?: rules = values
    case let value?:
      expect("an array of rules", at: .member("rules"), found: value)
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
      fail("expected an object with a rule, found \(value.summary)")
      return rule
    }
    if members["urlPatterns"] != nil || members["url"] != nil {
      warn("an experiment on pages includes nobody")
      return rule
    }
    check(members, MemberShape.rule)
    rule.parents = parents(members["parentConditions"])
    rule.filters = filters(members["filters"])
    rule.condition = condition(of: members)
    if let forced = members["force"].present {
      rule.kind = .force
      rule.number = rollout(forced, members, index: index, of: feature)
    } else if case .array(let values)? = members["contextualVariations"] ?? members["variations"] {
      rule.kind = .experiment
      rule.number = tables.experiments.number(
        of: experiment(values, members, key: members.text("key") ?? feature))
      referToBandit(members, Int(rule.number), of: values.count)
    } else if rule.parents.isEmpty {
      warn("expected \"force\", \"variations\" or \"parentConditions\", found none; the rule is skipped")
    }
    return rule
  }

  private mutating func referToBandit(_ members: [String: FlagValue], _ experiment: Int, of count: Int) {
    // Ranges come before weights, a bandit's, too.
    guard let id = members.text("contextualBanditRef"), members["ranges"] == nil else { return }
    usesSharedParts = true
    banditReferences.append(
      BanditReference(
        experiment: experiment, id: id, coverage: members.number("coverage") ?? 1,
        weights: [BucketRange].usable(members["weights"]?.numbers, of: count)))
  }

  /// Compiles the condition of a rule or a leaf; nil if it has none.
  mutating func condition(of members: [String: FlagValue]) -> UInt32? {
    guard let condition = members["condition"] else { return nil }
    return at(.member("condition")) { $0.condition(condition) }
  }

  private mutating func rollout(
    _ value: FlagValue, _ members: [String: FlagValue], index: Int, of feature: String
  ) -> UInt32 {
    let share =
      members["range"]?.range ?? members.number("coverage").map { BucketRange(start: 0, end: $0) }
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

  /// Compiles the conditions on features that a member has; those of another shape have been reported.
  private mutating func parents(_ value: FlagValue?) -> Range<UInt32> {
    guard case .array(let values)? = value else { return 0..<0 }
    let parents = at(.member("parentConditions")) { compiler in
      values.enumerated().compactMap { index, value in
        compiler.at(.element(index)) { $0.parent(value.fields ?? [:]) }
      }
    }
    let start = UInt32(tables.parents.count)
    tables.parents += parents
    return start..<start + UInt32(parents.count)
  }

  private mutating func parent(_ members: [String: FlagValue]) -> ParentCondition? {
    guard let id = members.text("id") else {
      if members["id"] == nil { fail("expected the \"id\" of a feature, found none") }
      return nil
    }
    let condition = condition(of: members) ?? node(.always)
    return ParentCondition(key: id, condition: condition, isGate: members["gate"] == .bool(true))
  }

  /// Compiles the filters that a member has; those of another shape have been reported.
  private mutating func filters(_ value: FlagValue?) -> Range<UInt32> {
    guard case .array(let values)? = value else { return 0..<0 }
    let start = UInt32(tables.filters.count)
    for (index, value) in values.enumerated() {
      let members = value.fields ?? [:]
      if members["ranges"] == nil {
        at(.member("filters")) { $0.at(.element(index)) { $0.fail("expected the \"ranges\" of buckets, found none") } }
      }
      let unit = UnitAttribute(main: unitName(members.text("attribute") ?? "id"), fallback: nil)
      tables.filters.append(
        UserFilter(
          hash: BucketHash(
            seed: members.text("seed") ?? "", version: members.number("hashVersion").map { Int(exactly: $0) ?? -1 } ?? 2
          ), unit: unit,
          ranges: (members["ranges"]?.elements ?? []).compactMap(\.range)))
    }
    return start..<UInt32(tables.filters.count)
  }

  /// Compiles the attributes that assign users to buckets.
  mutating func unit(_ members: [String: FlagValue]) -> UnitAttribute {
    let isSticky = members["disableStickyBucketing"] != .bool(true)
    return UnitAttribute(
      main: unitName(members.text("hashAttribute") ?? "id"),
      fallback: isSticky ? members.text("fallbackAttribute").map { unitName($0) } : nil)
  }

  private mutating func unitName(_ name: String) -> UnitAttribute.Name {
    UnitAttribute.Name(name: name, path: pathNumber(name, isLiteral: true))
  }
}
