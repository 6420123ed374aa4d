import FlagConsole
import FlagDomain
import FlagHTTP
import FlagServer

/// The list of flags, with search and filters.
struct ListPage {
  private let console: FlagBrowser
  private let query: FlagQuery
  private let list: FlagList

  /// How many rows a page begins with.
  static let limit = 100

  init(_ console: FlagBrowser, _ target: RequestTarget) {
    self.console = console
    query = FlagQuery(target)
    list = console.list(query)
  }

  var response: HTTPResponse {
    Page(
      title: "Flags", kind: "list",
      content: """
        <h1 class="sr">Flags</h1>
        \(search)
        <div id="live" data-live>
        \(toolbar)
        \(sections)
        \(more)
        </div>
        """
    ).response(console)
  }
}

extension FlagQuery {
  /// Reads the query of a list's address.
  init(_ target: RequestTarget) {
    func value(_ name: String) -> String? { target.value(of: name).flatMap { $0.isEmpty ? nil : $0 } }
    self.init(
      value("q") ?? "", filters: Set([value("state").flatMap(Filter.init)].compactMap { $0 }),
      provider: value("provider"), group: value("group"), includesInternal: value("internal") != nil,
      limit: value("limit").flatMap { Int($0) }.map { max(1, $0) } ?? ListPage.limit)
  }
}

// MARK: - Search and filters

extension ListPage {
  private static let states = [nil] + FlagQuery.Filter.allCases

  private var search: HTML {
    """
    <form class="filters" id="filters" role="search" action="/" method="get">
    <div class="search">\(Icon.search)
    <input type="search" name="q" id="q" value="\(query.text)" aria-label="Search flags" autocomplete="off" spellcheck="false" \
    placeholder="Search names, keys and descriptions"><kbd aria-hidden="true">/</kbd></div>
    <div class="narrow">
    \(select("group", "Group", console.groups.map { ($0.name, $0.title) }, query.group))
    \(select("provider", "Source", console.providers.map { ($0, $0) }, query.provider))
    <label class="check"><input type="checkbox" name="internal" value="1"\(query.includesInternal ? checked : nil)> Internal</label>
    </div>
    <fieldset class="segments"><legend class="sr">State</legend>
    \(Self.states.map { filter in
      """
      <label><input type="radio" name="state" value="\(filter?.rawValue ?? "")"\
      \(query.filters.first == filter ? checked : nil)><span>\(filter?.title ?? "All")</span></label>
      """
    })
    </fieldset>
    <noscript><button class="plain">Search</button></noscript>
    </form>
    """
  }

  private var checked: HTML { " checked" }

  private func select(_ name: String, _ title: String, _ values: [(String, String)], _ current: String?) -> HTML? {
    guard values.count > 1 else { return nil }
    return """
      <label class="select"><span class="sr">\(title)</span><select name="\(name)"><option value="">\(title): any</option>
      \(values.map { value, text in
        "<option value=\"\(value)\"\(value == current ? " selected" as HTML : nil)>\(text)</option>"
      })</select></label>
      """
  }
}

// MARK: - Rows

extension ListPage {
  private var toolbar: HTML {
    let count = list.matched == list.total ? "\(list.total) flags" : "\(list.matched) of \(list.total) flags"
    return """
      <div class="toolbar">
      <p class="count" role="status">\(count)\(list.overrides > 0 ? ", \(list.overrides) overridden" : "")\
      \(list.waiting > 0 ? ", \(list.waiting) waiting for a restart" : "")</p>
      <div class="buttons">
      \(console.options.isReadOnly ? nil : changes)
      \(console.hasHistory ? "<a class=\"plain\" href=\"/history\">History</a>" as HTML : nil)<a class="plain" href="/share">Share</a>
      </div></div>
      <p class="problem" role="alert" hidden></p>
      """
  }

  private var changes: HTML {
    """
    \(console.undoTitle.map { title in
      """
      <form method="post" action="/undo" data-in-place><button class="plain" id="undo" title="Undo \(title)">\
      \(Icon.undo)Undo</button></form>
      """
    })
    <form method="post" action="/clear" data-in-place data-confirm="Clear all \(list.overrides) overrides?">
    <button class="plain" id="clear-all"\(list.overrides == 0 ? " disabled" as HTML : nil)>Clear overrides</button></form>
    """
  }

