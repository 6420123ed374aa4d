import FlagConsole
import FlagDomain
import FlagHTTP
import FlagReview

/// A change of a flag as a whole, which has a page of its own.
enum LifecycleAction: String, CaseIterable, Sendable {
  case copy, rename, retire, delete

  var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

  /// Whether code that reads the flag gets another value by it.
  var affectsReaders: Bool { self != .copy }
}

/// The page that copies, renames, retires or deletes a flag.
struct LifecyclePage {
  let site: Site
  let action: LifecycleAction
  let key: String
  /// The entered key, or day.
  let entered: String
  /// The places in code that read the flag; nil if that is not known.
  let readers: [String]?
  let isForced: Bool
  /// Whether the flag's shares have other users under another key.
  let splitsByKey: Bool
  let card: ReviewCard

  private var path: String { site.path(ofFlag: key) }
  private var title: String { site.console.row(key)?.title ?? key }

  var response: HTTPResponse {
    ChangePage(
      site: site, kind: "life", title: "\(action.title) \(title.shortened())", heading: "\(action.title) the flag",
      key: key, back: (path, title.shortened()), action: "\(path)/\(action.rawValue)",
      fields: """
        <section class="card"><h2>\(heading)</h2>
        \(fields)</section>\(action.affectsReaders ? reading : nil)
        """, card: card
    ).response
  }

  private var heading: String {
    switch action {
    case .copy: "A new flag like this one"
    case .rename: "Another key"
    case .retire: "Off for everyone"
    case .delete: "Gone for good"
    }
  }

  private var fields: HTML {
    switch action {
    case .copy:
      """
      <p class="muted">Variants, rule, state and metadata are copied.</p>\(keyField("Key of the copy"))\(shares)
      """
    case .rename:
      """
      <p class="muted">Code that reads the old key gets its own default then. The flag keeps its place and metadata.</p>
      \(keyField("New key"))\(shares)
      """
    case .retire:
      """
      <p class="muted">The flag is switched off, so that everyone gets the default in the code, and marked as retired. \
      It may be deleted after the last day.</p>
      <label>Last day<input name="gone" id="gone" value="\(exact: entered)" placeholder="2027-01-31" required \
      autocomplete="off"></label>
      """
    case .delete:
      """
      <p class="muted">The definition is removed from the document. Code that reads the flag gets its own default.</p>
      """
    }
  }

  private func keyField(_ label: String) -> HTML {
    """
    <label>\(label)<input name="key" id="key" value="\(exact: entered)" maxlength="1024" required autocomplete="off" \
    autocapitalize="none" spellcheck="false"></label>
    """
  }

  private var shares: HTML? {
    guard splitsByKey else { return nil }
    return """
      <p class="warning">Shares are assigned by the flag's key: under another key, each share has other users.</p>
      """
  }

  /// The places that read the flag, and what a person must say to change it all the same.
  private var reading: HTML {
    guard let readers else {
      return """
        <section class="card" id="readers"><h2>Read by</h2><p class="muted">Unknown: this console was not given the \
        code.</p></section>
        """
    }
    if readers.isEmpty {
      return """
        <section class="card" id="readers"><h2>Read by</h2><p class="good">\(Icon.yes) Nothing in the code reads this \
        flag.</p></section>
        """
    }
    return """
      <section class="card" id="readers"><h2>Read by</h2>
      <ul class="places">\(readers.prefix(20).map { "<li><code>\($0.shortened(to: 300))</code></li>" as HTML })</ul>
      \(HTML.more(readers.count - 20))
      <label class="check wraps"><input type="checkbox" name="force" value="1"\(isForced ? " checked" as HTML : nil)>
      \(action.title) it although code reads it</label></section>
      """
  }
}
