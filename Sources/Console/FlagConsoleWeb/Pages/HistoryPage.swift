import FlagConsole
import FlagConsoleEditor
import FlagEditing
import FlagHTTP
import FlagPublishing

struct HistoryPage {
  let site: Site
  let history: PublicationHistory

  var response: HTTPResponse {
    Page(
      title: "History · Flags", kind: "history",
      content: """
        \(HTML.crumbs(site.home, "All flags"))<h1>History</h1>
        \(candidate)
        <section class="card">\(history.revisions.isEmpty ? "<p class=\"muted\">Nothing has been published yet.</p>" as HTML : nil)
        <ul class="revisions">\(history.revisions.map { $0.item(site, tag($0)) })</ul></section>
        """
    ).response(site)
  }

  private var candidate: HTML? {
    guard let candidate = history.head?.candidate else { return nil }
    return """
      <p class="banner" role="status">Revision \(candidate.revision.number) is being tried on \(candidate.percent) % of the \
      servers. Nothing else can be saved until it is widened to all servers or withdrawn.</p>
      """
  }

  private func tag(_ revision: PublishedRevision) -> HTML? {
    switch revision {
    case history.head?.revision: " <span class=\"tag\">current</span>"
    case history.head?.candidate?.revision: " <span class=\"tag\">candidate</span>"
    default: nil
    }
  }
}

struct RevisionPage {
  let site: Site
  let review: RevisionReview
  /// The review of going back; nil if there is no way back.
  let card: ReviewCard?

  private var number: Int { review.revision.number }

  var response: HTTPResponse {
    Page(
      title: "Revision \(number) · Flags", kind: "revision",
      content: """
        \(HTML.crumbs(site.path("/history"), "History"))
        <h1>Revision \(number)</h1>
        <p class="muted">\(HTML.time(review.revision.timestamp)) by \(review.revision.note.author)</p>
        <p>\(review.revision.note.reason)</p>
        \(card?.notice)
        <div class="columns even"><div class="column"><section class="card"><h2>\(title)</h2>
        \(changes(review.changes))</section></div><div class="column">\(way)</div></div>
        """
    ).response(site, card?.status ?? .ok)
  }

  private var title: String { review.predecessor.map { "Changes since revision \($0)" } ?? "Flags" }

  private var way: HTML? {
    guard review.canGoBack else { return nil }
    if let card {
      return """
        <form method="post" action="\(site.path("/history"))/\(number)/back" class="column">\(card.html)\(card.dock)</form>
        """
    }
    let access = site.console.access
    let reason =
      access.permission < .edit
      ? access.refusal
      : "A candidate is being tried: widen it to all servers, or withdraw it."
    return "<p class=\"muted\">\(Icon.lock) \(reason)</p>"
  }

  private func changes(_ changes: [RevisionReview.Change]) -> HTML {
    if changes.isEmpty { return "<p class=\"good\">\(Icon.yes) No flag changes.</p>" }
    return
      "<ul class=\"revisions\">\(changes.prefix(Self.limit).map(item))</ul>\(HTML.more(changes.count - Self.limit, "more flags"))"
  }

  private static let limit = RevisionReview.maximumEffects

  private func plan(_ steps: [PlannedStep]) -> HTML? {
    guard let now = site.console.editor?.options.now() else { return nil }
    return PlanView(steps: steps, now: now).html
  }

  private func item(_ change: RevisionReview.Change) -> HTML {
    """
    <li><code>\(change.key)</code> <span>\(change.differences.map(\.words).joined(separator: ", "))</span>
    <span class="muted">\(change.effect?.words ?? "")</span>\(plan(change.plan))</li>
    """
  }
}

extension PublishedRevision {
  /// Returns the revision in a list, with a link to its changes.
  func item(_ site: Site, _ tag: HTML? = nil) -> HTML {
    """
    <li><a href="\(site.path("/history"))/\(number)">Revision \(number)</a>\(tag)
    <span class="muted">\(HTML.time(timestamp)) by \(note.author)</span>
    <span>\(note.reason)</span></li>
    """
  }
}
