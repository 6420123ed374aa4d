import FlagDefinitions
import FlagDomain
import FlagEditing
import FlagSupport

/// The editor of a rule: as branches of conditions and outcomes, and as JSON.
struct RuleCard {
  let form: EditorForm
  /// The address that responds to a form with its draft, unsaved.
  let path: String
  /// The editor of the rule as JSON.
  let panel: HTML
  /// The names and values that fields suggest; nil for none.
  let suggestions: RuleSuggestions?
  /// The splits of the rule that are outcomes with fields here, and their numbers, by the ids of the outcomes.
  let splits: [String: (number: Int, split: WeightedSplit)]
  private let rule: Result<EditableRule, FlagError>

  init(form: EditorForm, path: String, panel: HTML, suggestions: RuleSuggestions?) {
    (self.form, self.path, self.panel, self.suggestions) = (form, path, panel, suggestions)
    let text = form.fieldsRule ?? form.draft.rule
    rule = Result { () throws(FlagError) in try EditableRule(text) }
    splits = Self.shown(rule).map { $0.splits(in: form) } ?? [:]
  }

  /// Returns the rule that has a form; nil if it cannot be read, or is too large.
  private static func shown(_ rule: Result<EditableRule, FlagError>) -> EditableRule? {
    if case .success(let rule) = rule, rule.size <= maximum { rule } else { nil }
  }

  var html: HTML {
    let rule = form.draft.rule
    return """
      <section class="card rule" id="rule-card" aria-labelledby="rule-title">
      <div class="rule-head"><h2 id="rule-title">Rule</h2>
      <fieldset class="segments" id="rule-tabs" hidden><legend class="sr">Edit the rule as</legend>
      \(tab("form", "Form"))\(tab("json", "JSON"))</fieldset></div>
      <p class="muted" id="words">\(words)</p><div id="rule-decision">\(form.fieldsRule.map { _ in decision })</div>
      <input type="hidden" name="rule-was" id="rule-was" value="\(exact: form.fieldsRule ?? rule)">
      <div id="rule-fields"><div id="rule-form" data-fields>\(fields)</div></div>
      <div id="rule-lists">\(suggestions?.lists(for: Self.shown(self.rule)))</div>
      <div id="rule-json" class="stack"><label for="rule">Rule as JSON</label>
      \(panel)</div></section>
      """
  }

  private var words: String {
    if case .failure = rule { return "This rule cannot be read." }
    return RuleExplanation.words(ofRule: form.draft.rule)?.shortened(to: 2000) ?? "Everyone gets the default variant."
  }

  private func tab(_ name: String, _ title: String) -> HTML {
    let isChosen = form.tab.map { $0 == name } ?? ((name == "form") == (Self.shown(rule) != nil))
    return HTML.segment("rule-tab", name, title, isChosen: isChosen)
  }

  private var fields: HTML {
    switch rule {
    case .success(let rule) where rule.size > Self.maximum:
      return """
        <p class="muted">This rule has \(rule.size) parts, more than the form shows. Edit it as JSON.</p>
        """
    case .success(let rule):
      return """
        \(branches(rule.branches, plan: form.draft.schedule))
        \(otherwise(rule.otherwise, isAlone: rule.branches.isEmpty))
        <div class="buttons">\(button(.addBranch, "Add branch", id: "add-branch"))
        \(button(.addUsers, "Add users by id", id: "add-users"))</div>
        """
    case .failure(let error):
      return "<p class=\"muted\">The rule cannot be read. Correct it as JSON: \(error.message).</p>"
    }
  }

  /// The number of conditions and branches up to which a rule has a form.
  private static let maximum = 200

  /// The choice between the text and the fields if both were edited.
  private var decision: HTML {
    let choices = [(RuleField.Choice.text, "Keep the text"), (.fields, "Keep the fields")]
    return """
      <p class="problem">The rule was edited both as text and by its fields.</p>
      <div class="buttons">\(choices.map { choice, title in
        """
        <button class="plain" name="do" value="\(choice.rawValue)" formaction="\(path)">\(title)</button>
        """
      })</div>
      """
  }

  // MARK: - Branches

