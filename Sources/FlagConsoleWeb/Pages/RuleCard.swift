import FlagConsole

/// The editor of a rule.
struct RuleCard {
  let form: EditorForm

  private var draft: DefinitionDraft { form.draft }

  var html: HTML {
    """
    <section class="card"><h2><label for="rule">Rule</label></h2>
    <p class="muted" id="words">\(Self.words(draft))</p>
    <textarea name="rule" id="rule" rows="14" spellcheck="false" aria-describedby="review" \
    placeholder="No rule: everyone gets the default variant.">
    \(exact: draft.rule)</textarea></section>
    """
  }

  private static func words(_ draft: DefinitionDraft) -> String {
    RuleExplanation.words(ofRule: draft.rule)?.shortened(to: 2000)
      ?? "A rule is a JsonLogic object that returns the name of a variant."
  }
}
