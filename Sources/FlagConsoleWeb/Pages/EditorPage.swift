import FlagConsole
import FlagDefinitions
import FlagDomain
import FlagHTTP
import FlagReview

struct EditorPage {
  let site: Site
  let draft: DefinitionDraft
  let review: DefinitionReview
  var problem: String?
  /// The currently saved definition, if someone else saved first.
  var theirs: DefinitionDraft?

  private var path: String { site.path(ofFlag: draft.key) }
  private var title: String { console.row(draft.key)?.title ?? draft.key }

  private var console: ConsoleModel { site.console }

  var response: HTTPResponse {
    let status: HTTPStatus = theirs != nil ? .conflict : problem != nil ? .unprocessableContent : .ok
    return Page(
      title: "Edit \(title) · Flags", kind: "editor", version: (theirs ?? draft).version.rawValue,
      content: """
        <nav class="crumbs" aria-label="Breadcrumb"><a href="\(path)">\(Icon.back)\(title)</a></nav>
        <h1>Edit the definition</h1><p class="key"><code>\(draft.key)</code></p>
        <p class="banner" id="stale" role="status" hidden>Someone else changed the document. Saving compares your changes \
        with theirs. <a href="\(path)/edit">Start over</a></p>
        \(problem.map { "<p class=\"problem\" role=\"alert\" id=\"problem\">\($0)</p>" as HTML })
        \(conflict)
        <form method="post" action="\(path)/definition" id="editor" data-review="\(path)/review">
        <input type="hidden" name="version" value="\((theirs ?? draft).version.rawValue)">
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
    <label><input type="radio" name="state" value="ENABLED"\(draft.isEnabled ? " checked" as HTML : nil)><span>On</span></label>
    <label><input type="radio" name="state" value="DISABLED"\(draft.isEnabled ? nil : " checked" as HTML)><span>Off</span></label>
    </fieldset>
    <p class="muted">Off: everyone gets the default in the code.</p>
    <label class="select wide">Default variant<select name="default"><option value="">None: the code's default</option>
    \(draft.variants.map { "<option\($0 == draft.defaultVariant ? " selected" as HTML : nil)>\($0)</option>" as HTML })
    </select></label></section>
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
    <fieldset class="split" data-sum="\(split.sum)"><legend class="sr">Shares of split \(number + 1)</legend>
    \(split.entries.enumerated().map { index, entry in
      let share = RuleExplanation.percent(entry.weight, of: split.sum)
      return """
        <label class="share"><span class="ellipsis">\(entry.variant)</span><input type="range" name="weight-\(number)-\(index)" \
        min="0" max="\(split.sum)" value="\(entry.weight)" aria-valuetext="\(share)"><output>\(share)</output></label>
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
    placeholder="No rule: everyone gets the default variant.">\(draft.rule)</textarea></section>
    """
  }

  private static func words(_ draft: DefinitionDraft) -> String {
    RuleExplanation.words(ofRule: draft.rule) ?? "A rule is a JsonLogic object that returns the name of a variant."
  }

  private var conflict: HTML? {
    guard let theirs else { return nil }
    func side(_ title: String, _ draft: DefinitionDraft) -> HTML {
      """
      <div class="card"><h2>\(title)</h2><p>\(draft.isEnabled ? "On" : "Off"), default \(draft.defaultVariant ?? "none")</p>
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
    \(review.ruleError.map { "<p class=\"problem\">The rule is not valid JSON. \($0.message)</p>" as HTML })
    \(review.diagnostics.prefix(20).map(diagnostic))
    \(review.estimate.map(estimate))
    </section>
    """
  }

  private func diagnostic(_ diagnostic: DocumentDiagnostic) -> HTML {
    """
    <p class="\(diagnostic.severity == .error ? "problem" : "warning")"><code>\(diagnostic.path)</code> \
    \(diagnostic.message) <span class="muted">line \(diagnostic.line)</span></p>
    """
  }

  private func estimate(_ estimate: AudienceEstimate) -> HTML {
    let asked = estimate.users.map { "\($0) users with attributes from the rules" }
    guard estimate.share > 0 else {
      return "<p class=\"good\">\(Icon.yes) Nobody\(asked.map { " of \($0)" } ?? "") gets a different variant.</p>"
    }
    let error = max(estimate.interval.upperBound - estimate.share, estimate.share - estimate.interval.lowerBound)
    let precision =
      asked.map { ", give or take \(RuleExplanation.percent(error)). Simulated: \($0)." }
      ?? ", exactly."
    return """
      <p class="big">\(RuleExplanation.percent(estimate.share))</p>
      <p class="muted">of users get a different variant\(precision)</p>
      <meter min="0" max="1" value="\("\(estimate.share)")" aria-label="Share of users that change"></meter>
      <ul class="moves">\(estimate.moves.map { move in
        """
        <li><span class="ellipsis">\(move.words.old)</span><span aria-hidden="true">→</span><span class="sr"> to </span>\
        <span class="ellipsis">\(move.words.new)</span><span class="muted">\(RuleExplanation.percent(move.share))</span></li>
        """
      })</ul>
      """
  }
}
