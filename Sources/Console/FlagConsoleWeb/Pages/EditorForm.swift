import FlagConsole
import FlagDomain
import FlagEditing
import FlagHTTP

/// A definition as a form describes it, and what a person entered into the form.
///
/// The shares of a split are in the form three times: as percentages to type in, on sliders, and as the weights that
/// both were made from. What differs from those weights was edited, with a script, by keys and without a script alike.
struct EditorForm {
  /// The definition that the form describes, as far as it is well-formed.
  var draft: DefinitionDraft
  /// The reason why the shares cannot be used; nil if they can.
  var problem: FlagError?
  /// The problems of single fields, by their names.
  var problems: [String: String] = [:]
  /// The rule that the fields were made from, if that is not the draft's.
  var fieldsRule: String?
  /// The id of the element with which a person goes on; nil for none.
  var focus: String?
  /// The tab of the rule that was shown; nil for the usual one.
  private(set) var tab: String?
  private var entered: ConsoleForm?
  private var sent: ConsoleForm?
  /// The variants as they are in the form.
  var rows: [VariantRow]
  /// The definition in the document.
  let stored: DefinitionDraft

  /// Creates the form of a definition that nobody has edited.
  init(_ draft: DefinitionDraft) { (self.draft, stored, rows) = (draft, draft, VariantRow.rows(of: draft)) }

  /// Reads a form that was sent for a definition.
  init(_ form: ConsoleForm, over stored: DefinitionDraft) {
    self.stored = stored
    sent = form
    let written = VariantRow.rows(of: stored)
    rows = VariantRow.rows(in: form, over: written) ?? written
    draft = stored.based(on: form["version"] ?? "")
    draft.isEnabled = ["ENABLED": true, "DISABLED": false][form["state"] ?? ""] ?? stored.isEnabled
    draft.defaultVariant = form["default"].flatMap { $0.isEmpty ? nil : $0 }
    readAbout(form)
    let invalid = takeVariants(form)
    tab = form["rule-tab"]
    let isText = takeRule(form)
    // A form that is refused keeps what its fields show.
    let shown = draft
    do throws(FlagError) {
      try changeRule(form, isText: isText)
      if let invalid { throw invalid }
      if form["variants"] != nil { try renameVariants() }
      try changeVariants(form)
      rows = VariantRow.rows(of: draft)
    } catch {
      (draft, problem, entered) = (shown, error, form)
    }
  }

  /// Returns the text in a field: the entered one if the form was refused.
  func text(in name: String, _ usual: String) -> String { entered?[name] ?? usual }

  /// Returns the variant that was chosen in place of a missing one; nil if nothing was sent.
  func chosenReplacement(of name: String) -> String? { sent?[Self.replacement(of: name)] }

  /// Puts the entered text into the fields of a test if the form was refused.
  func refill(_ fields: inout TestFields, _ id: String) {
    if let entered { fields.take(id, from: entered) }
  }

  /// Returns the attribute of the element with which a person goes on; nil for every other one.
  func autofocus(_ id: String) -> HTML? { id == focus ? " autofocus" : nil }
}

extension EditorForm {
  /// Takes the variants of the form under the names that the rest of the form has for them.
  ///
  /// - Parameter form: The form, whose button may remove a variant: then its value need not be one.
  /// - Returns: The reason why a value cannot be used; then the variant keeps the one in the document.
  mutating func takeVariants(_ form: ConsoleForm) -> FlagError? {
    var (variants, problem): ([VariantDraft], FlagError?) = ([], nil)
    let written = Dictionary(stored.variantDrafts.map { (Array($0.name.utf8), $0.value) }) { first, _ in first }
    for (index, row) in rows.enumerated() {
      let old = row.written.flatMap { written[Array($0.utf8)] }
      var value = old ?? stored.variantKind.usualValue(named: row.was)
      do throws(FlagError) { value = try row.variant(stored.variantKind, before: old).value } catch {
        if form["do"] != "remove-variant:\(index)" {
          problem = problem ?? error
          problems[VariantFields.value(index)] = error.message
        }
      }
      variants.append(VariantDraft(writtenAs: row.written, row.was, value))
    }
    draft.variantDrafts = variants
    return problem
  }

  /// Gives the variants their new names, also wherever the form has the old ones.
  mutating func renameVariants() throws(FlagError) {
    try draft.rewriteUses(rows.filter { !$0.was.isIdentical(to: $0.name) }.map { ($0.was, $0.name) })
    for (index, row) in rows.enumerated() { draft.variantDrafts[index].name = row.name }
  }

  /// Changes the variants as the pressed button says, if it is one for variants.
  mutating func changeVariants(_ form: ConsoleForm) throws(FlagError) {
    let words = (form["do"] ?? "").split(separator: ":", maxSplits: 1).map(String.init)
    switch (words.first, words.dropFirst().first) {
    case ("add-variant", nil):
      draft.addVariant()
      focus = VariantFields.name(draft.variantDrafts.count - 1)
    case ("remove-variant", let number?):
      guard let index = Int(number), draft.variantDrafts.indices.contains(index) else { return }
      draft.variantDrafts.remove(at: index)
    case ("replace-variant", let name?):
      guard let replacement = form[Self.replacement(of: name)], draft.variants.contains(replacement) else { return }
      try draft.rewriteUses([(name, replacement)])
    default: break
    }
  }

