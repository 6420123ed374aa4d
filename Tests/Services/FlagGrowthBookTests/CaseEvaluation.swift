import FlagDefinitions
import FlagDomain
import FlagJSON

@testable import FlagGrowthBook

/// The context of a case: a document and the settings of one user.
struct CaseEvaluation {
  private let document: GrowthBookDocument
  private let sections: [String: FlagValue]
  private let context: EvaluationContext
  private let store: InMemoryStickyBuckets?

  init(_ context: FlagValue, experiments: [FlagValue]? = nil, store: InMemoryStickyBuckets? = nil) throws {
    let members = context.fields ?? [:]
    var settings = GrowthBookSettings()
    settings.isEnabled = members["enabled"] != false
    settings.isQAMode = members["qaMode"] == true
    settings.forcedVariations = (members["forcedVariations"]?.fields ?? [:]).compactMapValues(\.wholeNumber)
    settings.groups = Set((members["groups"]?.fields ?? [:]).filter { $0.value == true }.keys)
    settings.attributeNames = [:]
    settings.addressAttribute = Self.address
    var attributes = members["attributes"]?.fields ?? [:]
    attributes[Self.address] = members["url"]
    var sections: [String: FlagValue] = ["features": members["features"] ?? [:]]
    for name in ["savedGroups", "contextualBandits", "experiments"] { sections[name] = members[name] }
    if let experiments {
      sections["experiments"] = .array(
        experiments.map { experiment in
          let overrides = members["overrides"]?.fields?[experiment.fields?["key"]?.text ?? ""]?.fields ?? [:]
          return .object((experiment.fields ?? [:]).merging(overrides) { $1 })
        })
    }
    self.sections = sections
    self.store = store
    self.context = EvaluationContext(attributes: attributes)
    document = try GrowthBookDocument(
      FlagValue.object(sections).json(), format: GrowthBookFormat(settings: settings, stickyBuckets: store))
  }

  private static let address = "the address of the page"
}

extension CaseEvaluation {
  private var payload: Payload { document.payload }

  /// Runs an experiment that belongs to no feature.
  func run(_ index: Int) throws -> ExperimentRun {
    var evaluation = FeatureEvaluation(for: context, store)
    return try evaluation.run(payload.pageExperiments[index], of: payload)
  }

  func value(of run: ExperimentRun) -> FlagValue {
    payload.answers[Int(payload.experiments[run.experiment].firstAnswer) + run.variation].value ?? .null
  }

  /// The redirects of the experiments on pages, as GrowthBook's SDK describes them.
  func redirects() throws -> [FlagValue] {
    try payload.pageExperiments.indices.map { index in
      let redirect = try document.redirect(ofExperiment: index, in: context)
      return [
        "inExperiment": .bool(try run(index).isIncluded), "urlRedirect": .string(redirect?.target ?? ""),
        "urlWithParams": .string(redirect?.address ?? ""),
      ]
    }
  }
}

/// Results as GrowthBook's SDKs describe them.
extension CaseEvaluation {
  func result(ofFeature key: String) throws -> FlagValue {
    guard let number = payload.keys.number(of: key) else { return result(.null, .unknownFeature) }
    var evaluation = FeatureEvaluation(for: context, store)
    let outcome = try evaluation.outcome(of: number, in: payload)
    let value = outcome.answer.flatMap { payload.answers[$0].value } ?? .null
    let rule =
      outcome.rule.flatMap { sections["features"]?.fields?[key]?.fields?["rules"]?.elements?[$0].fields } ?? [:]
    var result = result(value, outcome.source).fields ?? [:]
    result["ruleId"] = rule["id"] ?? ""
    if let run = outcome.run {
      result["experiment"] = experiment(run, rule)
      result["experimentResult"] = try self.result(of: run, rule, feature: key)
    }
    return .object(result)
  }

  private func result(_ value: FlagValue, _ source: FeatureOutcome.Source) -> FlagValue {
    let isOn = Optional(value).isTruthyInJavaScript
    return ["value": value, "on": .bool(isOn), "off": .bool(!isOn), "source": .string(source.rawValue), "ruleId": ""]
  }

  /// The experiment that a rule runs: the members of the rule that belong to it, and the bandit's weights.
  private func experiment(_ run: ExperimentRun, _ rule: [String: FlagValue]) -> FlagValue {
    let names = [
      "coverage", "weights", "hashAttribute", "fallbackAttribute", "disableStickyBucketing", "bucketVersion",
      "minBucketVersion", "namespace", "meta", "ranges", "name", "phase", "seed", "hashVersion", "filters", "condition",
    ]
    var members = rule.filter { names.contains($0.key) }
    members["key"] = .string(payload.experiments[run.experiment].key)
    members["variations"] = rule["contextualVariations"] ?? rule["variations"]
    if let bandit = bandit(of: run) {
      if run.leaf != nil { members["weights"] = bandit["variationWeights"] }
      if run.isHashed { members["contextualBandit"] = .object(bandit) }
    }
    return .object(members)
  }

  private func bandit(of run: ExperimentRun) -> [String: FlagValue]? {
    guard let bandit = payload.experiments[run.experiment].bandit else { return nil }
    let leaf = run.leaf.map { bandit.leaves[$0] }
    var members: [String: FlagValue] = [
      "leafId": .int(Int128(leaf?.id ?? Experiment.Bandit.noLeaf)),
      "variationWeights": .array((leaf?.weights ?? bandit.weights).map(FlagValue.double)),
    ]
    if let version = bandit.version { members["banditVersion"] = .int(Int128(version)) }
    return members
  }

  private func result(of run: ExperimentRun, _ rule: [String: FlagValue], feature: String) throws -> FlagValue {
    let experiment = payload.experiments[run.experiment]
    var evaluation = FeatureEvaluation(for: context, store)
    let usesFallback = store != nil && !experiment.sticky.isDisabled
    let unit = try evaluation.assignedUnit(of: experiment.unit, usesFallback: usesFallback, in: payload)
    let name = unit?.isFallback == true ? experiment.unit.fallback ?? experiment.unit.main : experiment.unit.main
    let meta =
      run.variation < (rule["meta"]?.elements?.count ?? 0) ? rule["meta"]?.elements?[run.variation].fields : nil
    var members: [String: FlagValue] = [
      "featureId": .string(feature), "value": value(of: run), "variationId": .int(Int128(run.variation)),
      "inExperiment": .bool(run.isIncluded), "hashUsed": .bool(run.isHashed), "hashAttribute": .string(name.name),
      "hashValue": context[name.name] ?? unit.map { .string($0.text) } ?? "",
      "key": .string(experiment.variations[run.variation].key), "stickyBucketUsed": .bool(run.isSticky),
    ]
    if let bucket = run.bucket { members["bucket"] = .double(bucket) }
    if let name = meta?["name"] { members["name"] = name }
    if meta?["passthrough"] == true { members["passthrough"] = true }
    if run.isHashed, let bandit = bandit(of: run) { members.merge(bandit) { $1 } }
    return .object(members)
  }
}
