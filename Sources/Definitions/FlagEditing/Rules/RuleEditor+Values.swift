import FlagDomain
import FlagJSON

extension RuleEditor {
  mutating func apply(_ edit: RuleEdit) throws(FlagError) {
    switch edit {
    case .setTest(let id, let test): try setTest(id, test)
    case .setShared(let id, let name): try setShared(id, name)
    case .setConditionJSON(let id, let json): try setJSON(id, json)
    case .setGroup(let id, let group): try setGroup(id, group)
    case .setOutcome(let id, let content): try setOutcome(id, content)
    case .addCondition(let id): try addCondition(Self.newTest, inside: id)
    case .addGroup(let id): try addGroup(inside: id)
    case .removeCondition(let id): try removeCondition(id)
    case .addBranch(let id): try addBranch(before: id)
    case .removeBranch(let id): try removeBranch(id)
    case .moveBranch(let id, let distance): try moveBranch(id, by: distance)
    }
  }

  /// A test that holds for nobody, until users are named.
  static let newTest = EditableRule.Test("targetingKey", .isOneOf).json

  private mutating func setTest(_ id: String, _ test: EditableRule.Test) throws(FlagError) {
    let (condition, group) = try parts.condition(id)
    guard !test.attribute.isEmpty else { throw FlagError(.general, "expected the name of an attribute, found nothing") }
    guard test.comparison.accepts(test.operands) else {
      let found = test.operands.map { "\($0.summary)" }.joined(separator: ", ")
      throw FlagError(
        .typeMismatch,
        "\(test.attribute.excerpt) \(test.comparison.title): expected \(test.comparison.input.expectation), "
          + "found \(found.isEmpty ? "nothing" : found)")
    }
    if case .test(let old) = condition.content, old.json == test.json { return }
    // A negated test would be read as a negative one, with another id.
    try set(condition.path, to: condition.isNegated(in: group) ? ["or": [test.json]] : test.json)
  }

  private mutating func setShared(_ id: String, _ name: String) throws(FlagError) {
    let condition = try parts.condition(id).condition
    guard !name.isEmpty else { throw FlagError(.general, "expected the name of a shared condition, found nothing") }
    if case .shared(let old) = condition.content, old.isIdentical(to: name) { return }
    try set(condition.path, to: ["$ref": .string(name)])
  }

  private mutating func setJSON(_ id: String, _ json: String) throws(FlagError) {
    let (condition, group) = try parts.condition(id)
    let shown: String? = if case .json(let old) = condition.content { old } else { nil }
    guard try setJSON(condition.path, json, over: shown), condition.isNegated(in: group) else { return }
    let new = try node(at: condition.path)
    if EditableRule.Test(new) != nil || new.operation?.name == "or" { try wrap(condition.path, opening("or"), "]}") }
  }

  /// Replaces a value by JSON, unless it is as it was shown, or the same value in another form; returns whether it did.
  @discardableResult
  private mutating func setJSON(_ path: DocumentPath, _ json: String, over shown: String?) throws(FlagError) -> Bool {
    if let shown, json.isIdentical(to: shown) { return false }
    let bytes = json.utf8.filter { $0 != UInt8(ascii: "\r") }
    let new = try RuleNode(bytes)
    let text = String(decoding: bytes[new.range], as: UTF8.self)
    if let shown {
      if text.isIdentical(to: shown) { return false }
    } else if let value = new.value, editor.range(of: path) != nil, value == (try node(at: path).value) {
      return false
    }
    try put(text, at: path)
    return true
  }

  /// Replaces a value, or appends it as the "else" that is absent.
  private mutating func put(_ json: String, at path: DocumentPath) throws(FlagError) {
    if editor.range(of: path) != nil { return try editor.replace(path, with: json) }
    guard case .element(let index)? = path.steps.last else { return }
    try editor.insert(json, at: index, in: path.prefix(path.count - 1))
  }

  // MARK: - Groups

  private mutating func setGroup(_ id: String, _ kind: EditableRule.Condition.Group) throws(FlagError) {
    let (condition, group) = try parts.condition(id)
    let path = condition.path
    guard case .group(let old, _) = condition.content, let form = GroupForm(try node(at: path), at: path) else {
      throw FlagError(.general, "expected the id of a group, found “\(id.excerpt)”")
    }
    if kind == old { return }
    if old == .none {
      var alternatives = form.argument.prefix(form.argument.count - 1)
      if form.isBare {
        alternatives = form.operands[0].path
        try wrap(alternatives, opening("or"), "]}")
      }
      try replace(path, withPart: alternatives)
    }
    let (oldName, name) = (old == .all ? "and" : "or", kind == .all ? "and" : "or")
    if oldName != name { try editor.renameMember(path.appending(oldName), to: name) }
    if kind == .none { try wrap(path, opening("!"), "]}") }
    // Negated alternatives would be those of the negation, with other ids.
    if kind == .any, condition.isNegated(in: group) { try wrap(path, opening("or"), "]}") }
  }

  // MARK: - Outcomes

  private mutating func setOutcome(_ id: String, _ content: EditableRule.Outcome.Content) throws(FlagError) {
    let outcome = try parts.outcome(id)
    switch content {
    case .branches:
      guard content == outcome.content else { throw FlagError(.general, "expected an outcome without branches") }
    case .json(let json):
      let shown: String? = if case .json(let old) = outcome.content { old } else { nil }
      try setJSON(outcome.path, json, over: shown)
    case .shares(let shares) where shares.entries.isEmpty || shares.entries.contains { $0.weight < 0 }:
      throw FlagError(.general, "expected shares, each with a weight of zero or more")
    case .variant, .defaultVariant, .shares:
      guard let value = content.json, value != outcome.content.json else { return }
      if editor.range(of: outcome.path) == nil { return try put(try line(value), at: outcome.path) }
      try set(outcome.path, to: value)
    }
  }
}

extension EditableRule.Outcome.Content {
  /// The outcome as a value of JSON; nil for branches and for an outcome without a form.
  fileprivate var json: FlagValue? {
    switch self {
    case .variant(let name): .string(name)
    case .defaultVariant: .null
    case .shares(let shares): shares.json
    case .branches, .json: nil
    }
  }
}

extension EditableRule.Condition {
  /// Whether the condition is the operand of its group's negation.
  fileprivate func isNegated(in group: EditableRule.Condition?) -> Bool {
    guard let group, case .group(.none, _) = group.content else { return false }
    return !path.steps.dropFirst(group.path.count).contains(.member("or"))
  }
}

extension EditableRule.Comparison.Input {
  /// The values in words, for messages.
  fileprivate var expectation: String {
    switch self {
    case .none: "no value"
    case .value: "a text, a number, or true or false"
    case .text: "a text"
    case .list: "texts, numbers, true or false"
    case .number: "a number"
    case .range: "two numbers"
    case .version: "a version"
    case .date: "a time in whole seconds"
    }
  }
}
