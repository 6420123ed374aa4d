import FlagConsole
import FlagEditing
import FlagHTTP

/// A change of a flag as a whole, which has a page of its own.
enum LifecycleAction: String, CaseIterable, Sendable {
  case off, on, copy, rename, retire, delete

  /// The actions that are offered as a list of links; the others are buttons beside what everyone gets.
  static let listed: [LifecycleAction] = [.copy, .rename, .retire, .delete]

  var title: String {
    switch self {
    case .off: "Off for everyone"
    case .on: "Switch on"
    case .copy, .rename, .retire, .delete: rawValue.prefix(1).uppercased() + rawValue.dropFirst()
    }
  }

  /// Returns the part of an address that names the query of a list to lead back to; empty for none.
  static func query(_ list: String?) -> String { list.map { "?list=\(PercentEncoding.encode($0))" } ?? "" }

  /// The state that the action sets; nil if it does something else.
  var state: Bool? { [.off: false, .on: true][self] }

  /// Whether code that reads the flag may do so only until then.
  var affectsReaders: Bool { [.rename, .retire, .delete].contains(self) }
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
  /// The query of the list that led here, with what it begins with; empty for the flag's page.
  var origin = ""
  /// The reason why the entered key cannot be; nil if it can.
  var keyProblem: String?
  /// The retirement of a flag that is to be deleted before its last day is over; nil for none.
  var retirement: FlagRetirement?
  let isEarly: Bool
  /// Whether the flag's shares have other users under another key.
  let splitsByKey: Bool
  let card: ReviewCard

  private var path: String { site.path(ofFlag: key) }
  private var title: String { site.console.row(key)?.title ?? key }

  var response: HTTPResponse {
    ChangePage(
      site: site, kind: "life", title: "\(action.title) \(title.shortened())",
      heading: action.state == nil ? "\(action.title) the flag" : action.title,
      key: key, back: (path, title.shortened()), action: "\(path)/\(action.rawValue)\(origin)",
      fields: """
        <section class="card"><h2>\(heading)</h2>
        \(fields)</section>\(action.affectsReaders ? reading : nil)
        """, card: card
    ).response
  }

  private var heading: String {
    switch action {
    case .off: "The code's default for everyone"
    case .on: "The rule decides again"
    case .copy: "A new flag like this one"
    case .rename: "Another key"
    case .retire: "Off for everyone"
    case .delete: "Gone for good"
    }
  }

  private var fields: HTML {
    switch action {
    case .off:
      "<p class=\"muted\">Variants, rule and shares stay as they are, until the flag is switched on again.</p>"
    case .on:
      """
      <p class="muted">Everyone gets what the rule and the default variant say. A flag that was retired is not any more.</p>
      """
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
      \(retirement.map(early))
      """
    }
  }

  private func keyField(_ label: String) -> HTML { KeyField(label: label, text: entered, problem: keyProblem).html }

  /// The field by which a person deletes a flag before its day.
  private func early(_ retirement: FlagRetirement) -> HTML {
    """
    <p class="warning">It was retired \(retirement.gone.map { "until \($0)" } ?? "without a last day").</p>
    <label class="check wraps"><input type="checkbox" name="early" value="1"\(isEarly ? " checked" as HTML : nil)>
    Delete it now all the same</label>
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
    let force: HTML = """
      <label class="check wraps"><input type="checkbox" name="force" value="1"\(isForced ? " checked" as HTML : nil)>
      \(action.title) it although code reads it</label>
      """
    return ReadersCard(readers: readers, limit: 20, force: readers?.isEmpty == false ? force : nil).html
  }
}

/// The places in code that read a flag.
struct ReadersCard {
  /// The places; nil if they are not known.
  let readers: [String]?
  let limit: Int
  /// The field that changes the flag all the same; nil for none.
  var force: HTML?

  var html: HTML {
    """
    <section class="card" id="readers"><h2>Read by</h2>\(places)\(force)</section>
    """
  }

  private var places: HTML {
    guard let readers else { return "<p class=\"muted\">Unknown: this console was not given the code.</p>" }
    if readers.isEmpty { return "<p class=\"good\">\(Icon.yes) Nothing in the code reads this flag.</p>" }
    return """
      <ul class="places">\(readers.prefix(limit).map { "<li><code>\($0.shortened(to: 300))</code></li>" as HTML })</ul>
      \(HTML.more(readers.count - limit))
      """
  }
}
