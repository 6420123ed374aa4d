import FlagConsole
import FlagHTTP

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