  /// Returns the fields of branches, the first of which is a plan if there is one.
  func branches(_ branches: [EditableRule.Branch], plan: RolloutSchedule? = nil) -> HTML? {
    guard !branches.isEmpty else { return nil }
    let first = plan == nil ? 0 : 1
    return """
      <ol class="branches">\(plan.map(planned))
      \(branches.enumerated().dropFirst(first).map { branch($1, $0, within: first..<branches.count) })</ol>
      """
  }

  /// The branch of a rollout with times, whose fields are elsewhere.
  private func planned(_ plan: RolloutSchedule) -> HTML {
    """
    <li class="branch"><div class="clause if"><h3 class="word">First</h3><p><a href="#plan">A rollout with times</a> \
    gives \(plan.variant.shortened()).</p></div></li>
    """
  }

  private func branch(_ branch: EditableRule.Branch, _ index: Int, within range: Range<Int>) -> HTML {
    let (name, isLast) = ("branch \(index + 1)", index == range.upperBound - 1)
    return """
      <li class="branch" data-branch="\(branch.id)">
      <div class="clause if"><h3 class="word"><span class="grip" hidden>\(Icon.grip)</span>\(index == 0 ? "If" : "Else if")</h3>
      <div class="conditions">\(condition(branch.condition, isRoot: true))</div>
      <div class="tools">
      \(tool(.moveBranch(branch.id, by: -1), Icon.up, "Move \(name) up", id: "up-\(branch.id)", isOff: index == range.lowerBound))
      \(tool(.moveBranch(branch.id, by: 1), Icon.down, "Move \(name) down", id: "down-\(branch.id)", isOff: isLast))
      \(tool(.removeBranch(branch.id), Icon.no, "Remove \(name)", id: "remove-branch-\(branch.id)"))</div></div>
      <div class="clause then"><span class="word">then</span>\(outcome(branch.outcome, "Result of \(name)"))</div></li>
      """
  }

  func otherwise(_ outcome: EditableRule.Outcome, isAlone: Bool) -> HTML {
    """
    <div class="clause otherwise"><span class="word">\(isAlone ? "Everyone" : "Otherwise")</span>\
    \(self.outcome(outcome, isAlone ? "Result for everyone" : "Result if no branch holds"))</div>
    """
  }

  // MARK: - Buttons

  func button(_ action: RuleAction, _ title: String, id: String, class name: String = "plain") -> HTML {
    """
    <button class="\(name)" name="do" value="\(exact: action.value)" formaction="\(path)" id="\(id)"\
    \(form.autofocus(id))>\(title)</button>
    """
  }

  func tool(_ action: RuleAction, _ icon: HTML, _ title: String, id: String, isOff: Bool = false) -> HTML {
    """
    <button class="tool" name="do" value="\(exact: action.value)" formaction="\(path)" id="\(id)" title="\(title)" \
    aria-label="\(title)"\(form.autofocus(id))\(isOff ? " disabled" as HTML : nil)>\(icon)</button>
    """
  }
}

extension RuleCard {
  /// Returns the fields of an outcome.
  func outcome(_ outcome: EditableRule.Outcome, _ title: String) -> HTML {
    let name = RuleField.outcome.name(outcome.id)
    let usual = RuleField.choice(of: outcome.content)
    let chosen = form.text(in: name, usual)
    return """
      <div class="outcome-field"><select name="\(name)" id="\(name)" aria-label="\(title)"\(form.autofocus(name))>
      \(choices(outcome.content).map { option($0.value, $0.title, chosen) })</select>
      \(chosen.isIdentical(to: usual) ? details(outcome) : nil)</div>
      """
  }

  private func choices(_ outcome: EditableRule.Outcome.Content) -> [(value: String, title: String)] {
    let variants = form.draft.variants
    var choices = variants.map { ("variant:\($0)", $0.shortened()) }
    choices += [("", "the default variant"), ("shares", "shares")]
    switch outcome {
    case .variant(let name) where !variants.contains { $0.isIdentical(to: name) }:
      choices.append(("variant:\(name)", "\(name.shortened()) (no such variant)"))
    case .branches: choices.append(("branches", "by another rule"))
    case .json: choices.append(("json", "JSON"))
    default: break
    }
    return choices
  }

