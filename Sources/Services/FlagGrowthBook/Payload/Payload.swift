import FlagDefinitions
import FlagDomain
import FlagPatterns

/// The features and saved groups of a document, compiled into tables.
///
/// Parts refer to others by their numbers, so that an evaluation copies no references.
final class Payload: Sendable {
  let keys: StringTable
  let features: ContiguousArray<Feature>
  let rules: ContiguousArray<FeatureRule>
  let rollouts: ContiguousArray<Rollout>
  let experiments: ContiguousArray<Experiment>
  let parents: ContiguousArray<ParentCondition>
  let filters: ContiguousArray<UserFilter>
  let answers: ContiguousArray<FlagAnswer>
  let conditions: ConditionTables
  let settings: GrowthBookSettings

  init(_ tables: PayloadTables, _ settings: GrowthBookSettings) {
    self.settings = settings
    (keys, features, rules) = (tables.keys, tables.features, tables.rules)
    (rollouts, experiments) = (tables.rollouts, tables.experiments)
    (parents, filters, answers, conditions) = (tables.parents, tables.filters, tables.answers, tables.conditions)
  }

  /// The values of a feature by the names of their variants, in the order of the names, each name once.
  func variants(of feature: Int) -> [(name: String, value: FlagValue)] {
    guard features[feature].failure == nil else { return [] }
    var values: [String: FlagValue] = [:]
    for answer in answerNumbers(of: feature) {
      guard let name = answers[answer].variant, values[name] == nil else { continue }
      values[name] = answers[answer].value ?? .null
    }
    return values.inOrder.map { ($0.key, $0.value) }
  }

  private func answerNumbers(of feature: Int) -> [Int] {
    let others = features[feature].rules.flatMap { number in
      let rule = rules[Int(number)]
      switch rule.kind {
      case .force: return [Int(rollouts[Int(rule.number)].answer)]
      case .experiment:
        let experiment = experiments[Int(rule.number)]
        return experiment.variations.indices.map { Int(experiment.firstAnswer) + $0 }
      case .none: return []
      }
    }
    return [Int(features[feature].defaultAnswer)] + others
  }

  /// The numbers of the features that depend on a feature, by its key.
  var dependents: [String: [Int]] {
    var dependents: [String: [Int]] = [:]
    guard !parents.isEmpty else { return dependents }
    for feature in features.indices {
      for rule in features[feature].rules {
        for parent in rules[Int(rule)].parents { dependents[parents[Int(parent)].key, default: []].append(feature) }
      }
    }
    return dependents
  }

  // MARK: Attributes

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

/// The tables of a payload while it is read.
struct PayloadTables {
  var keys = StringTable()
  var features: ContiguousArray<Feature> = []
  var rules: ContiguousArray<FeatureRule> = []
  var rollouts: ContiguousArray<Rollout> = []
  var experiments: ContiguousArray<Experiment> = []
  var parents: ContiguousArray<ParentCondition> = []
  var filters: ContiguousArray<UserFilter> = []
  var answers: ContiguousArray<FlagAnswer> = []
  var conditions = ConditionTables()
}

/// The tables of compiled conditions.
struct ConditionTables: Sendable {
  var nodes: ContiguousArray<ConditionNode> = []
  var children: ContiguousArray<UInt32> = []
  var paths: ContiguousArray<AttributePath> = []
  var texts: ContiguousArray<String> = []
  var values: ContiguousArray<FlagValue> = []
  var sets: ContiguousArray<ValueSet> = []
  var groups: ContiguousArray<SavedGroup> = []
  /// The numbers of the messages of groups that cannot be used, by the groups' numbers.
  var brokenGroups: [Int: UInt32] = [:]
  var versions: ContiguousArray<PaddedVersion> = []
  var patterns: ContiguousArray<Pattern> = []
  var messages: ContiguousArray<String> = []
}

extension ContiguousArray {
  /// Appends an element, and returns its number.
  mutating func number(of element: Element) -> UInt32 {
    append(element)
    return UInt32(count - 1)
  }
}

/// A path to a value: the name of an attribute, and the names inside it.
struct AttributePath: Sendable {
  let first: ContextAttribute
  /// The attribute that is used instead of the one with the first name, if the context has it.
  let alias: ContextAttribute?
  let rest: [String]
}

extension UnitAttribute {
  fileprivate var names: [String] { [main.name] + (fallback.map { [$0.name] } ?? []) }
}
