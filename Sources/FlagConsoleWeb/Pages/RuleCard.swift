import FlagConsole
import FlagDomain

/// The editor of a rule: as branches of conditions and outcomes, and as JSON.
struct RuleCard {
  let form: EditorForm
  var suggestions = RuleSuggestions()

  private var draft: DefinitionDraft { form.draft }

  var html: HTML {
    """
    <section class="card rule" id="rule-card" aria-labelledby="rule-title">
    <div class="rule-head"><h2 id="rule-title">Rule</h2>
    <fieldset class="segments" id="rule-tabs" hidden><legend class="sr">Edit the rule as</legend>
    <label><input type="radio" name="rule-tab" value="form" checked><span>Form</span></label>
    <label><input type="radio" name="rule-tab" value="json"><span>JSON</span></label></fieldset></div>
    <p class="muted" id="words">\(Self.words(draft))</p>
    <input type="hidden" name="rule-was" id="rule-was" value="\(exact: form.fieldsRule ?? draft.rule)">
    <div id="rule-form" data-fields>\(fields)</div>
    <div id="rule-lists">\(suggestions.html)</div>
    <div id="rule-json" class="stack"><label for="rule">Rule as JSON</label>
    <textarea name="rule" id="rule" rows="14" spellcheck="false" aria-describedby="review" \
    placeholder="No rule: everyone gets the default variant.">
    \(exact: draft.rule)</textarea></div></section>
    """
  }

  private static func words(_ draft: DefinitionDraft) -> String {
    RuleExplanation.words(ofRule: draft.rule)?.shortened(to: 2000) ?? "Everyone gets the default variant."
  }
}

extension RuleCard {
  private var fields: HTML {
    do throws(FlagError) {
      let rule = try EditableRule(form.fieldsRule ?? draft.rule)
      guard rule.size <= Self.maximum else {
        return """
          <p class="muted">This rule has \(rule.size) conditions, more than the form shows. Edit it as JSON.</p>
          """
      }
      return """
        \(form.fieldsRule.map { _ in choices })
        \(branches(rule.branches))
        \(otherwise(rule.otherwise, isAlone: rule.branches.isEmpty))
        <div class="buttons">
        \(button(.addBranch, "Add branch", id: "add-branch"))
        \(button(.addUsers, "Add users by id", id: "add-users"))</div>
        """
    } catch {
      return "<p class=\"muted\">The rule cannot be read, and has no form. Correct it as JSON: \(error.message)</p>"
    }
  }

  /// The number of conditions up to which a rule has a form.
  private static let maximum = 300

  /// The choice between the text and the fields if both were edited.
  private var choices: HTML {
    """
    <div class="buttons">
    <button class="plain" name="do" value="\(RuleField.Choice.text.rawValue)" formaction="\(path)">Keep the text</button>
    <button class="plain" name="do" value="\(RuleField.Choice.fields.rawValue)" formaction="\(path)">\
    Keep the fields</button></div>
    """
  }
}

// MARK: - Branches

extension RuleCard {
  func branches(_ branches: [EditableRule.Branch]) -> HTML? {
    guard !branches.isEmpty else { return nil }
    return """
      <ol class="branches">
      \(branches.enumerated().map { index, branch in self.branch(branch, index, of: branches.count) })</ol>
      """
  }

  private func branch(_ branch: EditableRule.Branch, _ index: Int, of count: Int) -> HTML {
    let name = "branch \(index + 1)"
    return """
      <li class="branch" data-branch="\(branch.id)">
      <div class="clause if"><h3 class="word"><span class="grip" hidden>\(Icon.grip)</span>\(index == 0 ? "If" : "Else if")</h3>
      <div class="conditions">\(condition(branch.condition, isRoot: true))</div>
      <div class="tools">
      \(tool(.moveBranch(branch.id, by: -1), Icon.up, "Move \(name) up", id: "up-\(branch.id)", isOff: index == 0))
      \(tool(.moveBranch(branch.id, by: 1), Icon.down, "Move \(name) down", id: "down-\(branch.id)", \
      isOff: index == count - 1))
      \(tool(.removeBranch(branch.id), Icon.no, "Remove \(name)", id: "remove-branch-\(branch.id)"))</div></div>
      <div class="clause then"><span class="word">then</span>\(outcome(branch.outcome, "Result of \(name)"))</div></li>
      """
  }

  func otherwise(_ outcome: EditableRule.Outcome, isAlone: Bool) -> HTML {
    """
    <div class="clause otherwise"><span class="word">\(isAlone ? "Everyone gets" : "Otherwise")</span>\
    \(self.outcome(outcome, isAlone ? "Result for everyone" : "Result if no branch holds"))</div>
    """
  }
}

// MARK: - Buttons

extension RuleCard {
  /// The address of the page with the edited draft.
  private var path: String { form.reviewPath }

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