  private func details(_ outcome: EditableRule.Outcome) -> HTML? {
    switch outcome.content {
    case .variant, .defaultVariant: return nil
    case .shares(let shares):
      return splits[outcome.id].map { SplitFields(split: $0.split, number: $0.number, form: form).html }
        ?? "<p class=\"muted\" data-text>\(shares.words)</p>"
    case .branches(let list, let otherwise):
      return "<div class=\"nested\">\(branches(list))\(self.otherwise(otherwise, isAlone: false))</div>"
    case .json(let text): return json(RuleField.outcomeJSON.name(outcome.id), text, "Result as JSON")
    }
  }
}

extension EditableRule.Shares {
  /// The shares as a phrase: `10 % on, 90 % off`.
  fileprivate var words: String {
    let sum = Int(clamping: entries.reduce(Int128(0)) { $0 + Int128(max(0, $1.weight)) })
    guard sum > 0 else { return "no shares" }
    return entries.map { "\($0.weight.percent(of: sum)) \($0.variant)" }.joined(separator: ", ")
  }
}

extension EditableRule {
  /// Returns the splits that are outcomes, and their numbers, by the ids of the outcomes.
  func splits(in form: EditorForm) -> [String: (number: Int, split: WeightedSplit)] {
    // Fields of another text have other splits.
    guard form.fieldsRule == nil else { return [:] }
    let splits = form.draft.shares
    guard !splits.isEmpty else { return [:] }
    return outcomes.reduce(into: [:]) { found, outcome in
      if case .shares = outcome.content { found[outcome.id] = splits.first { outcome.isSplit($0.split) } }
    }
  }
}

extension RuleCard {
  /// Returns the fields of a condition; the root of a branch cannot be removed alone.
  func condition(_ condition: EditableRule.Condition, isRoot: Bool = false) -> HTML {
    let id = condition.id
    let remove = isRoot ? nil : tool(.removeCondition(id), Icon.no, "Remove the condition", id: "remove-\(id)")
    let fields =
      switch condition.content {
      case .test(let test): self.test(test, id, remove)
      case .group(let group, let conditions): self.group(group, conditions, id, remove)
      case .shared(let name): shared(name, id, remove)
      case .json(let text): json(RuleField.json.name(id), text, "Condition as JSON", remove)
      }
    if case .group = condition.content { return fields }
    return isRoot ? "\(fields)\(adds(id))" : fields
  }

  private func group(
    _ group: EditableRule.Condition.Group, _ conditions: [EditableRule.Condition], _ id: String, _ remove: HTML?
  ) -> HTML {
    let name = RuleField.group.name(id)
    let chosen = form.text(in: name, group.rawValue)
    return """
      <div class="together" role="group" aria-label="Group of conditions"><div class="test"><div class="line"><select name="\(name)" id="\(name)" aria-label="Number of conditions that must hold"\
      \(form.autofocus(name))>
      \(EditableRule.Condition.Group.allCases.map { option($0.rawValue, $0.title, chosen) })</select></div>\(remove)</div>
      <ul class="tests">\(conditions.map { "<li>\(condition($0))</li>" as HTML })</ul>\(adds(id))</div>
      """
  }

  private func adds(_ id: String) -> HTML {
    """
    <div class="adds">\(button(.addCondition(inside: id), "Add condition", id: "add-condition-\(id)", class: "add"))
    \(button(.addGroup(inside: id), "Add group", id: "add-group-\(id)", class: "add"))
    \(suggestions?.evaluators.first.map {
      button(.addShared($0, inside: id), "Add shared condition", id: "add-shared-\(id)", class: "add")
    })</div>
    """
  }

  private func shared(_ name: String, _ id: String, _ remove: HTML?) -> HTML {
    let field = RuleField.shared.name(id)
    let chosen = form.text(in: field, name)
    let known = suggestions?.evaluators ?? []
    let names = known.contains { $0.isIdentical(to: name) } ? known : [name] + known
    return """
      <div class="test" role="group" aria-label="Condition"><div class="line"><span>the shared condition</span>
      <select name="\(field)" id="\(field)" aria-label="Shared condition"\(form.autofocus(field))>
      \(names.map { option($0, $0.shortened(), chosen) })</select><span>holds</span></div>\(remove)</div>
      """
  }

  /// Returns a field for what no other field can show.
  func json(_ name: String, _ text: String, _ title: String, _ remove: HTML? = nil) -> HTML {
    let text = form.text(in: name, text)
    let rows = min(12, text.utf8.count { $0 == 0x0A } + 1)
    return """
      <div class="test json"><label class="line">\(title)<textarea name="\(name)" id="\(name)" rows="\(rows)" spellcheck="false" \
      \(described(name))\(form.autofocus(name))>
      \(exact: text)</textarea></label>\(remove)\(problem(name))</div>
      """
  }

