import FlagDefinitions
import FlagDomain
import FlagJSON
import FlagPatterns

/// A compiler of the parts of a document into the tables of a payload.
struct PayloadCompiler {
  var tables = PayloadTables()
  /// The diagnostics of the part that is being compiled.
  var diagnostics: [UnlocatedDiagnostic] = []
  /// The steps to the part that is being compiled.
  var trail: [DocumentPath.Step] = []
  let settings: GrowthBookSettings

  /// The numbers of saved groups by their uses; a group may be referred to before it is defined.
  private var groupNumbers: [GroupUse: UInt32] = [:]
  /// The uses of saved groups by their numbers, each with its first place.
  private var groupUses: [(use: GroupUse, place: DocumentPath)] = []
  /// The number of levels of the condition that is being compiled.
  var levels = 0
  /// The numbers of the saved groups that the group that is being compiled refers to.
  private var neededGroups: [UInt32] = []
  /// The experiments that are contextual bandits, and their ids.
  private var banditReferences: [BanditReference] = []
  /// Whether the feature that is being compiled refers to parts outside it.
  private var usesSharedParts = false
  /// The sum of the sizes of all patterns.
  private var patternSize = 0
  private var pathNumbers: [String: UInt32] = [:]

  /// The maximum sum of the sizes of all patterns of a document.
  private static let maximumPatternSize = 4_000_000

  init(_ settings: GrowthBookSettings) { self.settings = settings }

  /// The path of the part that is being compiled.
  var path: DocumentPath { DocumentPath(trail) }

  /// Compiles a part of the current one.
  mutating func at<Result>(_ step: DocumentPath.Step, _ compile: (inout PayloadCompiler) -> Result) -> Result {
    trail.append(step)
    defer { trail.removeLast() }
    return compile(&self)
  }

  mutating func expect(_ expected: String, at step: DocumentPath.Step, found value: FlagValue?) {
    diagnostics.append(UnlocatedDiagnostic(path.appending(step), expected: expected, found: value))
  }

  mutating func warn(_ message: String) { diagnostics.warn(path, message) }

  /// Reports that the current part is malformed.
  mutating func fail(_ message: String) { diagnostics.fail(path, message) }

  /// Returns the number of the message of the first error since there were so many diagnostics; nil if there is none.
  private mutating func failure(since count: Int) -> UInt32? {
    guard diagnostics.count > count, let error = diagnostics[count...].first(where: { $0.severity == .error }) else {
      return nil
    }
    return message("\(error.path): \(error.message)")
  }

  /// Returns the number of a message.
  mutating func message(_ text: String) -> UInt32 { tables.conditions.messages.number(of: text) }

  /// Returns the number of a path; the names are separated by dots.
  mutating func pathNumber(_ path: String, isLiteral: Bool = false) -> UInt32 {
    let key = isLiteral ? path + "\0" : path
    if let number = pathNumbers[key] { return number }
    let names =
      isLiteral
      ? [path]
      : path.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { String(Substring($0)) }
    let number = tables.conditions.paths.number(
      of: AttributePath(
        first: ContextAttribute(names[0]), alias: settings.attributeNames[names[0]].map(ContextAttribute.init),
        rest: Array(names.dropFirst())))
    pathNumbers[key] = number
    return number
  }

  /// Returns the number of a saved group, which may be defined later.
  mutating func groupNumber(_ use: GroupUse) -> UInt32 {
    usesSharedParts = true
    let number = groupNumbers[use] ?? UInt32(groupUses.count)
    if groupNumbers.updateValue(number, forKey: use) == nil { groupUses.append((use, path)) }
    neededGroups.append(number)
    return number
  }

