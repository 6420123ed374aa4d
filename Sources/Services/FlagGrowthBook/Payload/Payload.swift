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
