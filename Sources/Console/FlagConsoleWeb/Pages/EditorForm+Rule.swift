import FlagConsole
import FlagDomain
import FlagEditing

extension EditorForm {
  /// Takes the rule as the form has it: as text, if that was edited, or as its fields show it.
  ///
  /// - Returns: Whether the text was edited.
  mutating func takeRule(_ form: ConsoleForm) -> Bool {
    let text = form["rule"] ?? ""
    var was = form["rule-was"] ?? text
    // Forms change line ends, which the stored rule keeps.
    if was.withoutReturns.isIdentical(to: draft.rule.withoutReturns) { was = draft.rule }
    let keepsFields = form["do"] == RuleField.Choice.fields.rawValue
    let isText = !keepsFields && !text.withoutReturns.isIdentical(to: was.withoutReturns)
    draft.rule = isText ? text : was
    return isText
  }

  /// Edits the rule as its fields, the shares in it and the pressed button say.
  ///
  /// - Throws: An error if a field is wrong, or if the text and a field were both edited.
  mutating func changeRule(_ form: ConsoleForm, isText: Bool) throws(FlagError) {
    if form["do"] == RuleField.Choice.text.rawValue { return }
    let was = form["rule-was"] ?? draft.rule
    // Shares inside a part that is shown as JSON change that part: fields are compared with the rule that they show.
    let reading = form["rule-was"].flatMap { _ in RuleReading(form, of: was, draft.variants) }
    if isText, let reading, !reading.isEmpty {
      fieldsRule = was
      throw FlagError(.general, "the rule was edited both as text and by its fields: keep one of them")
    }
    let fields = isText ? nil : reading
    if let fields { try check(fields) }
    // Shares have the numbers that they have in the rule which the form shows.
    for number in Self.numbers(in: form) { try setShares(ofSplit: number, form) }
    try changeShares(form)
    if let fields { draft.rule = try EditableRule(draft.rule).applying(fields.edits).text }
    try setPlan(form)
    try perform(form)
    if let action = RuleAction(form["do"] ?? "") { try act(action) }
  }

  private mutating func check(_ reading: RuleReading) throws(FlagError) {
    problems.merge(reading.problems) { old, _ in old }
    guard let problem = reading.problems.values.min() else { return }
    let words = reading.problems.count == 1 ? "a field" : "\(reading.problems.count) fields"
    throw FlagError(.general, "correct \(words) of the rule: \(problem)")
  }

  private mutating func act(_ action: RuleAction) throws(FlagError) {
    let changed = try action.applied(to: EditableRule(draft.rule))
    (draft.rule, focus) = (changed.rule.text, changed.focus)
  }
}

/// The fields of a rule that are not those of a test, by the beginning of their names.
enum RuleField: String {
  case group, shared, json, outcome
  case outcomeJSON = "outcome-json"

  func name(_ id: String) -> String { "\(rawValue)-\(id)" }

  /// The choice of what to keep if the text and the fields were both edited.
  enum Choice: String {
    case text = "keep-text"
    case fields = "keep-fields"
  }

  /// Returns the choice that stands for an outcome in its field.
  static func choice(of outcome: EditableRule.Outcome.Content) -> String {
    switch outcome {
    case .defaultVariant: ""
    case .variant(let name): "variant:\(name)"
    case .shares: "shares"
    case .branches: "branches"
    case .json: "json"
    }
  }
}

/// The edits that a form makes to the rule that its fields were made from.
struct RuleReading {
  let rule: EditableRule
  private let form: ConsoleForm
  private let variants: [String]
  /// The pressed button; what it removes need not be right.
  private let removing: RuleAction?
  private(set) var edits: [RuleEdit] = []
  /// The problems of fields, by their names.
  private(set) var problems: [String: String] = [:]

  /// Reads the fields of a rule; nil if the text is no rule, which has none.
  init?(_ form: ConsoleForm, of text: String, _ variants: [String]) {
    do throws(FlagError) {
      rule = try EditableRule(text)
    } catch {
      return nil
    }
    (self.form, self.variants) = (form, variants)
    removing = RuleAction(form["do"] ?? "")
    read(rule.branches, rule.otherwise)
  }

  /// Whether no field was edited.
  var isEmpty: Bool { edits.isEmpty && problems.isEmpty }

  private mutating func read(_ branches: [EditableRule.Branch], _ otherwise: EditableRule.Outcome) {
    for branch in branches {
      if case .removeBranch(branch.id)? = removing { continue }
      read(branch.condition)
      read(branch.outcome)
    }
    read(otherwise)
  }

  private mutating func read(_ condition: EditableRule.Condition) {
    let id = condition.id
    if case .removeCondition(id)? = removing { return }
    switch condition.content {
    case .test(let test): read(test, id)
    case .group(let group, let conditions):
      if let new = form[RuleField.group.name(id)].flatMap(EditableRule.Condition.Group.init), new != group {
        edits.append(.setGroup(id, new))
      }
      for condition in conditions { read(condition) }
    case .shared(let name):
      if let new = changed(RuleField.shared.name(id), from: name) { edits.append(.setShared(id, new)) }
    case .json(let text):
      if let new = json(RuleField.json.name(id), from: text) { edits.append(.setConditionJSON(id, new)) }
    }
  }

  private mutating func read(_ test: EditableRule.Test, _ id: String) {
    let shown = TestFields(test)
    var fields = shown
    fields.take(id, from: form)
    guard !fields.matches(shown) else { return }
    do throws(TestFields.Problem) {
      edits.append(.setTest(id, try fields.test(editing: test)))
    } catch {
      problems[error.part.name(id)] = error.text
    }
  }

  private mutating func read(_ outcome: EditableRule.Outcome) {
    if let choice = changed(RuleField.outcome.name(outcome.id), from: RuleField.choice(of: outcome.content)) {
      if let content = content(choice) { edits.append(.setOutcome(outcome.id, content)) }
      return
    }
    switch outcome.content {
    case .branches(let branches, let otherwise): read(branches, otherwise)
    case .json(let text):
      guard let new = json(RuleField.outcomeJSON.name(outcome.id), from: text) else { return }
      edits.append(.setOutcome(outcome.id, .json(new)))
    case .variant, .defaultVariant, .shares: break
    }
  }

  private func content(_ choice: String) -> EditableRule.Outcome.Content? {
    if choice.isEmpty { return .defaultVariant }
    if choice == "shares" { return .shares(EditableRule.Shares(equally: variants)) }
    let parts = choice.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    return parts.count == 2 && parts[0] == "variant" ? .variant(String(parts[1])) : nil
  }

  /// Returns the text that a field was changed to; nil if it was not.
  private func changed(_ name: String, from text: String) -> String? {
    guard let sent = form[name]?.withoutReturns, !sent.isIdentical(to: text.withoutReturns) else { return nil }
    return sent
  }

  private mutating func json(_ name: String, from text: String) -> String? {
    guard let new = changed(name, from: text) else { return nil }
    do throws(FlagError) {
      _ = try FlagControl.json.value(of: new)
      return new
    } catch {
      problems[name] = error.message
      return nil
    }
  }
}

extension EditableRule.Shares {
  /// Creates shares of the same size, as percentages if these are whole.
  fileprivate init(equally variants: [String]) {
    let weight = variants.isEmpty || 100 % variants.count != 0 ? 1 : 100 / variants.count
    self.init(variants.map { Entry($0, weight) })
  }
}
