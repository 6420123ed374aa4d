import FlagConsole
import FlagConsoleEditor
import FlagDefinitions
import FlagDomain
import FlagEditing
import FlagHTTP

struct EditorPage {
  let site: Site
  let form: EditorForm
  let card: ReviewCard
  /// The flag's text that the form was made from.
  let base: String
  /// The version of the current document.
  let version: DefinitionVersion
  /// Whether the form was sent: then it may have edits that are not saved.
  var isEdited = false
  /// The edits of others since then; nil if there are none.
  var others: EditedDefinition.Others?
  /// The ids of the conflicts of which the side of the others is chosen.
  var taken: Set<String> = []

  private var draft: DefinitionDraft { form.draft }
  private var path: String { site.path(ofFlag: draft.key) }
  private var title: String { site.console.row(draft.key)?.title ?? draft.key }

  private var editor: DefinitionEditor { card.editor }

  var response: HTTPResponse {
    let problems = problems
    return Page(
      title: "Edit \(title.shortened()) · Flags", kind: "editor", version: version.rawValue,
      content: """
        \(HTML.crumbs(path, title))
        <h1>Edit the definition</h1><p class="key"><code>\(draft.key)</code></p>
        <p class="banner" id="stale" role="status" hidden>Someone else changed the document. If it was this flag, saving \
        shows both changes first. <a href="\(path)/edit">Start over</a></p>
        \(card.notice)
        <form method="post" action="\(path)/definition" id="editor" data-review="\(path)/review" novalidate\
        \(isEdited ? " data-edited" as HTML : nil)>
        <button class="sr" tabindex="-1" aria-hidden="true">Save</button>
        <input type="hidden" name="base" value="\(exact: PercentEncoding.encode(base))">
        <input type="hidden" name="version" value="\(exact: version.rawValue)">
        \(others.map { MergeView(others: $0, taken: taken).html })
        <div class="columns">
        <div class="column">\(cards(problems))</div>
        <div class="column sticky">\(located(problems).html)</div>
        </div>\(card.dock)
        </form>
        """
    ).response(site, others?.conflicts.isEmpty == false ? .conflict : card.status)
  }

  /// Returns the cards of the form.
  private func cards(_ problems: [RuleProblem]) -> HTML {
    let (plan, suggestions) = (PlanFields(form: form, editor, site.console.users), self.suggestions)
    let panel = RuleTextPanel(form: form, problems: problems)
    let rule = RuleCard(form: form, path: "\(path)/review", panel: panel.html, suggestions: suggestions)
    let shares = SharesCard(
      form: form, plan: plan, attributes: suggestions?.attributes.map(\.name) ?? [],
      elsewhere: Set(rule.splits.values.map(\.number)))
    return """
      \(StateCard(form: form).html)\(VariantsCard(form: form, path: path).html)\(rule.html)\(shares.html)\
      \(AboutCard { form.draft.about[$0] ?? "" }.html)
      """
  }

  private var suggestions: RuleSuggestions? {
    editor.store.current.map { editor.suggestions(for: $0, and: site.console.options.testUsers) }
  }

  /// Returns the review, with lines of the rule for the problems in it.
  private func located(_ problems: [RuleProblem]) -> ReviewCard {
    var card = card
    for problem in problems { if let diagnostic = problem.diagnostic { card.ruleLines[diagnostic] = problem.line } }
    return card
  }

  private var problems: [RuleProblem] {
    do throws(FlagError) {
      let error = card.review == nil ? form.problem : card.review?.problem
      return try editor.ruleProblems(of: draft, error, card.review?.diagnostics ?? [])
    } catch {
      return []
    }
  }
}

/// The editor of a flag's state and default variant.
struct StateCard {
  let form: EditorForm

  private var draft: DefinitionDraft { form.draft }

  var html: HTML {
    """
    <section class="card" id="state" data-fields><h2>State</h2>
    <fieldset class="segments"><legend class="sr">State</legend>
    \(HTML.segment("state", "ENABLED", "On", isChosen: draft.isEnabled == true))
    \(HTML.segment("state", "DISABLED", "Off", isChosen: draft.isEnabled == false))
    \(asWritten)
    </fieldset>
    <p class="muted">Off: everyone gets the default in the code.</p>
    <label class="select wide">Default variant<select name="default"><option value="">None: the code's default</option>
    \(HTML.options(names, chosen: draft.defaultVariant))
    </select></label></section>
    """
  }

  /// The variants, and the default if it is none of them.
  private var names: [String] {
    draft.variants + [draft.defaultVariant].compactMap { $0 }.filter { name in !draft.variants.contains(name) }
  }

  /// The choice to leave a malformed state as it is.
  private var asWritten: HTML? {
    let written = draft.writtenState
    guard written != "ENABLED", written != "DISABLED" else { return nil }
    let title = "As written: \(written.map { $0.description.shortened() } ?? "none")"
    return HTML.segment("state", "", title, isChosen: draft.isEnabled == nil)
  }
}