  // MARK: - Tests

  private func test(_ test: EditableRule.Test, _ id: String, _ remove: HTML?) -> HTML {
    var fields = TestFields(test)
    form.refill(&fields, id)
    let name = TestFields.Part.attribute.name(id)
    return """
      <div class="test" role="group" aria-label="Condition"><div class="line">
      <input class="attribute" name="\(name)" id="\(name)" value="\(exact: fields.attribute)" list="attributes" \
      aria-label="Attribute" autocomplete="off" spellcheck="false" \(described(name))\(form.autofocus(name))>
      \(comparisons(fields, id))\(operand(fields, id))\(kinds(fields, id))</div>\(remove)\
      \([TestFields.Part.attribute, .operand, .until].map { problem($0.name(id)) })</div>
      """
  }

  private func comparisons(_ fields: TestFields, _ id: String) -> HTML {
    let name = TestFields.Part.comparison.name(id)
    return """
      <select class="comparison" name="\(name)" id="\(name)" aria-label="Comparison">
      \(Self.comparisons.map { title, comparisons in
        """
        <optgroup label="\(title)">\
        \(comparisons.map { option($0.rawValue, $0.title, fields.comparison.rawValue) })</optgroup>
        """
      })</select>
      """
  }

  /// The comparisons in the order and the groups in which people look for them.
  private static let comparisons: [(String, [EditableRule.Comparison])] = {
    let groups: [(String, [EditableRule.Comparison.Input])] = [
      ("Text", [.value, .text]), ("List", [.list]), ("Number", [.number, .range]), ("Version", [.version]),
      ("Date", [.date]), ("Presence", [.none]),
    ]
    return groups.map { title, inputs in
      (title, EditableRule.Comparison.allCases.filter { inputs.contains($0.input) })
    }
  }()

  private func operand(_ fields: TestFields, _ id: String) -> HTML? {
    let name = TestFields.Part.operand.name(id)
    switch fields.comparison.input {
    case .none: return nil
    case .value where fields.kind == .truth:
      return """
        <select class="operand" name="\(name)" id="\(name)" aria-label="Value">
        \(["true", "false"].map { option($0, $0, fields.operand == "false" ? "false" : "true") })</select>
        """
    case .value, .text: return input(name, fields.operand, "Value", "list=\"\(list(of: fields))\"")
    case .list: return list(name, fields)
    case .number: return input(name, fields.operand, "Number", "inputmode=\"decimal\"")
    case .range:
      let until = TestFields.Part.until.name(id)
      return """
        \(input(name, fields.operand, "From", "inputmode=\"decimal\""))<span>and</span>\
        \(input(until, fields.until, "To", "inputmode=\"decimal\""))
        """
    case .version: return input(name, fields.operand, "Version", "placeholder=\"2.1.0\"")
    case .date: return date(name, fields.operand)
    }
  }

  /// Returns the id of the list with the values of a test's attribute; empty if there is none.
  private func list(of fields: TestFields) -> String { suggestions?.listID(of: fields.attribute) ?? "" }

  private func input(_ name: String, _ text: String, _ title: String, _ more: HTML) -> HTML {
    """
    <input class="operand" name="\(name)" id="\(name)" value="\(exact: text)" aria-label="\(title)" autocomplete="off" \
    spellcheck="false" \(more) \(described(name))\(form.autofocus(name))>
    """
  }

  /// Returns the field of a list, a value a line, of which the script makes chips.
  private func list(_ name: String, _ fields: TestFields) -> HTML {
    let rows = min(8, max(2, fields.operand.utf8.count { $0 == 0x0A } + 1))
    return """
      <textarea class="operand" name="\(name)" id="\(name)" rows="\(rows)" aria-label="Values, one a line" \
      data-chips="\(list(of: fields))" spellcheck="false" \(described(name))\(form.autofocus(name))>
      \(exact: fields.operand)</textarea>
      """
  }