  private var sections: HTML {
    if list.rows.isEmpty { return empty }
    return HTML(
      list.sections.map { section in
        """
        <section class="group"><h2>\(section.title)</h2><ul class="rows">
        \(section.rows.map { RowView($0).html })</ul></section>
        """
      })
  }

  private var empty: HTML {
    list.total == 0
      ? """
      <div class="empty">\(Icon.brand)<h2>No flags yet</h2>
      <p>Flags appear here as soon as a catalog or a document has some.</p></div>
      """
      : """
      <div class="empty">\(Icon.search)<h2>Nothing matches</h2>
      <p>No flag is called so, or is in this state. <a href="/">Show all flags</a></p></div>
      """
  }

  private var more: HTML? {
    guard list.matched > list.rows.count else { return nil }
    return """
      <p class="more"><button class="plain" type="button" id="more" data-limit="\(list.rows.count + Self.limit * 5)">\
      Show more, \(list.matched - list.rows.count) are left</button></p>
      """
  }
}

/// A flag in the list.
struct RowView {
  private let row: FlagRow
  private let path: String

  init(_ row: FlagRow) {
    self.row = row
    path = "/flags/\(PercentEncoding.encode(row.key.name))"
  }

  var html: HTML {
    """
    <li class="row" data-item>
    <div class="what"><p class="name"><a href="\(path)" id="\(path)">\(row.title)</a>\(tags)</p>
    <p class="key"><code>\(row.key.name)</code></p>
    \(row.summary.isEmpty ? nil : "<p class=\"summary\">\(row.summary)</p>" as HTML)
    <p class="problem" role="alert" hidden></p></div>
    <p class="source"><span class="ellipsis">\(row.source)</span><span class="reason">\(row.reasonText)</span></p>
    <div class="control">\(reset)\(control)</div>
    </li>
    """
  }

  private var tags: HTML { HTML(row.tags) }

  /// Clears the override; its place is kept where there is none, so that nothing moves.
  private var reset: HTML? {
    guard row.isOverridden, row.isEditable else { return nil }
    return """
      <form method="post" action="\(path)/clear" data-in-place>
      <button class="icon-button" id="\(path)/clear" title="Clear the override" aria-label="Clear the override of \(row.title)">\
      \(Icon.reset)</button></form>
      """
  }

  private var control: HTML {
    guard row.editor == .toggle, let isOn = row.isOn else {
      return "<a class=\"value ellipsis\" href=\"\(path)\" tabindex=\"-1\">\(row.value.shortText)</a>"
    }
    let button: HTML = """
      <button class="switch" role="switch" aria-checked="\(isOn ? "true" : "false")" aria-label="\(row.title)" \
      id="\(path)/switch"\(row.isEditable ? nil : " disabled" as HTML)><span class="knob"></span></button>
      """
    guard row.isEditable else { return button }
    return """
      <form method="post" action="\(path)/override" data-in-place\(row.restartQuestion)><input type="hidden" name="value" \
      value="\(isOn ? "false" : "true")">\(button)</form>
      """
  }
}

extension FlagRow {
  /// What a person is asked before an override is stored that counts from the next start only.
  var restartQuestion: HTML? {
    guard metadata.requiresRestart || metadata.overridesRequireRestart else { return nil }
    return " data-confirm=\"It counts from the next start of the program. Go on?\""
  }

  /// What is said of a flag beside its name.
  var tags: [HTML] {
    [
      isOverridden ? "<span class=\"tag override\">Overridden</span>" : nil,
      isWaitingForRestart ? "<span class=\"tag wait\">After restart</span>" : nil,
      isExpired ? "<span class=\"tag expired\">Expired</span>" : nil,
      resolution.errors.isEmpty ? nil : "<span class=\"tag error\">Error</span>",
      metadata.isLocked ? "<span class=\"tag\">\(Icon.lock)Locked</span>" : nil,
    ].compactMap { $0 }
  }

  /// Why the flag has its value, in a word or two.
  var reasonText: String {
    switch resolution.reason {
    case .static: "same for everyone"
    case .default: resolution.provider == nil ? "nothing else says" : "no rule applies"
    case .targetingMatch: "a rule applies"
    case .split: "by share"
    case .cached: "kept from before"
    case .stale: "may be out of date"
    case .disabled: "switched off"
    case .override: "set by a person"
    case .computed: "by the code"
    case .error: "an error"
    default: resolution.reason.rawValue.lowercased()
    }
  }
}