  /// Returns the name of the field with the variant that is given instead of a removed one.
  static func replacement(of name: String) -> String { "replacement-\(name)" }

  mutating func readAbout(_ form: ConsoleForm) {
    for field in AboutField.allCases {
      if let text = form["about-\(field.rawValue)"] { draft.about[field] = text.isEmpty ? nil : text }
    }
  }

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

extension EditorForm {
  static func typed(_ split: Int, _ entry: Int) -> String { "share-\(split)-\(entry)" }
  static func slid(_ split: Int, _ entry: Int) -> String { "slider-\(split)-\(entry)" }
  static func weight(_ split: Int, _ entry: Int) -> String { "was-\(split)-\(entry)" }
  static func sticky(_ split: Int) -> String { "sticky-\(split)" }

  /// Returns the position of a slider, in tenths of a percent.
  static func position(of weight: Int, in sum: Int) -> Int {
    sum > 0 && (0...sum).contains(weight) ? Int((Double(weight) * 1000 / Double(sum)).rounded()) : 0
  }

  /// Returns the numbers of the splits that a form has shares of.
  static func numbers(in form: ConsoleForm) -> [Int] {
    let numbers = form.fields.compactMap { field -> Int? in
      let parts = field.name.split(separator: "-")
      return parts.count == 3 && parts[0] == "was" ? Int(parts[1]) : nil
    }
    return Set(numbers).sorted()
  }

  mutating func setShares(ofSplit number: Int, _ form: ConsoleForm) throws(FlagError) {
    var weights: [Int] = []
    while let weight = form[Self.weight(number, weights.count)].flatMap({ Int($0) }) { weights.append(weight) }
    let sum = Int(clamping: weights.reduce(Int128(0)) { $0 + Int128($1) })
    // What a button replaces need not be right.
    if form["do"] == "equal-shares:\(number)" { return }
    let shares = weights.enumerated().map { entry, weight in
      form["do"] == "remove-share:\(number)-\(entry)" ? nil : Self.share(form, number, entry, weight, of: sum)
    }
    let isMoved = shares.contains { $0 != nil }
    let (sticky, was) = (form[Self.sticky(number)], form["sticky-was-\(number)"])
    guard isMoved || sticky != was else { return }
    let splits = draft.splits
    guard splits.indices.contains(number), splits[number].entries.map(\.weight) == weights,
      was == nil || was == splits[number].stickiness
    else {
      throw FlagError(
        .general, "the shares and the rule were both edited: expected one of them, found shares of another rule")
    }
    if isMoved { try draft.setShares(shares, ofSplit: number) }
    if let sticky, sticky != was { try draft.setStickiness(sticky, ofSplit: number) }
  }

  /// Does what a button of the shares says.
  mutating func changeShares(_ form: ConsoleForm) throws(FlagError) {
    let (action, numbers) = Self.pressed(form)
    guard let split = numbers.first.flatMap({ $0 }).flatMap({ Int(exactly: $0) }) else { return }
    switch action {
    case "equal-shares": try draft.equalizeShares(ofSplit: split)
    case "add-share": try draft.addShare(of: form["add-\(split)"] ?? "", toSplit: split)
    case "remove-share":
      guard let entry = numbers.dropFirst().first.flatMap({ $0 }).flatMap({ Int(exactly: $0) }) else { return }
      try draft.removeShare(entry, fromSplit: split)
    default: break
    }
  }

  /// Does what a button of the plan or of the rule's text says, after all fields were read.
  mutating func perform(_ form: ConsoleForm) throws(FlagError) {
    let (action, numbers) = Self.pressed(form)
    if action == "lay-out" { try draft.layOutRule() } else { try plan(action, numbers.first.flatMap { $0 }) }
  }

  /// Returns the action of the pressed button, and the numbers of what it acts on.
  private static func pressed(_ form: ConsoleForm) -> (action: String, numbers: [Int64?]) {
    let parts = (form["do"] ?? "").split(separator: ":", maxSplits: 1).map(String.init)
    return (parts.first ?? "", parts.count > 1 ? parts[1].split(separator: "-").map { Int64($0) } : [])
  }

  /// Returns the percentage that was typed or set by the slider; nil if neither was edited.
  private static func share(
    _ form: ConsoleForm, _ split: Int, _ entry: Int, _ weight: Int, of sum: Int
  ) -> String? {
    let usual = RuleExplanation.percentNumber(weight, of: sum)
    if let typed = form[Self.typed(split, entry)], typed != usual { return typed }
    guard let position = form[slid(split, entry)].flatMap({ Int($0) }), position != Self.position(of: weight, in: sum)
    else { return nil }
    return position % 10 == 0 ? "\(position / 10)" : "\(position / 10).\(position % 10)"
  }
}