  /// Returns the field of a date; any other text stays as it was typed.
  private func date(_ name: String, _ text: String) -> HTML {
    let isDate = text.isEmpty || InstantText.isInstant(text)
    let step: HTML? = text.utf8.count > 16 ? " step=\"1\"" : nil
    let kind: HTML = isDate ? "type=\"datetime-local\"\(step)" : "placeholder=\"2026-01-31T09:00\""
    return "\(input(name, text, "Date and time in UTC", kind))<span class=\"muted\">UTC</span>"
  }

  private func kinds(_ fields: TestFields, _ id: String) -> HTML? {
    guard fields.comparison.input == .value || fields.comparison.input == .list else { return nil }
    let name = TestFields.Part.kind.name(id)
    return """
      <label class="kind"\(fields.showsKind ? nil : " hidden" as HTML)>as <select name="\(name)" id="\(name)" \
      aria-label="Type of the value">
      \(fields.kinds.map { option($0.rawValue, $0.rawValue, fields.kind.rawValue) })</select></label>
      """
  }

  // MARK: - Parts of fields

  func option(_ value: String, _ title: String, _ chosen: String) -> HTML {
    HTML.option(value, title, isChosen: value.isIdentical(to: chosen))
  }

  /// Returns the attributes that lead from a field to its problem.
  func described(_ name: String) -> HTML {
    """
    aria-describedby="problem-\(name)"\(form.problems[name] == nil ? nil : " aria-invalid=\"true\"" as HTML)
    """
  }

  /// Returns the problem of a field; hidden if there is none.
  func problem(_ name: String) -> HTML {
    let text = form.problems[name]
    return """
      <p class="problem" id="problem-\(name)"\(text == nil ? " hidden" as HTML : nil)>\(text ?? "")</p>
      """
  }
}

extension EditableRule.Condition.Group {
  fileprivate var title: String {
    switch self {
    case .all: "all of these hold"
    case .any: "at least one of these holds"
    case .none: "none of these holds"
    }
  }
}

extension RuleSuggestions {
  /// Returns lists of the attributes, and of the values of those that a rule reads; fields refer to them by their ids.
  func lists(for rule: EditableRule?) -> HTML {
    let read = Set(rule?.tests.map(\.attribute) ?? [])
    return """
      <datalist id="attributes">\(attributes.map { option(AttributeName.shown($0.name)) })</datalist>
      \(attributes.enumerated().filter { read.contains($1.name) }.map { index, attribute in
        "<datalist id=\"values-\(index)\">\(attribute.values.map { option($0.text ?? $0.description) })</datalist>" as HTML
      })
      """
  }

  /// Returns the id of the list for an attribute, which is named as a field shows it; empty if there is none.
  func listID(of attribute: String) -> String {
    let name = AttributeName.read(attribute)
    return attributes.firstIndex { $0.name.isIdentical(to: name) }.map { "values-\($0)" } ?? ""
  }

  private func option(_ text: String) -> HTML { "<option value=\"\(exact: text.singleLine)\"></option>" }
}

extension EditableRule {
  /// All conditions, and those inside of them.
  var allConditions: [Condition] { lists.joined().flatMap(\.condition.all) }

  fileprivate var tests: [Test] {
    allConditions.compactMap { if case .test(let test) = $0.content { test } else { nil } }
  }

  /// The number of conditions and branches.
  var size: Int { allConditions.count + lists.count }
}

/// The editor of a rule as JSON, with the places of its problems.
struct RuleTextPanel {
  let form: EditorForm
  var problems: [RuleProblem] = []

  var html: HTML {
    let isWrong = problems.contains { $0.severity == .error }
    return """
      <textarea name="rule" id="rule" rows="14" spellcheck="false" autocapitalize="off" autocomplete="off" \
      aria-describedby="rule-problems" \(isWrong ? "aria-invalid=\"true\" " as HTML : nil)\
      placeholder="No rule: everyone gets the default variant.">
      \(exact: form.draft.rule)</textarea>
      <ul class="problems" id="rule-problems">\(problems.prefix(20).map(item))</ul>
      <div class="buttons"><button class="plain" name="do" value="lay-out" id="lay-out">Lay out</button></div>
      """
  }

  private func item(_ problem: RuleProblem) -> HTML {
    """
    <li class="\(problem.severity == .error ? "problem" : "warning")" data-line="\(problem.line)" \
    data-column="\(problem.column)"><a href="#rule">Line \(problem.line), column \(problem.column)</a>: \
    \(problem.message)</li>
    """
  }
}
