import FlagConsole
import FlagConsoleEditor
import FlagDomain
import FlagHTTP

/// The page that shows each flag in all environments, in one row, and says what differs.
struct EnvironmentsPage {
  private let site: Site
  private let places: SiteEnvironments
  private let query: EnvironmentQuery
  private let list: EnvironmentList

  static let limit = 100

  init(_ site: Site, _ places: SiteEnvironments, _ target: RequestTarget) {
    (self.site, self.places) = (site, places)
    let page = target.value(of: "page").flatMap { Int($0) } ?? 1
    let offset = min(max(1, page), 1_000_000) - 1
    query = EnvironmentQuery(
      target.value(of: "q") ?? "", onlyDifferent: target.value(of: "differs") == "1", offset: offset * Self.limit,
      limit: Self.limit)
    list = places.all.list(query)
  }

  private var names: [String] { places.all.all.map(\.name) }

  var response: HTTPResponse {
    Page(
      title: "Environments · Flags", kind: "environments", followed: places,
      content: """
        <h1>Environments</h1>
        <p class="lead">Each flag's definition in every environment. The others are compared with \(names[0]).</p>
        \(filters)
        <div id="live" data-live>
        \(places.all.all.compactMap(problem))
        <p class="count" role="status">\(count)</p>
        \(list.rows.isEmpty ? empty : table)
        \(pages)
        </div>
        """
    ).response(site)
  }

  private func problem(_ environment: FlagEnvironments.Environment) -> HTML? {
    environment.console.editor?.problem.map { problem in
      "<p class=\"problem\" role=\"alert\">\(environment.name): \(problem.message.shortened(to: 600))</p>"
    }
  }

  // MARK: - Filters and pages

  private var filters: HTML {
    """
    <form class="filters" id="filters" role="search" action="\(places.comparison)" method="get">
    <div class="search">\(Icon.search)
    <input type="search" name="q" id="q" value="\(exact: query.text)" aria-label="Search flags" autocomplete="off" \
    spellcheck="false" placeholder="Search keys and descriptions"></div>
    <div class="narrow">\(HTML.check("differs", "Only what differs", isChosen: query.onlyDifferent))
    <button class="plain">Search</button></div>
    </form>
    """
  }

  private var count: String {
    let flags = "\(list.matched == list.total ? "\(list.total)" : "\(list.matched) of \(list.total)") flags"
    guard list.matched > list.rows.count, !list.rows.isEmpty else { return flags }
    return "\(flags), \(query.offset + 1) to \(query.offset + list.rows.count) shown"
  }

  private var pages: HTML? {
    let page = query.offset / Self.limit + 1
    let earlier = page > 1 ? link("prev", to: page - 1, "Earlier") : nil
    let hasLater = query.offset + list.rows.count < list.matched && !list.rows.isEmpty
    let later = hasLater ? link("next", to: page + 1, "Later") : nil
    guard earlier != nil || later != nil else { return nil }
    return "<nav class=\"buttons more\" aria-label=\"Pages\">\(earlier)\(later)</nav>"
  }

  private func link(_ relation: String, to page: Int, _ text: String) -> HTML {
    let differs = query.onlyDifferent ? "&differs=1" : ""
    let path = "\(places.comparison)?q=\(PercentEncoding.encode(query.text))\(differs)&page=\(page)"
    return "<a class=\"plain\" rel=\"\(relation)\" href=\"\(path)\">\(text)</a>"
  }

  private var empty: HTML {
    """
    <div class="empty">\(Icon.search)<h2>No such flag</h2>
    <p>\(query.onlyDifferent && query.text.isEmpty ? "No flag differs between the environments." : "No flag matches.") \
    <a href="\(places.comparison)">Show all flags</a></p></div>
    """
  }

  // MARK: - The table

  private var table: HTML {
    """
    <div class="beside"><table class="environments">
    <caption class="sr">Flags by environment</caption>
    <thead><tr><th scope="col">Flag</th>\(names.map { "<th scope=\"col\">\($0)</th>" as HTML })</tr></thead>
    <tbody>\(list.rows.map(row))</tbody></table></div>
    """
  }

  private func row(_ row: EnvironmentRow) -> HTML {
    """
    <tr\(row.differs ? " class=\"differs\"" as HTML : nil)><th scope="row"><code>\(row.key.shortened(to: 200))</code>\
    \(row.summary.isEmpty ? nil : "<span class=\"muted\">\(row.summary.shortened(to: 200))</span>" as HTML)\
    \(row.differs ? "<span class=\"tag differing\">Differs</span>" as HTML : nil)</th>
    \(row.definitions.enumerated().map { cell($0, row.key, $1, promotes: row.definitions[0] != nil) })</tr>
    """
  }

  private func cell(_ number: Int, _ key: String, _ definition: DefinitionSummary?, promotes: Bool) -> HTML {
    let name = names[number]
    let promotes = promotes && number > 0 && places.mayEdit(number, in: site.console)
    let way: HTML? = promotes ? promotion(number, key) : nil
    guard let definition else {
      return "<td data-name=\"\(name)\"><span class=\"other\">Not in \(name)</span>\(way)</td>"
    }
    let other = Site(console: places.all.all[number].console, base: places.base(of: number))
    return """
      <td data-name="\(name)"><a href="\(other.path(ofFlag: key))">\(definition.state)<span class="sr"> in \(name)</span></a>
      \(definition.defaultVariant.map { "<span class=\"muted\">default \($0.shortened(to: 60))</span>" as HTML })
      \(definition.rule.map { "<span class=\"rule\">\($0.shortened(to: 240))</span>" as HTML })
      \(definition.differences.isEmpty ? nil : "<span class=\"other\">\(words(definition))</span>" as HTML)\
      \(definition.differences.isEmpty ? nil : way)</td>
      """
  }

  private func promotion(_ number: Int, _ key: String) -> HTML {
    """
    <a class="promote" href="\(places.path(promoting: key, from: 0, to: number))">Promote from \(names[0])\
    <span class="sr"> to \(names[number]): \(key.shortened(to: 60))</span></a>
    """
  }

  private func words(_ definition: DefinitionSummary) -> String {
    let parts = definition.differences
    return parts == ["only here"] ? "Not in \(names[0])" : "Other \(parts.joined(separator: ", "))"
  }
}
