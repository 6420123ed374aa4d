import FlagDefinitions
import FlagDomain
import FlagJSON

extension PayloadCompiler {
  /// Compiles the experiment of a rule, with the values of its variations.
  mutating func experiment(
    _ values: [FlagValue], _ members: [String: FlagValue], key: String
  ) -> Experiment {
    let meta = members["meta"]?.elements ?? []
    let variations = Self.variations(values.count, meta)
    let unit = unit(members)
    let first = UInt32(tables.answers.count)
    for (index, value) in values.enumerated() {
      let name = index < meta.count ? meta[index].fields?.text("name") : nil
      tables.answers.append(
        answer(
          value, of: key, variations[index].key, index: index, name: name, rule: members.text("id"),
          unit: unit.main.name))
    }
    if values.isEmpty { tables.answers.append(FlagAnswer(nil)) }
    var experiment = Experiment(
      key: key, firstAnswer: first, variations: variations,
      hash: BucketHash(seed: members.text("seed") ?? key, version: members.hashVersion ?? 1), unit: unit,
      ranges: ranges(members, of: values.count))
    if members["filters"]?.elements?.isEmpty != false {
      experiment.namespace = members["namespace"]?.elements.flatMap(Namespace.init)
    }
    experiment.sticky = Experiment.StickyRule(
      isDisabled: members["disableStickyBucketing"] == .bool(true),
      version: members.version("bucketVersion") ?? 0, minimumVersion: members.version("minBucketVersion") ?? 0)
    return experiment
  }

  private static func variations(_ count: Int, _ meta: [FlagValue]) -> [Experiment.Variation] {
    (0..<count).map { index in
      let meta = index < meta.count ? meta[index].fields ?? [:] : [:]
      return Experiment.Variation(
        key: meta.text("key") ?? "\(index)", isPassthrough: meta["passthrough"] == .bool(true),
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
    if let ranges = members["ranges"]?.elements {
      if ranges.isEmpty { fail("expected \"ranges\" of buckets, found none") }
      return ranges.compactMap(\.range)
    }
    return [BucketRange](
      count, coverage: members.number("coverage") ?? 1, weights: members["weights"]?.numbers)
  }

  /// Adds the leaves of contextual bandits to the experiments that refer to them.
  ///
  /// - Parameters:
  ///   - bandits: The bandits by their ids.
  ///   - failure: The number of the message that says why no bandit can be read; nil if they can be.
  mutating func resolveBandits(_ bandits: [String: FlagValue], failure: UInt32?) {
    for reference in banditReferences {
      tables.experiments[reference.experiment].failure = failure
      guard let bandit = bandits[reference.id] else { continue }
      let known = diagnostics.count
      let count = tables.experiments[reference.experiment].variations.count
      let leaves = at(.member(reference.id)) { $0.leaves(bandit, of: count, coverage: reference.coverage) }
      tables.experiments[reference.experiment].failure = self.failure(since: known)
      tables.experiments[reference.experiment].bandit = Experiment.Bandit(
        version: bandit.fields?.version("banditVersion"), leaves: leaves, weights: reference.weights)
    }
  }

  private mutating func leaves(_ bandit: FlagValue, of count: Int, coverage: Double) -> [Experiment.Bandit.Leaf] {
    guard case .object(let members) = bandit, members["contexts"] != nil else {
      fail("expected an object with \"contexts\", found \(bandit.summary)")
      return []
    }
    check(members, MemberShape.bandit)
    return at(.member("contexts")) { compiler in
      (members["contexts"]?.elements ?? []).enumerated().compactMap { index, leaf in
        compiler.at(.element(index)) { $0.leaf(leaf.fields ?? [:], of: count, coverage: coverage) }
      }
    }
  }

  private mutating func leaf(_ members: [String: FlagValue], of count: Int, coverage: Double) -> Experiment.Bandit.Leaf?
  {
    guard let id = members.version("leafId"), let weights = members["weights"]?.numbers else {
      fail("expected a leaf with \"leafId\" and \"weights\"")
      return nil
    }
    let isFitting = [BucketRange].isFitting(weights, count)
    return Experiment.Bandit.Leaf(
      id: id, condition: condition(of: members) ?? node(.always), weights: weights,
      ranges: isFitting ? [BucketRange](count, coverage: coverage, weights: weights) : [])
  }
}
