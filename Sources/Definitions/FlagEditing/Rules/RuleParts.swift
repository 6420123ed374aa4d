import FlagDomain
import FlagJSON
import FlagReview

/// The parts of a rule by their ids.
struct RuleParts {
  private(set) var conditions: [String: (condition: EditableRule.Condition, group: EditableRule.Condition?)] = [:]
  private(set) var outcomes: [String: EditableRule.Outcome] = [:]
  /// The ids of the branches whose ids end a rule's or an outcome's list, by the id of each.
  private(set) var chains: [String: [EditableRule.Branch]] = [:]

  init(_ rule: EditableRule) { add(rule.branches, rule.otherwise) }

  private mutating func add(_ branches: [EditableRule.Branch], _ otherwise: EditableRule.Outcome) {
    for branch in branches {
      chains[branch.id] = branches
      add(branch.condition, in: nil)
      add(branch.outcome)
    }
    add(otherwise)
  }

  private mutating func add(_ condition: EditableRule.Condition, in group: EditableRule.Condition?) {
    conditions[condition.id] = (condition, group)
    guard case .group(_, let conditions) = condition.content else { return }
    for inner in conditions { add(inner, in: condition) }
  }

  private mutating func add(_ outcome: EditableRule.Outcome) {
    outcomes[outcome.id] = outcome
    if case .branches(let branches, let otherwise) = outcome.content { add(branches, otherwise) }
  }

  func condition(
    _ id: String
  ) throws(FlagError) -> (condition: EditableRule.Condition, group: EditableRule.Condition?) {
    guard let found = conditions[id] else { throw Self.unknown("a condition", id) }
    return found
  }

  func outcome(_ id: String) throws(FlagError) -> EditableRule.Outcome {
    guard let found = outcomes[id] else { throw Self.unknown("an outcome", id) }
    return found
  }

  /// Returns the branches that a branch is among.
  func chain(_ id: String) throws(FlagError) -> [EditableRule.Branch] {
    guard let found = chains[id] else { throw Self.unknown("a branch", id) }
    return found
  }

  /// Returns the number of steps to the part that an edit of values is about.
  func level(of edit: RuleEdit) throws(FlagError) -> Int {
    switch edit {
    case .setTest(let id, _), .setShared(let id, _), .setConditionJSON(let id, _), .setGroup(let id, _):
      try condition(id).condition.path.count
    case .setOutcome(let id, _): try outcome(id).path.count
    case .addCondition, .addGroup, .removeCondition, .addBranch, .removeBranch, .moveBranch: 0
    }
  }

  private static func unknown(_ part: String, _ id: String) -> FlagError {
    FlagError(.general, "expected the id of \(part), found “\(id.excerpt)”")
  }
}
