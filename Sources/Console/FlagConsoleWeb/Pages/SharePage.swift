import FlagConsole
import FlagDomain
import FlagHTTP
import FlagSupport

/// The page that exports flags for a bug report, and previews the import of an exported file's overrides.
struct SharePage {
  let site: Site
  /// The query that selects the exported flags, as in the address of their list.
  var query = ""
  /// The text to import; nil if nothing was entered yet.
  var text: String?
  var problem: String?

  private var console: ConsoleModel { site.console }

  var response: HTTPResponse {
    Page(
      title: "Share · Flags",
      content: """
        \(HTML.crumbs(site.path("/\(query)"), query.isEmpty ? "All flags" : "The list"))<h1>Share</h1>
        <div class="columns even">
        <div class="column"><section class="card"><h2>Export</h2>
        <p class="muted">\(query.isEmpty ? "Every flag" : "The flags that the list showed, each") with its value and \
        where that comes from, for a bug report.</p>
        <div class="buttons"><a class="plain" id="text" href="\(site.path("/export.txt\(query)"))">As text</a>\
        <a class="plain" href="\(site.path("/export.json\(query)"))">As JSON</a></div>
        </section></div>
        <div class="column">\(importing)</div></div>
        """
    ).response(site, problem == nil ? .ok : .unprocessableContent)
  }

  private var importing: HTML {
    guard console.options.allowsImport, !console.access.isReadOnly else {
      return """
        <section class="card"><h2>Import overrides</h2><p class="muted">\(Icon.lock) Importing is turned off in this console.</p></section>
        """
    }
    return """
      <section class="card"><h2>Import overrides</h2>
      <form method="post" action="\(site.path("/share"))" class="stack">
      <label hidden data-file-for="overrides">A file of exported JSON <input type="file" accept=".json"></label>
      <label>What is in the file
      <textarea name="overrides" id="overrides" rows="8" spellcheck="false">\(exact: text ?? "")</textarea></label>
      \(problem.map { "<p class=\"problem\" role=\"alert\">\($0)</p>" as HTML })
      <div class="buttons"><button class="plain" id="compare">Compare</button></div></form>
      \(differences)</section>
      """
  }

  private var differences: HTML? {
    guard let text, problem == nil else { return nil }
    let differences: [OverrideDifference]
    do throws(FlagError) {
      differences = try console.differences(importing: text)
    } catch {
      return "<p class=\"problem\" role=\"alert\">\(error.message)</p>"
    }
    guard !differences.isEmpty else { return "<p class=\"good\">\(Icon.yes) Nothing would change.</p>" }
    let count = differences.count { $0.refusal == nil }
    return """
      <ul class="moves">\(differences.map(item))</ul>
      <form method="post" action="\(site.path("/import"))"><input type="hidden" name="overrides" value="\(exact: text)">
      <div class="buttons"><button class="primary" id="import"\(count == 0 ? " disabled" as HTML : nil)>\
      Override \(count) \(count == 1 ? "flag" : "flags")</button></div></form>
      """
  }

  private func item(_ difference: OverrideDifference) -> HTML {
    """
    <li><span class="ellipsis">\(difference.title.shortened())</span>\
    <span class="ellipsis">\((difference.current?.shortText ?? "").shortened())</span>\
    <span aria-hidden="true">→</span><span class="sr"> to </span><span class="ellipsis">\(difference.new.shortText.shortened())</span>\
    \(difference.refusal.map { "<span class=\"problem\">skipped: \($0)</span>" as HTML })\
    \(difference.doubt.map { "<span class=\"warning\">\($0)</span>" as HTML })</li>
    """
  }
}
