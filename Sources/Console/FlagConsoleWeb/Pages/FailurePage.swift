import FlagConsole
import FlagConsoleEditor
import FlagDomain
import FlagHTTP

/// The page in place of one that cannot be shown.
struct FailurePage {
  let site: Site
  let error: FlagError
  var status: HTTPStatus?

  var response: HTTPResponse {
    let status = status ?? (error.code == .flagNotFound ? .notFound : .unprocessableContent)
    return Page(
      title: "Flags",
      content: """
        <div class="empty">\(Icon.search)<h1>\(status == .notFound ? "Not found" : "That did not work")</h1>
        <p>\(error.message)</p><p><a href="\(site.home)">All flags</a></p></div>
        """
    ).response(site, status)
  }
}

/// The page of a flag that this environment does not have, and others do.
struct MissingFlagPage {
  let site: Site
  let key: String
  private let environments: SiteEnvironments
  private let current: Int
  /// The numbers of the environments that have the flag.
  private let others: [Int]

  /// Creates the page; nil if no other environment has the flag.
  init?(_ site: Site, _ key: String) {
    guard let environments = site.environments, let current = environments.current else { return nil }
    others = environments.all.all.indices.filter { environments.all.all[$0].console.row(key) != nil }
    if others.isEmpty { return nil }
    (self.site, self.key, self.environments, self.current) = (site, key, environments, current)
  }

  var response: HTTPResponse {
    let name = environments.all.all[current].name
    return Page(
      title: "\(key.shortened()) · Flags",
      content: """
        <div class="empty">\(Icon.search)<h1>Not in \(name)</h1>
        <p>\(name) does not have the flag <code>\(key.shortened(to: 200))</code>. \
        \(others.map { environments.all.all[$0].name }.joined(separator: ", ")) has it.</p>
        <p class="buttons">\(others.map(ways))</p></div>
        """
    ).response(site, .notFound)
  }

  private func ways(_ other: Int) -> HTML {
    let name = environments.all.all[other].name
    let there = Site(console: environments.all.all[other].console, base: environments.base(of: other))
    let promotion: HTML? =
      environments.mayEdit(current, in: site.console)
      ? "<a class=\"primary\" href=\"\(environments.path(promoting: key, from: other, to: current))\">Promote from \(name)</a>"
      : nil
    return "<a class=\"plain\" href=\"\(there.path(ofFlag: key))\">Show in \(name)</a>\(promotion)"
  }
}

struct QuestionPage {
  let site: Site
  let action: String
  let form: ConsoleForm
  let question: FlagQuestion

  var response: HTTPResponse {
    Page(
      title: "\(question.title) · Flags",
      content: """
        <h1>\(question.title)</h1><section class="card"><p>\(question.message)</p>
        <form method="post" action="\(action)">
        \(form.fields.map { HTML.hidden($0.name, $0.value) })
        \(HTML.hidden("confirmed", "1"))
        <p class="buttons"><button class="primary" id="continue">\(question.confirmation)</button>
        <a class="plain" href="\(site.home)">Cancel</a></p></form></section>
        """
    ).response(site)
  }
}

extension FlagQuestion {
  /// The question as the script shows it.
  var text: String { "\(title)\n\(message)" }
}
