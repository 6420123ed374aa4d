import FlagConsole
import FlagDefinitions
import FlagEditing

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
