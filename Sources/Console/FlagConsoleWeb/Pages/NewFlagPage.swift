import FlagConsole
import FlagDefinitions
import FlagHTTP

/// The page that makes a flag.
struct NewFlagPage {
  let site: Site
  let form: NewFlagForm
  let card: ReviewCard

  private var action: String { site.path("/new") }

  var response: HTTPResponse {
    ChangePage(
      site: site, kind: "new", title: "New flag", heading: "New flag", back: (site.home, "All flags"), action: action,
      fields: """
        <button class="sr" tabindex="-1" aria-hidden="true">\(card.action)</button>\(names)\(variants)\(about)
        """, card: card
    ).response
  }

  private var names: HTML {
    """
    <section class="card"><h2>Flag</h2>
    <label>Key, as code reads it<input name="key" id="key" value="\(exact: form.key)" maxlength="1024" required \
    autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="search.new-results" \
    aria-describedby="key-note"></label>
    <p class="muted" id="key-note">No spaces. A dot makes a group: search.new-results is in the group search.</p>
    <fieldset class="segments"><legend class="sr">State</legend>
    <label><input type="radio" name="state" value="ENABLED"\(form.isEnabled ? " checked" as HTML : nil)><span>On</span></label>
    <label><input type="radio" name="state" value="DISABLED"\(form.isEnabled ? nil : " checked" as HTML)><span>Off</span></label>
    </fieldset></section>
    """
  }

  private var variants: HTML {
    """
    <section class="card" id="variants" aria-labelledby="variants-title"><h2 id="variants-title">Variants</h2>
    <input type="hidden" name="type" value="\(form.kind.rawValue)">
    <div class="types" role="group" aria-label="Type of the variants">\(VariantKind.allCases.map { kind in
      """
      <button class="plain" formnovalidate formaction="\(action)#variants" name="do" value="type:\(kind.rawValue)" \
      aria-pressed="\(kind == form.kind ? "true" : "false")">\(kind.title)</button>
      """
    })</div>
    \(VariantFields(rows: form.rows, kind: form.kind, action: action).html)
    <label class="select wide">Default variant, for everyone until a rule chooses<select name="default">
    <option value="">None: the code's default</option>
    \(form.rows.map { row in
      """
      <option value="\(exact: row.name)"\(row.name == form.defaultVariant ? " selected" as HTML : nil)>\
      \(row.name.shortened())</option>
      """
    })</select></label></section>
    """
  }

  private var about: HTML {
    """
    <section class="card" id="about" aria-labelledby="about-title"><h2 id="about-title">About</h2>
    \(AboutFields { form.about[$0] ?? "" }.html)</section>
    """
  }
}

extension VariantKind {
  /// The type's name for people.
  fileprivate var title: String {
    switch self {
    case .boolean: "On or off"
    case .number: "Number"
    case .string: "Text"
    case .object: "JSON"
    }
  }
}
