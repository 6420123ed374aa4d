import FlagDomain
import FlagEditing

/// A change of a rule's structure, which a button of a form asks for.
enum RuleAction {
  case addBranch
  /// Adds a branch for users by their ids, before all others.
  case addUsers
  case removeBranch(String)
  case moveBranch(String, by: Int)
  case addCondition(inside: String)
  case addGroup(inside: String)
  case addShared(String, inside: String)
  case removeCondition(String)

  /// Reads the value of a button; nil if it is another one.
  init?(_ text: String) {
    let words = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
    switch (words[0], words.count) {
    case ("add-branch", 1): self = .addBranch
    case ("add-users", 1): self = .addUsers
    case ("remove-branch", 2): self = .removeBranch(words[1])
    case ("move", 3): self = .moveBranch(words[1], by: Int(words[2]) ?? 0)
    case ("add-condition", 2): self = .addCondition(inside: words[1])
    case ("add-group", 2): self = .addGroup(inside: words[1])
    case ("add-shared", 3): self = .addShared(words[2], inside: words[1])
    case ("remove-condition", 2): self = .removeCondition(words[1])
    default: return nil
    }
  }

  /// The value of the button.
  var value: String {
    switch self {
    case .addBranch: "add-branch"
    case .addUsers: "add-users"
    case .removeBranch(let id): "remove-branch:\(id)"
    case .moveBranch(let id, let steps): "move:\(id):\(steps)"
    case .addCondition(let id): "add-condition:\(id)"
    case .addGroup(let id): "add-group:\(id)"
    case .addShared(let name, let id): "add-shared:\(id):\(name)"
    case .removeCondition(let id): "remove-condition:\(id)"
    }
  }

  /// Returns the changed rule, and the id of the element with which a person goes on.
  func applied(to rule: EditableRule) throws(FlagError) -> (rule: EditableRule, focus: String?) {
    switch self {
    case .addBranch:
      let new = try rule.applying([.addBranch(before: nil)])
      return (new, new.branches.last?.condition.firstField)
    case .addUsers: return try Self.addingUsers(to: rule)
    case .removeBranch(let id): return (try rule.applying([.removeBranch(id)]), "add-branch")
    case .moveBranch(let id, let steps):
      let siblings = rule.siblings(of: id).map(\.id)
      let steps = min(max(-siblings.count, steps), siblings.count)
      let new = try rule.applying([.moveBranch(id, by: steps)])
      let place = siblings.firstIndex(of: id).map { $0 + steps } ?? 0
      guard siblings.indices.contains(place) else { return (new, nil) }
      let isUp = steps < 0 ? place > 0 : place == siblings.count - 1
      return (new, "\(isUp ? "up" : "down")-\(siblings[place])")
    case .addCondition(let id):
      let new = try rule.applying([.addCondition(inside: id)])
      return (new, new.lastCondition(in: id)?.firstField)
    case .addGroup(let id):
      let new = try rule.applying([.addGroup(inside: id)])
      return (new, new.lastCondition(in: id)?.firstField)
    case .addShared(let name, let id):
      let added = try rule.applying([.addCondition(inside: id)])
      guard let condition = added.lastCondition(in: id) else { return (added, nil) }
      return (try added.applying([.setShared(condition.id, name)]), RuleField.shared.name(condition.id))
    case .removeCondition(let id):
      let root = rule.rootCondition(above: id)
      return (try rule.applying([.removeCondition(id)]), root.map { "add-condition-\($0)" })
    }
  }

  private static func addingUsers(to rule: EditableRule) throws(FlagError) -> (rule: EditableRule, focus: String?) {
    let added = try rule.applying([.addBranch(before: rule.branches.first?.id)])
    guard let id = added.branches.first?.condition.id else { return (added, nil) }
    let users = EditableRule.Test("targetingKey", .isOneOf)
    return (try added.applying([.setTest(id, users)]), TestFields.Part.operand.name(id))
  }
}

extension EditableRule {
  /// The branches of the rule, and those of each rule in it.
  var lists: [[Branch]] { chains.map(\.branches) }

  /// All outcomes, those of nested rules after the one that they are in.
  var outcomes: [Outcome] { chains.flatMap { $0.branches.map(\.outcome) + [$0.otherwise] } }

  private var chains: [(branches: [Branch], otherwise: Outcome)] {
    var (chains, rest) = ([(branches: branches, otherwise: otherwise)], branches.map(\.outcome) + [otherwise])
    while let outcome = rest.popLast() {
      guard case .branches(let branches, let otherwise) = outcome.content else { continue }
      chains.append((branches, otherwise))
      rest += branches.map(\.outcome) + [otherwise]
    }
    return chains
  }

  /// Returns the branches of the list that has one with an id.
  func siblings(of id: String) -> [Branch] { lists.first { $0.contains { $0.id == id } } ?? [] }

  /// Returns the last condition of a group.
  func lastCondition(in id: String) -> Condition? {
    guard case .group(_, let conditions)? = allConditions.first(where: { $0.id == id })?.content else { return nil }
    return conditions.last
  }

  /// Returns the id of the condition of a branch that another one is in.
  func rootCondition(above id: String) -> String? {
    lists.joined().first { $0.condition.all.contains { $0.id == id } }?.condition.id
  }
}

extension EditableRule.Condition {
  /// The condition and all that are in it.
  var all: [EditableRule.Condition] {
    var (all, rest) = ([EditableRule.Condition](), [self])
    while let condition = rest.popLast() {
      all.append(condition)
      if case .group(_, let conditions) = condition.content { rest += conditions }
    }
    return all
  }

  /// The name of the first field of the condition.
  var firstField: String {
    switch content {
    case .test: TestFields.Part.attribute.name(id)
    case .group(_, let conditions): conditions.first?.firstField ?? RuleField.group.name(id)
    case .shared: RuleField.shared.name(id)
    case .json: RuleField.json.name(id)
    }
  }
}
