import FlagConsole
import FlagDomain
import FlagEditing

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
    return """
      <label><input type="radio" name="rule-tab" value="\(name)"\(isChosen ? " checked" as HTML : nil)>\
      <span>\(title)</span></label>
      """
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
