import FlagConsole
import FlagDefinitions
import FlagEditing

/// The editor of a rule as JSON, with the problems at their lines.
///
/// The script adds line numbers, matched brackets and completion around the text field.
struct RuleTextPanel {
  let form: EditorForm
  var problems: [RuleProblem] = []
  /// The words that are offered while typing; nil for none.
  var vocabulary: RuleVocabulary?

  var html: HTML {
    let isWrong = problems.contains { $0.severity == .error }
    return """
      <div class="code" id="rule-code"><textarea name="rule" id="rule" rows="14" spellcheck="false" \
      autocapitalize="off" autocomplete="off" aria-describedby="rule-problems" \
      \(isWrong ? "aria-invalid=\"true\" " as HTML : nil)\
      \(vocabulary.map { "data-vocabulary=\"\(exact: $0.json)\" " as HTML })\
      placeholder="No rule: everyone gets the default variant.">
      \(exact: form.draft.rule)</textarea></div>
      <ul class="problems" id="rule-problems">\(problems.prefix(20).map(item))</ul>
      <div class="buttons"><button class="plain" name="do" value="lay-out" id="lay-out">Lay out</button>\
      <span class="muted" id="rule-keys" hidden>Ctrl and Space: suggestions. Tab leaves the box.</span></div>
      """
  }

  private func item(_ problem: RuleProblem) -> HTML {
    """
    <li class="\(problem.severity == .error ? "problem" : "warning")" data-line="\(problem.line)" \
    data-column="\(problem.column)"><a href="#rule">Line \(problem.line)</a>: \(problem.message)</li>
    """
  }
}
