import FlagConsole
import FlagConsoleEditor
import FlagDomain
import FlagHTTP

struct ListPage {
  private let site: Site
  private let query: FlagQuery
  private let list: FlagList
  private let address: String

  static let limit = 100

  init(_ site: Site, _ target: RequestTarget) {
    self.site = site
    query = FlagQuery(target)
    list = site.console.list(query)
    address = target.listQuery
  }

  private var console: ConsoleModel { site.console }

  var response: HTTPResponse {
    Page(
      title: list.group.map { "\($0.title) · Flags" } ?? "Flags", kind: "list",
      content: """
        <div id="head" data-live>\(head)</div>
        \(search)
        <div id="live" data-live>
        \(toolbar)
        \(sections)
        \(more)
        </div>
        """
    ).response(site)
  }
}

extension FlagQuery {
  init(_ target: RequestTarget) {
    func value(_ name: String) -> String? { target.value(of: name).flatMap { $0.isEmpty ? nil : $0 } }
    let states = target.query.filter { $0.name == "state" }.map(\.value)
    self.init(
      value("q") ?? "", filters: Set(states.compactMap(Filter.init)),
      providers: Set(target.query.filter { $0.name == "provider" && !$0.value.isEmpty }.map(\.value)),
      group: value("group").map { [String](formValue: $0) } ?? [], showsGroupRows: true,
      includesInternal: value("internal") != nil,
      limit: value("limit").flatMap { Int($0) }.map { max(1, $0) } ?? ListPage.limit,
      order: value("sort").flatMap(Order.init) ?? .document, tags: Set([value("tag")].compactMap { $0 }),
      owner: value("owner"))
    reach = states.lazy.compactMap(FlagReach.init).first
  }

  /// Reads the query of a list's address for exporting all flags of the list, including those of collapsed groups.
  init(exporting target: RequestTarget) {
    self.init(target)
    showsGroupRows = false
    limit = .max
  }
}

// MARK: - Search and filters

extension ListPage {
  private var search: HTML {
    """
    <form class="filters" id="filters" role="search" action="\(site.home)" method="get">
    <div class="search">\(Icon.search)
    <input type="search" name="q" id="q" value="\(exact: query.text)" aria-label="Search flags" autocomplete="off" spellcheck="false" \
    placeholder="Search names, keys and descriptions"><kbd aria-hidden="true">/</kbd></div>
    <fieldset class="segments"><legend class="sr">State for everyone</legend>
    \(([nil] + FlagReach.allCases as [FlagReach?]).map { reach in
      HTML.segment("state", reach?.rawValue ?? "", reach?.title ?? "All", isChosen: query.reach == reach)
    })
    </fieldset>
    <details class="more-filters" id="more-filters"\(isNarrowed ? " open" as HTML : nil)><summary>Filters</summary>
    <div class="narrow">
    \(conditions)
    \(groups)
    \(choice("tag", "Tag: any", console.flagTags, query.tags.first))
    \(choice("owner", "Owner: any", console.owners, query.owner))
    \(order)
    \(HTML.check("internal", "Internal", isChosen: query.includesInternal))
    </div>
    \(providers)</details>
    <noscript><button class="plain">Search</button></noscript>
    </form>
    """
  }

  /// Whether one of the filters that are not always shown is in use.
  private var isNarrowed: Bool {
    var plain = FlagQuery(query.text, showsGroupRows: true, limit: query.limit)
    plain.reach = query.reach
    return query != plain
  }

  /// The conditions besides the state; without known defaults, no value is known to differ from its default.
  private var conditions: HTML {
    func choices(_ filters: [FlagQuery.Filter], _ words: String = "") -> [HTML] {
      filters.filter { $0 != .changed || console.options.knowsDefaults }.map { filter in
        HTML.option(filter.rawValue, filter.title + words, isChosen: query.filters.contains(filter))
      }
    }
    let mine = choices([.enabled, .disabled], " for me") + choices([.overridden, .changed, .waiting, .failing])
    return select(
      "state", "Condition",
      [
        HTML.option("", "Condition: any"), "<optgroup label=\"For me\">\(mine)</optgroup>",
        "<optgroup label=\"For everyone\">\(choices([.expired, .stale]))</optgroup>",
      ])
  }

  /// Returns the choice of one of many names, if there are any.
  private func choice(_ name: String, _ any: String, _ names: [String], _ chosen: String?) -> HTML? {
    let names = (names.contains(chosen ?? "") ? names : names + [chosen].compactMap { $0 })
      .filter { $0.utf8.count <= 200 }
    guard !names.isEmpty else { return nil }
    let options = names.prefix(500).map { HTML.option($0, $0.shortened(to: 60), isChosen: $0 == chosen) }
    return select(name, any, [HTML.option("", any)] + options)
  }

  private func select(_ name: String, _ title: String, _ options: [HTML]) -> HTML {
    """
    <label class="select"><span class="sr">\(title)</span><select name="\(name)">\(options)</select></label>
    """
  }

  private var order: HTML {
    let options = FlagQuery.Order.allCases.map { order in
      HTML.option(order == .document ? "" : order.rawValue, order.title, isChosen: order == query.order)
    }
    return select("sort", "Order", options)
  }