  /// Compiles the saved groups to which features and other parts have referred, and those to which groups refer.
  ///
  /// - Parameters:
  ///   - groups: The groups by their ids.
  ///   - failure: The number of the message that says why no group can be read; nil if they can be.
  mutating func resolveGroups(_ groups: [String: FlagValue], failure: UInt32?) {
    var references: [String: [String]] = [:]
    for number in 0... {
      guard number < groupUses.count else { break }
      let (use, place) = groupUses[number]
      let known = diagnostics.count
      (neededGroups, levels) = ([], 0)
      let group = failure == nil ? group(use, groups[use.id], place) : node(.never)
      tables.conditions.groups.append(SavedGroup(node: group, levels: levels + 1))
      tables.conditions.brokenGroups[number] = failure ?? self.failure(since: known)
      references["\(number)"] = neededGroups.map { "\($0)" }
    }
    let order = ReferenceOrder(references)
    for number in order.circular.compactMap({ Int($0) }).sorted() {
      let known = diagnostics.count
      at(.member(groupUses[number].use.id)) { $0.fail("the saved group needs itself, directly or through others") }
      tables.conditions.brokenGroups[number] = self.failure(since: known)
    }
    var broken = tables.conditions.brokenGroups
    for name in order.names {
      guard let number = Int(name), broken[number] == nil else { continue }
      broken[number] = (references[name] ?? []).compactMap { Int($0).flatMap { broken[$0] } }.first
    }
    tables.conditions.brokenGroups = broken
  }

  private mutating func group(_ use: GroupUse, _ value: FlagValue?, _ place: DocumentPath) -> UInt32 {
    guard let value else {
      if use.isReference { diagnostics.fail(place, "the document has no saved group \(use.id.quoted)") }
      return values([])
    }
    return at(.member(use.id)) { $0.group(use, value) }
  }

  private mutating func group(_ use: GroupUse, _ value: FlagValue) -> UInt32 {
    if !use.isReference, let elements = value.scalars { return values(elements) }
    guard case .object(let members) = value else {
      return broken(expected: use.isReference ? "a group with a type" : "an array of values, or a list", found: value)
    }
    switch members["type"] {
    case "list":
      guard let elements = members["values"]?.scalars else {
        return broken(expected: "a list with \"values\", an array of scalars", found: value)
      }
      if !use.isReference { return values(elements) }
      guard let attribute = use.attribute ?? members.text("attributeKey") else {
        return broken("expected the name of an attribute as \"attributeKey\", found none")
      }
      return node(.attribute, pathNumber(attribute), values(elements))
    case "condition":
      guard use.isReference else { return broken("expected an array of values, or a list, found a condition") }
      return condition(of: members) ?? broken("expected a \"condition\", found none")
    default: return broken("unknown type of a saved group")
    }
  }

  private mutating func values(_ values: [FlagValue]) -> UInt32 {
    node(.isIn, tables.conditions.sets.number(of: ValueSet(values)))
  }

  /// Compiles a pattern; returns nil for one that cannot be used, and reports why.
  mutating func pattern(_ text: String, isCaseInsensitive: Bool = false) -> Pattern? {
    do throws(PatternError) {
      let pattern = try Pattern(text, isCaseInsensitive: isCaseInsensitive)
      patternSize += pattern.size
      guard patternSize <= Self.maximumPatternSize else {
        fail("the document's patterns have more than \(Self.maximumPatternSize) instructions")
        return nil
      }
      return pattern
    } catch {
      fail("the pattern cannot be used: \(error)")
      return nil
    }
  }

  /// A use of a saved group: as values, or as what an object belongs to, by an attribute if it is a list.
  struct GroupUse: Hashable {
    let id: String
    var isReference = false
    var attribute: String?
  }

  private struct BanditReference {
    let experiment: Int
    let id: String
    let coverage: Double
    /// The weights for users without a leaf.
    let weights: [Double]
  }

  // MARK: Features and rules

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
  private mutating func unit(_ members: [String: FlagValue]) -> UnitAttribute {
    let isSticky = members["disableStickyBucketing"] != .bool(true)
    return UnitAttribute(
      main: unitName(members.text("hashAttribute") ?? "id"),
      fallback: isSticky ? members.text("fallbackAttribute").map { unitName($0) } : nil)
  }

  private mutating func unitName(_ name: String) -> UnitAttribute.Name {
    UnitAttribute.Name(name: name, path: pathNumber(name, isLiteral: true))
  }

  // MARK: Experiments

  /// Compiles the experiment of a rule, with the values of its variations.
  private mutating func experiment(
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
