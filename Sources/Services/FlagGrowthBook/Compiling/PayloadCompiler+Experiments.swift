import FlagDefinitions
import FlagDomain
import FlagJSON

extension PayloadCompiler {
  /// Compiles an experiment.
  ///
  /// - Parameters:
  ///   - values: The values of the variations.
  ///   - members: The members of the experiment, or of the rule that runs it.
  ///   - key: The experiment's key.
  ///   - rule: The id of the rule that runs it, or nil.
  /// - Returns: The experiment, without what only experiments of pages have.
  mutating func experiment(
    _ values: [FlagValue], _ members: [String: FlagValue], key: String, rule: String?
  ) -> Experiment {
    let meta = members["meta"]?.elements ?? []
    let variations = Self.variations(values.count, meta)
    let unit = unit(members)
    let first = UInt32(tables.answers.count)
    for (index, value) in values.enumerated() {
      let name = index < meta.count ? meta[index].fields?.text("name") : nil
      tables.answers.append(
        answer(value, of: key, variations[index].key, index: index, name: name, rule: rule, unit: unit.main.name))
    }
    if values.isEmpty { tables.answers.append(FlagAnswer(nil)) }
    var experiment = Experiment(
      key: key, firstAnswer: first, variations: variations,
      hash: BucketHash(seed: members.text("seed") ?? key, version: members.hashVersion ?? 1), unit: unit,
      ranges: ranges(members, of: values.count))
    experiment.filters = filters(members["filters"])
    experiment.namespace = namespace(members["namespace"])
    experiment.condition = condition(of: members)
    experiment.sticky = Experiment.StickyRule(
      isDisabled: members["disableStickyBucketing"].isTruthyInJavaScript,
      version: members.version("bucketVersion") ?? 0, minimumVersion: members.version("minBucketVersion") ?? 0)
    experiment.status = members.text("status").flatMap(Experiment.Status.init(name:)) ?? .running
    experiment.isActive = members["active"] != .bool(false)
    // A number of no variation is no variation.
    experiment.forced = members["force"].map { $0.wholeNumber ?? -1 }
    return experiment
  }

  private static func variations(_ count: Int, _ meta: [FlagValue]) -> [Experiment.Variation] {
    (0..<count).map { index in
      let meta = index < meta.count ? meta[index].fields ?? [:] : [:]
      return Experiment.Variation(
        key: meta.text("key") ?? "\(index)", isPassthrough: meta["passthrough"].isTruthyInJavaScript,
        stickyKey: meta.text("key"))
    }
  }

  private func answer(
    _ value: FlagValue, of experiment: String, _ variation: String, index: Int, name: String?, rule: String?,
    unit: String
  ) -> FlagAnswer {
    var metadata: [String: FlagValue] = [
      "experimentKey": .string(experiment), "variationId": .int(Int128(index)),
    ]
    if let name { metadata["variationName"] = .string(name) }
    if let rule { metadata["ruleId"] = .string(rule) }
    let attribute = settings.contextName(of: unit)
    if attribute != EvaluationContext.targetingKeyName {
      metadata[FlagAnswer.unitAttributeName] = .string(attribute)
    }
    return FlagAnswer(
      Optional(value).present, variant: variation, reason: .split, metadata: metadata, isExperiment: true)
  }

  private mutating func ranges(_ members: [String: FlagValue], of count: Int) -> [BucketRange] {
    if let ranges = members["ranges"].present {
      if case .array(let values) = ranges, values.allSatisfy({ $0.range != nil }) { return values.compactMap(\.range) }
      expect("an array of two numbers for each variation", at: .member("ranges"), found: ranges)
      return []
    }
    return [BucketRange](
      count, coverage: members.number("coverage") ?? 1, weights: members["weights"]?.numbers)
  }

  private mutating func namespace(_ value: FlagValue?) -> Namespace? {
    guard let value = value.present else { return nil }
    guard let parts = value.elements, parts.count == 3, let name = parts[0].text,
      let range = FlagValue.array([parts[1], parts[2]]).range
    else {
      expect("a name and two numbers", at: .member("namespace"), found: value)
      return nil
    }
    return Namespace(name, range)
  }

  /// Compiles an experiment that belongs to no feature, and returns its number; nil if it is malformed.
  mutating func pageExperiment(_ value: FlagValue) -> Int? {
    guard let members = value.fields, let key = members.text("key"), case .array(let values)? = members["variations"]
    else {
      warn("expected an object with \"key\" and \"variations\", found \(value.summary)")
      return nil
    }
    var experiment = experiment(values, members, key: key, rule: nil)
    experiment.parents = parents(members["parentConditions"])
    experiment.groups = members["groups"]?.elements?.compactMap(\.text)
    experiment.keepsQuery = members["persistQueryString"].isTruthyInJavaScript
    if let targets = members["urlPatterns"]?.elements {
      experiment.addresses = at(.member("urlPatterns")) { compiler in
        targets.enumerated().map { index, target in compiler.at(.element(index)) { $0.target(target.fields ?? [:]) } }
      }
    }
    if let url = members.text("url") {
      at(.member("url")) { if case .pattern(let pattern) = $0.pattern(url) { experiment.addressPattern = pattern } }
    }
    return Int(tables.experiments.number(of: experiment))
  }

  private mutating func target(_ members: [String: FlagValue]) -> AddressTarget {
    let isIncluding = members["include"] != .bool(false)
    let text = members.text("pattern") ?? ""
    var kind = AddressTarget.Kind.none
    switch members.text("type") {
    case "simple": if let simple = SimpleAddress(text) { kind = .simple(simple) }
    case "regex": if case .pattern(let pattern) = pattern(text) { kind = .pattern(pattern) }
    default: warn("expected the type \"simple\" or \"regex\", found \((members["type"] ?? .null).summary)")
    }
    return AddressTarget(isIncluding: isIncluding, kind: kind)
  }
}

extension PayloadCompiler {
  /// Adds the leaves of contextual bandits to the experiments that refer to them.
  mutating func resolveBandits(_ bandits: [String: FlagValue]) {
    for reference in banditReferences {
      guard let bandit = bandits[reference.id] else { continue }
      let count = tables.experiments[reference.experiment].variations.count
      let leaves = at(.member(reference.id)) { compiler in
        (bandit.fields?["contexts"]?.elements ?? []).enumerated().compactMap { index, leaf in
          compiler.at(.element(index)) { $0.leaf(leaf.fields ?? [:], of: count, coverage: reference.coverage) }
        }
      }
      tables.experiments[reference.experiment].bandit = Experiment.Bandit(
        version: bandit.fields?.version("banditVersion"), leaves: leaves, weights: reference.weights)
    }
  }

  private mutating func leaf(_ members: [String: FlagValue], of count: Int, coverage: Double) -> Experiment.Bandit.Leaf?
  {
    guard let id = members.version("leafId"), let weights = members["weights"]?.numbers else {
      warn("expected a leaf with \"leafId\" and \"weights\"; it is skipped")
      return nil
    }
    let condition = at(.member("condition")) { $0.condition(members["condition"].present ?? .object([:])) }
    return Experiment.Bandit.Leaf(
      id: id, condition: condition, weights: [BucketRange].usable(weights, of: count),
      ranges: [BucketRange](count, coverage: coverage, weights: weights))
  }
}

extension Experiment.Status {
  fileprivate init?(name: String) {
    switch name {
    case "running": self = .running
    case "draft": self = .draft
    case "stopped": self = .stopped
    default: return nil
    }
  }
}
