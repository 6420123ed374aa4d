import FlagDefinitions
import FlagDomain
import FlagJSON
import FlagProviders
import Testing

@testable import FlagGrowthBook

/// The context of a case: a document and the settings of one user.
struct CaseEvaluation {
  private let document: GrowthBookDocument
  private let sections: [String: FlagValue]
  private let context: EvaluationContext
  private let store: InMemoryStickyBuckets?

  init(_ context: FlagValue, experiment: FlagValue? = nil, store: InMemoryStickyBuckets? = nil) throws {
    let members = context.fields ?? [:]
    var settings = GrowthBookSettings()
    settings.isEnabled = members["enabled"] != false
    settings.isQAMode = members["qaMode"] == true
    settings.forcedVariations = (members["forcedVariations"]?.fields ?? [:]).compactMapValues(\.wholeNumber)
    settings.attributeNames = [:]
    var sections: [String: FlagValue] = ["features": members["features"] ?? [:]]
    for name in ["savedGroups", "contextualBandits"] { sections[name] = members[name] }
    if let experiment {
      let features = (sections["features"]?.fields ?? [:]).merging(["": ["rules": [experiment]]]) { $1 }
      sections["features"] = .object(features)
    }
    self.sections = sections
    self.store = store
    self.context = EvaluationContext(attributes: members["attributes"]?.fields ?? [:])
    document = try GrowthBookDocument(
      FlagValue.object(sections).json(), format: GrowthBookFormat(settings: settings, stickyBuckets: store))
  }
}

extension CaseEvaluation {
  private var payload: Payload { document.payload }

  /// Runs the experiment: its value, and whether it includes the user, by a hash.
  func run() throws -> FlagValue {
    var evaluation = FeatureEvaluation(for: context, store)
    let run = try evaluation.outcome(of: #require(payload.keys.number(of: "")), in: payload).run
    return [value(of: run ?? ExperimentRun(experiment: 0)), .bool(run != nil), .bool(run?.isHashed == true)]
  }

  private func value(of run: ExperimentRun) -> FlagValue {
    payload.answers[Int(payload.experiments[run.experiment].firstAnswer) + run.variation].value ?? .null
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
    let isOn = ![.null, false, 0, ""].contains(value)
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
    let unit = evaluation.assignedUnit(of: experiment.unit, usesFallback: usesFallback, in: payload)
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
