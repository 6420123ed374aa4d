import FlagConsole
import FlagDefinitions
import FlagDomain
import FlagHTTP
import FlagReview

struct EditorPage {
  let site: Site
  let form: EditorForm
  /// The review of the definition; nil if the form cannot be read as one.
  let review: DefinitionReview?
  var problem: String?
  /// The currently saved definition, if someone else saved first.
  var theirs: DefinitionDraft?

  private var draft: DefinitionDraft { form.draft }
  private var path: String { site.path(ofFlag: draft.key) }
  private var title: String { console.row(draft.key)?.title ?? draft.key }

  private var console: ConsoleModel { site.console }

  var response: HTTPResponse {
    let status: HTTPStatus = theirs != nil ? .conflict : problem != nil ? .unprocessableContent : .ok
    return Page(
      title: "Edit \(title.shortened()) · Flags", kind: "editor", version: (theirs ?? draft).version.rawValue,
      content: """
        <nav class="crumbs" aria-label="Breadcrumb"><a href="\(path)">\(Icon.back)\(title)</a></nav>
        <h1>Edit the definition</h1><p class="key"><code>\(draft.key)</code></p>
        <p class="banner" id="stale" role="status" hidden>Someone else changed the document. Saving compares your changes \
        with theirs. <a href="\(path)/edit">Start over</a></p>
        \(problem.map { "<p class=\"problem\" role=\"alert\" id=\"problem\">\($0)</p>" as HTML })
        \(conflict)
        <form method="post" action="\(path)/definition" id="editor" data-review="\(path)/review">
        <input type="hidden" name="version" value="\(exact: (theirs ?? draft).version.rawValue)">
        <div class="columns">
        <div class="column">\(settings)\(shares)\(rule)</div>
        <div class="column sticky">\(reviewed)<div class="buttons">
        <button class="primary" id="save">\(theirs == nil ? "Save" : "Overwrite with mine")</button>
        <a class="plain" href="\(path)">Cancel</a></div></div>
        </div>
        </form>
        """
    ).response(site, status)
  }
}

extension EditorPage {
  private var settings: HTML {
    """
    <section class="card"><h2>State</h2>
    <fieldset class="segments"><legend class="sr">State</legend>
    <label><input type="radio" name="state" value="ENABLED"\
    \(draft.isEnabled == true ? " checked" as HTML : nil)><span>On</span></label>
    <label><input type="radio" name="state" value="DISABLED"\
    \(draft.isEnabled == false ? " checked" as HTML : nil)><span>Off</span></label>
    \(asWritten)
    </fieldset>
    <p class="muted">Off: everyone gets the default in the code.</p>
    <label class="select wide">Default variant<select name="default"><option value="">None: the code's default</option>
    \(draft.variants.map { name in
      """
      <option value="\(exact: name)"\(name == draft.defaultVariant ? " selected" as HTML : nil)>\
      \(name.shortened())</option>
      """
    })
    </select></label></section>
    """
  }

  /// The choice to leave a malformed state as it is.
  private var asWritten: HTML? {
    let written = draft.writtenState
    guard written != "ENABLED", written != "DISABLED" else { return nil }
    return """
      <label><input type="radio" name="state" value=""\(draft.isEnabled == nil ? " checked" as HTML : nil)>\
      <span>As written: \(written.map { $0.description.shortened() } ?? "none")</span></label>
      """
  }

  private var shares: HTML {
    let splits = draft.splits.filter { $0.sum > 0 }
    return """
      <section class="card" id="shares"\(splits.isEmpty ? " hidden" as HTML : nil)><h2>Shares</h2>
      \(draft.splits.enumerated().filter { $1.sum > 0 }.map(split))</section>
      """
  }

  private func split(_ number: Int, _ split: WeightedSplit) -> HTML {
    """
    <fieldset class="split"><legend class="sr">Shares of split \(number + 1)</legend>
    \(split.entries.enumerated().map { index, entry in
      let (typed, slid) = (EditorForm.typed(number, index), EditorForm.slid(number, index))
      let percent = RuleExplanation.percentNumber(entry.weight, of: split.sum)
      let position = "\(EditorForm.position(of: entry.weight, in: split.sum))"
      return """
        <div class="share"><label class="ellipsis" for="\(typed)">\(entry.variant.shortened())</label>\
        <input type="range" name="\(slid)" min="0" max="1000" value="\(form.text(in: slid, position))" \
        aria-label="Share of \(entry.variant.shortened())" aria-valuetext="\(percent) %">\
        <span class="percent"><input name="\(typed)" id="\(typed)" value="\(exact: form.text(in: typed, percent))" \
        inputmode="decimal" autocomplete="off"> %</span>\
        <input type="hidden" name="\(EditorForm.weight(number, index))" value="\(entry.weight)"></div>
        """
    })
    </fieldset>
    """
  }

  private var rule: HTML {
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

// MARK: - Review

extension EditorPage {
  private var reviewed: HTML {
    """
    <section class="card" id="review" aria-live="polite" aria-labelledby="review-title">
    <h2 id="review-title">Effect of saving</h2>
    \(form.problem.map { "<p class=\"problem\">\($0.message)</p>" as HTML })
    \(review?.ruleError.map { "<p class=\"problem\">The rule is not valid JSON. \($0.message)</p>" as HTML })
    \((review?.diagnostics ?? []).prefix(20).map(diagnostic))
    \(review.map { EffectView(tried: $0.tried, effect: $0.effect).html })
    </section>
    """
  }

  private func diagnostic(_ diagnostic: DocumentDiagnostic) -> HTML {
    """
    <p class="\(diagnostic.severity == .error ? "problem" : "warning")"><code>\(diagnostic.path)</code> \
    \(diagnostic.message) <span class="muted">line \(diagnostic.line)</span></p>
    """
  }
}
