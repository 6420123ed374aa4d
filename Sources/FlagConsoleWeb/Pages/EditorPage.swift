import FlagConsole
import FlagDefinitions
import FlagDomain
import FlagHTTP

struct EditorPage {
  let site: Site
  let form: EditorForm
  let card: ReviewCard
  /// The currently saved definition, if someone else saved first.
  var theirs: DefinitionDraft?

  private var draft: DefinitionDraft { form.draft }
  private var path: String { site.path(ofFlag: draft.key) }
  private var title: String { console.row(draft.key)?.title ?? draft.key }

  private var console: ConsoleModel { site.console }

  var response: HTTPResponse {
    let problems = problems
    return Page(
      title: "Edit \(title.shortened()) · Flags", kind: "editor", version: (theirs ?? draft).version.rawValue,
      content: """
        <nav class="crumbs" aria-label="Breadcrumb"><a href="\(path)">\(Icon.back)\(title)</a></nav>
        <h1>Edit the definition</h1><p class="key"><code>\(draft.key)</code></p>
        <p class="banner" id="stale" role="status" hidden>Someone else changed the document. Saving compares your changes \
        with theirs. <a href="\(path)/edit">Start over</a></p>
        \(card.notice)
        \(conflict)
        <form method="post" action="\(path)/definition" id="editor" data-review="\(path)/review" novalidate>
        <button class="sr" tabindex="-1" aria-hidden="true">Save</button>
        <input type="hidden" name="version" value="\(exact: (theirs ?? draft).version.rawValue)">
        <div class="columns">
        <div class="column">\(cards(problems))</div>
        <div class="column sticky">\(located(problems).html)</div>
        </div>
        </form>
        """
    ).response(site, theirs == nil ? card.status : .conflict)
  }
}

extension EditorPage {
  /// Returns the cards of the form.
  private func cards(_ problems: [RuleProblem]) -> HTML {
    let vocabulary = vocabulary
    let plan = PlanFields(form: form, console: console)
    let panel = RuleTextPanel(form: form, problems: problems, vocabulary: vocabulary)
    let rule = RuleCard(form: form, path: "\(path)/review", panel: panel.html, suggestions: suggestions)
    let shares = SharesCard(
      form: form, plan: plan, attributes: vocabulary?.attributes ?? [],
      elsewhere: Set(rule.splits.values.map(\.number)))
    return """
      \(StateCard(form: form).html)\(VariantsCard(form: form, path: path).html)\(rule.html)\(shares.html)\
      \(AboutCard(form: form).html)
      """
  }

  private var suggestions: RuleSuggestions? {
    console.ports.definitions?.current.map(console.suggestions)
  }

  /// Returns the review, with lines of the rule for the problems in it.
  private func located(_ problems: [RuleProblem]) -> ReviewCard {
    var card = card
    for problem in problems { if let diagnostic = problem.diagnostic { card.ruleLines[diagnostic] = problem.line } }
    return card
  }

  private var vocabulary: RuleVocabulary? {
    do throws(FlagError) {
      return try console.vocabulary(of: draft)
    } catch {
      return nil  // the page says why the definitions cannot be read
    }
  }

  private var problems: [RuleProblem] {
    do throws(FlagError) {
      let error = card.review == nil ? form.problem : card.review?.problem
      return try console.ruleProblems(of: draft, error, card.review?.diagnostics ?? [])
    } catch {
      return []
    }
  }

  private var conflict: HTML? {
    guard let theirs else { return nil }
    func side(_ title: String, _ draft: DefinitionDraft) -> HTML {
      """
      <div class="card"><h2>\(title)</h2><p>\(draft.isEnabled.map { $0 ? "On" : "Off" } ?? "Malformed state"), \
      default \(draft.defaultVariant ?? "none")</p>
      <pre>\(draft.rule.isEmpty ? "No rule" : draft.rule)</pre></div>
      """
    }
    return """
      <section id="conflict" aria-label="Conflict"><p class="banner" role="alert">Someone else saved this flag while you \
      were editing. Your changes are not lost: compare, then save again or cancel.</p>
      <div class="columns even">\(side("Yours", draft))\(side("Theirs, saved", theirs))</div></section>
      """
  }
}
