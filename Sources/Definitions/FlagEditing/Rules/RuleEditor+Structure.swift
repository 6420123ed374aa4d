import FlagDomain
import FlagJSON

// MARK: - Conditions

extension RuleEditor {
  /// Adds a condition to a group; any other condition becomes a group of itself and the new one.
  mutating func addCondition(_ json: FlagValue, inside id: String) throws(FlagError) {
    let path = try parts.condition(id).condition.path
    let json = try line(json)
    guard case .group = try parts.condition(id).condition.content, let form = GroupForm(try node(at: path), at: path)
    else { return try wrap(path, opening("and"), "\(comma)\(json)]}") }
    if form.isBare {
      try wrap(form.operands[0].path, opening("or"), "\(comma)\(json)]}")
    } else if form.operands[0].path == form.argument {
      try wrap(form.argument, "[", "\(comma)\(json)]")
    } else {
      try editor.insert(json, at: form.operands.count, in: form.argument)
    }
  }

  mutating func addGroup(inside id: String) throws(FlagError) {
    let isAll = if case .group(let kind, _) = try parts.condition(id).condition.content { kind == .all } else { true }
    try addCondition([isAll ? "or" : "and": [Self.newTest]], inside: id)
  }

  mutating func removeCondition(_ id: String) throws(FlagError) {
    let (condition, group) = try parts.condition(id)
    guard let group, case .group(let kind, let conditions) = group.content else {
      throw FlagError(.general, "expected a condition of a group: a branch is removed as a whole")
    }
    if conditions.count == 1 { return try removeCondition(group.id) }
    try editor.remove(condition.path)
    guard conditions.count == 2, kind != .none else { return }
    try replace(group.path, withPart: condition.path.prefix(condition.path.count - 1).appending(0))
  }

  // MARK: - Branches

  /// The condition and the outcome of a new branch.
  private var newBranch: (condition: String, outcome: String) {
    get throws(FlagError) { (try line(Self.newTest), "null") }
  }

  mutating func addBranch(before id: String?) throws(FlagError) {
    let id = id ?? rule.otherwise.id
    if let branch = parts.conditions[id], branch.group == nil { return try insertBranch(at: branch.condition.path) }
    let outcome = try parts.outcome(id)
    if case .branches(_, let otherwise) = outcome.content { return try insertBranch(at: otherwise.path) }
    // The "else" of an `if` follows a branch, and so can another branch.
    if outcome.id.hasSuffix("e"), outcome.path.count > 0 { return try insertBranch(at: outcome.path) }
    let branch = try newBranch
    let beginning = "\(opening("if"))\(branch.condition)\(comma)\(branch.outcome)"
    if outcome.content == .defaultVariant {
      try editor.replace(outcome.path, with: beginning + "]}")
    } else {
      try wrap(outcome.path, beginning + comma, "]}")
    }
  }

  private mutating func insertBranch(at path: DocumentPath) throws(FlagError) {
    guard case .element(let index)? = path.steps.last else { return }
    let array = path.prefix(path.count - 1)
    let branch = try newBranch
    try editor.insert(branch.condition, at: index, in: array)
    try editor.insert(branch.outcome, at: index + 1, in: array)
  }

  mutating func removeBranch(_ id: String) throws(FlagError) {
    let chain = try parts.chain(id)
    guard let branch = chain.first(where: { $0.id == id }) else { return }
    let array = branch.condition.path.prefix(branch.condition.path.count - 1)
    let operation = array.prefix(array.count - 1)
    let operands = try node(at: array).operands
    switch operands.count {
    case 2: try editor.replace(operation, with: "null")
    // A rule as a whole is an object; others stay inside the `if`.
    case 3 where operation.count > 0 || operands[2].operation != nil:
      try replace(operation, withPart: array.appending(2))
    default:
      try editor.remove(branch.outcome.path)
      try editor.remove(branch.condition.path)
    }
  }

  /// Moves a branch past others by exchanging the bytes of conditions and outcomes, which may be in several lists.
  mutating func moveBranch(_ id: String, by distance: Int) throws(FlagError) {
    let chain = try parts.chain(id)
    guard let start = chain.firstIndex(where: { $0.id == id }) else { return }
    let end = min(max(distance, -start), chain.count - 1 - start) + start
    if end == start { return }
    let text = editor.text
    let root = try RuleNode(text)
    let places = chain[min(start, end)...max(start, end)].map { branch in
      [branch.condition.path, branch.outcome.path].compactMap { root.node(at: $0)?.range }
    }
    var moved = places
    if end > start { moved.append(moved.removeFirst()) } else { moved.insert(moved.removeLast(), at: 0) }
    var (new, offset): ([UInt8], Int) = ([], 0)
    for (place, source) in zip(places.joined(), moved.joined()) {
      new += text[offset..<place.lowerBound] + text[source]
      offset = place.upperBound
    }
    editor = try JSONEditor(new + text[offset...])
  }
}

extension RuleNode {
  fileprivate func node(at path: DocumentPath) -> RuleNode? {
    path.steps.reduce(Optional(self)) { node, step in
      switch (node?.content, step) {
      case (.object(let members)?, .member(let name)): members.last { $0.name == name }?.value
      case (.array(let elements)?, .element(let index)): elements.indices.contains(index) ? elements[index] : nil
      default: nil
      }
    }
  }
}
