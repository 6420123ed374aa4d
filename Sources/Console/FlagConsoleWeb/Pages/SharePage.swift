import FlagConsole
import FlagDomain
import FlagEditing
import FlagHTTP

/// The page that exports flags for a bug report, and previews the import of someone else's overrides.
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
        <nav class="crumbs" aria-label="Breadcrumb"><a href="\(site.path("/\(query)"))">\
        \(Icon.back)\(query.isEmpty ? "All flags" : "The list")</a></nav><h1>Share</h1>
        <div class="columns even">
        <div class="column"><section class="card"><h2>Export</h2>
        <p class="muted">\(query.isEmpty ? "Every flag" : "The flags that the list showed, each") with its value and \
        where that comes from, for a bug report.</p>
        <div class="buttons"><a class="plain" id="text" href="\(site.path("/export.txt\(query)"))">As text</a>\
        <a class="plain" href="\(site.path("/export.json\(query)"))">As JSON</a></div>
        </section>\(given)</div>
        <div class="column">\(importing)</div></div>
        """
    ).response(site, problem == nil ? .ok : .unprocessableContent)
  }

  /// The overrides to give to others: as a link, unless it would be too long or open for this browser only.
  private var given: HTML? {
    guard let overrides = shared else { return nil }
    let link = site.path("/share?overrides=") + PercentEncoding.encode(overrides)
    if !site.isSecret, link.utf8.count <= Self.longestLink {
      return """
        <section class="card"><h2>Overrides as a link</h2>
        <p class="muted">A console of this app shows the changes of the link before it applies them.</p>
        <p><a class="ellipsis" href="\(link)" id="link">These overrides</a></p></section>
        """
    }
    return """
      <section class="card"><h2>Overrides as text</h2>
      <label class="stack">Copy this into “Import overrides” of another console, which shows the changes first.
      <textarea id="given" rows="6" readonly spellcheck="false">\(exact: overrides)</textarea></label></section>
      """
  }

  /// The maximum length of a link, which servers and programs for chat take.
  private static let longestLink = 2000

  private var shared: String? {
    do throws(FlagError) {
      return try console.sharedOverrides
    } catch {
      return nil  // there are no overrides here, or one cannot be encoded in a link
    }
  }

  private var importing: HTML {
    guard console.options.allowsImport, !console.options.isReadOnly else {
      return """
        <section class="card"><h2>Import overrides</h2><p class="muted">\(Icon.lock) Importing is turned off in this console.</p></section>
        """
    }
    return """
      <section class="card"><h2>Import overrides</h2>
      <form method="post" action="\(site.path("/share"))" class="stack"><label>Exported JSON
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