  private var groups: HTML? {
    guard console.groups.count > 1 || list.group != nil else { return nil }
    let names = console.groups + [list.group?.name].compactMap { $0 }.filter { !console.groups.contains($0) }
    let options = names.map { HTML.option($0.path.formValue, $0.title.shortened(), isChosen: $0.path == query.group) }
    return select("group", "Group", [HTML.option("", "Group: any")] + options)
  }

  private var providers: HTML? {
    let names = console.providers
    guard names.count > 1 else { return nil }
    return """
      <fieldset class="segments"><legend class="sr">Sources: any of the selected ones, or all</legend>
      <p class="lead-in" aria-hidden="true">Source</p>
      \(names.map { HTML.segment("provider", $0, $0, isChosen: query.providers.contains($0), type: "checkbox") })
      </fieldset>
      """
  }

  /// The heading of the list: all flags, or one group.
  private var head: HTML {
    guard let group = list.group else { return "<h1 class=\"sr\">Flags</h1>" }
    let outer = group.name.path.dropLast()
    let (title, path) = (group.name.titles.dropLast().last ?? "All flags", site.path(ofGroup: Array(outer)))
    return """
      \(HTML.crumbs(path, title))
      <div class="title"><span class="glyph">\(Icon.named(group.icon ?? "folder"))</span>
      <div><h1>\(group.title)</h1>\(group.summary.isEmpty ? nil : "<p class=\"muted\">\(group.summary)</p>" as HTML)
      </div></div>
      """
  }

  // MARK: - Rows

  private var toolbar: HTML {
    let all = list.total.counted("flag")
    let count = list.matched == list.total ? all : "\(list.matched) of \(all)"
    return """
      <div class="toolbar">
      <div class="counts">
      <p class="count" role="status">\(count)\(list.overrides > 0 ? ", \(list.overrides) overridden" : "")</p>
      \(list.restartNotice.map { "<p class=\"waits\" id=\"waiting\">\($0)</p>" as HTML })
      \(console.storageNotice.map { "<p class=\"count\" id=\"unstored\">\($0)</p>" as HTML })
      </div>
      <div class="buttons">
      \(console.editor?.canMakeFlags == true ? "<a class=\"plain\" id=\"new\" href=\"\(site.path("/new"))\">New flag</a>" as HTML : nil)
      \(console.access.isReadOnly ? nil : changes)
      \(console.editor?.hasHistory == true ? "<a class=\"plain\" href=\"\(site.path("/history"))\">History</a>" as HTML : nil)\
      \(console.editor?.hasTestUsers == true ? "<a class=\"plain\" href=\"\(site.path("/users"))\">Test users</a>" as HTML : nil)\
      <a class="plain" href="\(site.path("/share\(address)"))">Share</a>
      </div></div>
      """
  }

  /// The button that takes back the last override, unless a definition was saved later: a page has one undo.
  private var undo: HTML? {
    guard site.savedChange == nil || site.undoesOverride else { return nil }
    return console.undoTitle.map { title in
      let words = "Undo \(title)".shortened()
      return HTML.post(site.path("/undo"), "<button class=\"plain\" id=\"undo\">\(Icon.undo)\(words)</button>")
    }
  }

  private var changes: HTML {
    """
    \(undo)
    <form method="post" action="\(site.path("/clear"))" data-in-place>
    <button class="plain" id="clear-all"\(list.clearingQuestion == nil ? " disabled" as HTML : nil)>Clear overrides</button>\
    </form>
    """
  }

  private var sections: HTML {
    if list.sections.isEmpty { return empty }
    return HTML(
      list.sections.map { section in
        """
        <section class="group">\(section.title.isEmpty ? nil : "<h2>\(section.title.shortened(to: 200))</h2>" as HTML)<ul class="rows">
        \(section.items.map(item))</ul></section>
        """
      })
  }

  private func item(_ item: FlagSection.Item) -> HTML {
    switch item {
    case .flag(let row): RowView(row, site, in: address, showsStaleness: query.filters.contains(.stale)).html
    case .group(let row): group(row)
    }
  }

  private func group(_ row: FlagGroupRow) -> HTML {
    let path = site.path(ofGroup: row.name.path)
    return """
      <li class="row leads"><div class="what"><p class="name">\(Icon.named(row.icon ?? "folder"))\
      <a href="\(path)" id="\(path)">\(row.title.shortened(to: 200))</a></p>
      \(row.summary.isEmpty ? nil : "<p class=\"summary\">\(row.summary.shortened(to: 300))</p>" as HTML)</div>
      <p class="source">\(row.countText)</p><div class="control">\(Icon.forward)</div></li>
      """
  }

  private var empty: HTML {
    list.total == 0
      ? """
      <div class="empty">\(Icon.brand)<h2>No flags yet</h2>
      <p>Flags appear here as soon as a catalog or a document has some.</p></div>
      """
      : """
      <div class="empty">\(Icon.search)<h2>No such flag</h2>
      <p>No flag matches the search and the filters. <a href="\(site.home)">Show all flags</a></p></div>
      """
  }

  private var more: HTML? {
    guard list.omitted > 0 else { return nil }
    let limit = "limit=\(list.rows.count + Self.limit * 2)"
    return """
      <p class="more"><a class="plain" id="more" href="\(site.home)\(address)\(address.isEmpty ? "?" : "&")\(limit)">\
      Show more (\(list.omitted) left)</a></p>
      """
  }
}
