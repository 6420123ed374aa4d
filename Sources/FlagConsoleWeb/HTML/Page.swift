import FlagConsole
import FlagDomain
import FlagHTTP

/// What is around every page.
struct Page {
  let title: String
  /// What the script is to know of the page: its kind, and the version of what is edited there.
  var kind = "page"
  var version = ""
  let content: HTML
}

extension Page {
  /// Returns the page as a response.
  func response(_ console: FlagBrowser, _ status: HTTPStatus = .ok) -> HTTPResponse {
    HTTPResponse(html: document(console), status)
  }

  private func document(_ console: FlagBrowser) -> HTML {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>\(title)</title>
    <link rel="icon" href="/icon.svg">
    <link rel="stylesheet" href="/console.css">
    <script src="/console.js" defer></script>
    </head>
    <body data-kind="\(kind)" data-version="\(version)" data-revision="\("\(console.revision)")">
    <a class="skip" href="#main">Skip to content</a>
    <header class="bar">
    <div class="inner">
    <a class="brand" href="/">\(Icon.brand)<span>Flags</span></a>
    <span class="pulse" id="connection" role="status"><span class="dot"></span><span class="label">Connecting</span></span>
    \(Self.person(console))
    </div>
    </header>
    <main id="main" tabindex="-1">
    \(content)
    </main>
    </body>
    </html>

    """
  }

  /// The form that says who one is.
  private static func person(_ console: FlagBrowser) -> HTML? {
    guard console.ports.authenticator != nil else { return nil }
    let user = console.user
    guard !console.options.isReadOnly else { return "<span class=\"tag\">Read only</span>" }
    return """
      <details class="person" id="person">
      <summary id="person-summary">\(Icon.person)<span class="ellipsis">\(user?.id ?? "Visitor")</span></summary>
      <div class="popover">
      \(HTML(console.options.testUsers.map(saved)))
      <form method="post" action="/user" class="stack" data-in-place>
      <h2>Who am I?</h2>
      <label>User id <input name="id" value="\(user?.id ?? "")" autocomplete="off" required></label>
      <label>Country <input name="country" value="\(user?.countryCode ?? "")" autocomplete="off" placeholder="es"></label>
      <label>Segments <input name="segments" value="\((user?.segments ?? []).joined(separator: ", "))" autocomplete="off" placeholder="beta, staff"></label>
      <label>Other attributes, as JSON
      <textarea name="attributes" rows="3" spellcheck="false" placeholder='{"age": 42}'>\(attributes(user))</textarea></label>
      <p class="problem" role="alert" hidden></p>
      <div class="buttons"><button class="primary">Sign in</button></div>
      </form>
      \(user == nil ? nil : signOut)
      </div>
      </details>
      """
  }

  private static let signOut: HTML = """
    <form method="post" action="/user" data-in-place><input type="hidden" name="visitor" value="1">
    <button class="plain">Sign out</button></form>
    """

  private static func saved(_ user: FlagUser) -> HTML {
    """
    <form method="post" action="/user" data-in-place>
    <input type="hidden" name="id" value="\(user.id)"><input type="hidden" name="country" value="\(user.countryCode ?? "")">
    <input type="hidden" name="segments" value="\(user.segments.joined(separator: ", "))">
    <input type="hidden" name="attributes" value="\(attributes(user))">
    <button class="plain">\(Icon.person)<span class="ellipsis">\(user.id)</span></button></form>
    """
  }

  private static func attributes(_ user: FlagUser?) -> String {
    guard let user, !user.attributes.isEmpty else { return "" }
    return FlagValue.object(user.attributes).description
  }
}

extension HTTPResponse {
  /// Creates a response that is a page.
  init(html: HTML, _ status: HTTPStatus = .ok) {
    self.init(status, fields: [.contentType: "text/html; charset=utf-8"], body: Array(html.source.utf8))
  }

  /// Creates a response that leads to another page.
  init(seeing path: String) { self.init(.seeOther, fields: [.location: path]) }
}

/// Pages that say one thing, without anything of the console.
enum MessagePage {
  /// What is answered to whoever did not come by the link.
  static let closed = HTTPResponse(
    html: plain(
      "Open the console by its link",
      "Each link opens one browser, once. Start the console again to get a new link.", refresh: nil), .unauthorized)

  /// What leads on to the flags, as a page of ours: so the cookie counts, wherever the link was clicked.
  static let opening = HTTPResponse(
    html: plain("Opening the console", "If nothing happens, go to the flags yourself.", refresh: "/"))

  private static func plain(_ title: String, _ text: String, refresh: String?) -> HTML {
    """
    <!DOCTYPE html>
    <html lang="en"><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
    \(refresh.map { "<meta http-equiv=\"refresh\" content=\"0; url=\($0)\">" as HTML })
    <title>\(title)</title><link rel="icon" href="/icon.svg"><link rel="stylesheet" href="/console.css"></head>
    <body class="message"><main><div class="empty">\(Icon.brand)<h1>\(title)</h1><p>\(text)</p>
    \(refresh.map { "<p><a href=\"\($0)\">Flags</a></p>" as HTML })
    </div></main></body></html>

    """
  }
}
