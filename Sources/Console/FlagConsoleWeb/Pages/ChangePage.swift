import FlagHTTP

/// The page of a change: its form with the fields that make it, or with what it is, beside its review.
struct ChangePage {
  let site: Site
  /// The page's kind, which is the form's id, too.
  let kind: String
  /// The title in the window, and on the page.
  let title: String
  let heading: String
  /// The key of the flag that it is about; nil if it is about several, or a new one.
  var key: String?
  /// The page to go back to.
  let back: (path: String, title: String)
  /// The address that the form is sent to.
  let action: String
  let fields: HTML
  let card: ReviewCard

  var response: HTTPResponse {
    Page(
      title: "\(title) · Flags", kind: kind,
      content: """
        \(HTML.crumbs(back.path, back.title))
        <h1>\(heading)</h1>\(key.map { "<p class=\"key\"><code>\($0)</code></p>" as HTML })
        \(card.notice)
        <form method="post" action="\(action)" id="\(kind)">
        <div class="columns"><div class="column">\(fields)</div>
        <div class="column sticky">\(card.html)</div></div>\(card.dock)
        </form>
        """
    ).response(site, card.status)
  }
}
