import FlagConsole
import FlagDomain
import FlagHTTP

/// The page that brings a flag from another environment to this one, once its review was seen.
struct PromotePage {
  let site: Site
  let key: String
  /// The name of the environment that the flag comes from.
  let source: String
  let promotion: FlagPromotion
  let takesRules: Bool
  let card: ReviewCard

  private var path: String { site.path(ofFlag: key) }
  private var name: String { site.environmentName ?? "" }

  var response: HTTPResponse {
    Page(
      title: "Promote \(key.shortened()) · Flags", kind: "promote",
      content: """
        <nav class="crumbs" aria-label="Breadcrumb">\
        <a href="\(site.environments?.comparison ?? site.home)">\(Icon.back)Environments</a></nav>
        <h1>Promote from \(source) to \(name)</h1><p class="key"><code>\(key)</code></p>
        \(card.notice)
        <form method="post" action="\(path)/promote?from=\(PercentEncoding.encode(source))" id="promote">
        <div class="columns"><div class="column">\(summary)\(rules)</div>
        <div class="column sticky">\(card.html)</div></div>
        </form>
        """
    ).response(site, card.status)
  }

  private var summary: HTML {
    let text =
      promotion.isNew
      ? "\(name) does not have this flag yet. It is added as it is in \(source)."
      : "The definition in \(name) is replaced by the one in \(source): state, variants, default variant, rule and metadata."
    return "<section class=\"card\"><h2>Definition</h2><p>\(text)</p></section>"
  }

  /// The shared rules that the flag needs, and the choice to promote them, too.
  private var rules: HTML? {
    let (missing, differing) = (promotion.missingRules, promotion.differingRules)
    guard !missing.isEmpty || !differing.isEmpty else { return nil }
    return """
      <section class="card" aria-labelledby="rules-title"><h2 id="rules-title">Shared rules</h2>
      \(missing.isEmpty ? nil : "<p class=\"warning\">Missing in \(name): \(words(missing)).</p>" as HTML)
      \(differing.isEmpty ? nil : "<p class=\"warning\">Other in \(name): \(words(differing)).</p>" as HTML)
      <label class="check"><input type="checkbox" name="rules" value="1"\(takesRules ? " checked" as HTML : nil)> \
      Promote these, too</label>
      <p class="muted">Other flags of \(name) that use them change as well: the review shows which ones.</p>
      </section>
      """
  }

  private func words(_ names: [String]) -> String { names.map { $0.shortened(to: 60) }.joined(separator: ", ") }
}
