import FlagConsole
import FlagDefinitions
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
    Page(
      title: "Edit \(title.shortened()) · Flags", kind: "editor", version: (theirs ?? draft).version.rawValue,
      content: """
        <nav class="crumbs" aria-label="Breadcrumb"><a href="\(path)">\(Icon.back)\(title)</a></nav>
        <h1>Edit the definition</h1><p class="key"><code>\(draft.key)</code></p>
        <p class="banner" id="stale" role="status" hidden>Someone else changed the document. Saving compares your changes \
        with theirs. <a href="\(path)/edit">Start over</a></p>
        \(card.notice)
        \(conflict)
        <form method="post" action="\(path)/definition" id="editor" data-review="\(path)/review">
        <button class="sr" id="enter" tabindex="-1" aria-hidden="true">Save</button>
        <input type="hidden" name="version" value="\(exact: (theirs ?? draft).version.rawValue)">
        <div class="columns">
        <div class="column">\(StateCard(form: form).html)\(VariantsCard(form: form, path: path).html)\
        \(SharesCard(form: form).html)\(RuleCard(form: form).html)\
        \(AboutCard(form: form).html)</div>
        <div class="column sticky">\(card.html)</div>
        </div>
        </form>
        """
    ).response(site, theirs == nil ? card.status : .conflict)
  }
}

extension EditorPage {
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
