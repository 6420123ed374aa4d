import FlagConsole

/// The editor of a rule.
struct RuleCard {
  let form: EditorForm
  let panel: RuleTextPanel

  private var draft: DefinitionDraft { form.draft }

  var html: HTML {
    """
    <section class="card"><h2><label for="rule">Rule</label></h2>
    <p class="muted" id="words">\(Self.words(draft))</p>
    \(panel.html)</section>
    """
  }

  private static func words(_ draft: DefinitionDraft) -> String {
    RuleExplanation.words(ofRule: draft.rule)?.shortened(to: 2000)
      ?? "A rule is a JsonLogic object that returns the name of a variant."
  }
}
