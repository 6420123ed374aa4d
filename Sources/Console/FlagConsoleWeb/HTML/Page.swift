import FlagConsole
import FlagConsoleEditor
import FlagDomain
import FlagEditing
import FlagHTTP

struct Page {
  let title: String
  /// The page's kind and the version of the edited document, for the script.
  var kind = "page"
  var version = ""
  /// The environments that the page shows all of; nil if it shows the console of its site.
  var followed: SiteEnvironments?
  let content: HTML

  func response(_ site: Site, _ status: HTTPStatus = .ok) -> HTTPResponse {
    HTTPResponse(html: document(site), status)
  }

  private func document(_ site: Site) -> HTML {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>\(title)\(site.environmentName.map { " · \($0)" } ?? "")</title>
    <link rel="icon" href="\(site.path(PageFile.icon.address))">
    <link rel="stylesheet" href="\(site.path(PageFile.style.address))">
    <script src="\(site.path(PageFile.script.address))" defer></script>
    </head>
    <body\(site.isProduction ? " class=\"production\"" as HTML : nil) data-kind="\(kind)" data-version="\(version)" data-base="\(site.base)" \
    data-revision="\((followed?.all.all.map(\.console) ?? [site.console]).revision)" \
    data-events="\(followed?.comparison ?? site.base)/events">
    <a class="skip" href="#main">Skip to content</a>
    \(Self.bar(site))
    <main id="main" tabindex="-1">
    <p class="banner" id="ended" role="alert" hidden>This session has ended, and nothing can be changed here any more. \
    \(site.isSecret ? "Start the console again, and open its new link." : "Sign in again in another window, and come back to this one.")</p>
    <p class="problem" id="alert" role="alert" hidden></p>
    <div id="notices" data-live>\(Self.notice(site))\(saved(site))</div>
    \(content)
    </main>
    </body>
    </html>

    """
  }

  /// The reason why what is shown may be out of date, on every page.
  private static func notice(_ site: Site) -> HTML? {
    guard let problem = site.console.editor?.problem else { return nil }
    return """
      <p class="banner" role="alert">The definitions cannot be read. What is shown is the last version that could be, and \
      nothing can be saved until this is repaired. \(problem.message.shortened(to: 600))</p>
      """
  }

  /// The change of definitions that was saved last, which can be taken back.
  ///
  /// A page has one undo: in the list, that of a later override comes first.
  private func saved(_ site: Site) -> HTML? {
    guard let saved = site.savedChange else { return nil }
    let title = saved.title.shortened()
    let undo: HTML = """
      <form method="get" action="\(site.path("/saved/undo"))"><button class="plain" id="undo-saved">\(Icon.undo)Undo\
      <span class="sr">: \(title)</span></button></form>
      """
    return """
      <div class="saved" role="status"><p>Saved: \(title)</p>
      \(kind == "list" && site.undoesOverride ? nil : undo)
      <form method="post" action="\(site.path("/saved/dismiss"))" data-in-place>\
      <button class="plain" id="dismiss-saved">Dismiss</button></form></div>
      """
  }

  private static func bar(_ site: Site) -> HTML {
    """
    <header class="bar">
    <div class="inner">
    <a class="brand" href="\(site.home)">\(Icon.brand)<span>Flags</span></a>
    <span class="pulse" id="connection" role="status" hidden><span class="dot"></span><span class="label">Connecting</span></span>
    \(site.environments.map(places))
    \(site.isProduction ? "<span class=\"tag failing\">Production</span>" as HTML : nil)
    \(who(site))
    \(person(site))
    </div>
    </header>
    """
  }

  /// The way from one environment to another, which keeps the flag.
  private static func places(_ places: SiteEnvironments) -> HTML {
    """
    <nav class="switcher" aria-label="Environments">\(places.all.all.enumerated().map { number, environment in
      let isCurrent: HTML? = number == places.current ? " aria-current=\"true\"" : nil
      return "<a href=\"\(places.path(toSameIn: number))\"\(isCurrent)>\(environment.name)</a>"
    })\
    <a href="\(places.comparison)"\(places.current == nil ? " aria-current=\"page\"" as HTML : nil)>Compare</a></nav>
    """
  }

  /// The person whom the app's policy named, and what they may do.
  private static func who(_ site: Site) -> HTML? {
    guard let person = site.console.access.person else { return nil }
    return """
      <span class="who ellipsis"\(site.console.access.notice.map { " title=\"\($0)\"" as HTML })>\
      \(person.name.shortened(to: 60))</span>
      """
  }

  private static func person(_ site: Site) -> HTML? {
    let console = site.console
    let action = site.path("/user")
    let tag: HTML? = console.access.isReadOnly ? "<span class=\"tag\">Read only</span>" : nil
    guard console.allowsSignIn else { return tag }
    let user = console.user
    func choice(of field: String, _ value: String, _ title: HTML) -> HTML {
      HTML.post(action, "\(HTML.hidden(field, value))\n<button class=\"plain\">\(title)</button>")
    }
    return """
      \(tag)
      <details class="person" id="person">
      <summary id="person-summary">\(Icon.person)<span class="ellipsis">\((user?.id ?? "Visitor").shortened())</span></summary>
      <div class="popover">
      \(console.options.testUsers.enumerated().map { number, user in
        let name: HTML = "\(Icon.person)<span class=\"ellipsis\">\(user.id.shortened())</span>"
        return choice(of: "saved", "\(number)", name)
      })
      \(SignInForm(user, action: action).html)
      \(user == nil ? nil : choice(of: "visitor", "1", "Sign out"))
      </div>
      </details>
      """
  }
}

extension HTTPResponse {
  init(html: HTML, _ status: HTTPStatus = .ok) {
    self.init(status, fields: [.contentType: "text/html; charset=utf-8"], body: Array(html.source.utf8))
  }
}

/// Pages with a single message, without the console's navigation.
enum MessagePage {
  /// Returns the response to a request without access.
  static func closed(_ base: String) -> HTTPResponse {
    HTTPResponse(
      html: plain(
        "Open the console through its link",
        "Each link works once, in one browser. Start the console again to get a new link.", base, refresh: nil),
      .unauthorized)
  }

  /// Returns the response to a person whom the app's policy does not let in.
  static func refused(_ base: String) -> HTTPResponse {
    HTTPResponse(
      html: plain(
        "You have no access to these flags", "Sign in to the app with an account that has, and open this page again.",
        base, refresh: nil),
      .unauthorized)
  }

  /// Returns a page that leads to the flags, so that the next request comes from the console and includes the cookie.
  static func opening(_ base: String) -> HTTPResponse {
    HTTPResponse(
      html: plain("Opening the console", "If nothing happens, follow this link:", base, refresh: base + "/"))
  }

  private static func plain(_ title: String, _ text: String, _ base: String, refresh: String?) -> HTML {
    """
    <!DOCTYPE html>
    <html lang="en"><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
    \(refresh.map { "<meta http-equiv=\"refresh\" content=\"0; url=\($0)\">" as HTML })
    <title>\(title)</title><link rel="icon" href="\(base + PageFile.icon.address)">
    <link rel="stylesheet" href="\(base + PageFile.style.address)"></head>
    <body class="message"><main><div class="empty">\(Icon.brand)<h1>\(title)</h1><p>\(text)</p>
    \(refresh.map { "<p><a href=\"\($0)\">Flags</a></p>" as HTML })
    </div></main></body></html>

    """
  }
}
