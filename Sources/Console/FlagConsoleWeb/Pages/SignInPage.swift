import FlagConsole
import FlagDomain
import FlagHTTP

/// The page of a user who could not be signed in, for browsers without the script.
struct SignInPage {
  let site: Site
  let form: ConsoleForm
  let problem: String

  var response: HTTPResponse {
    Page(
      title: "Sign in · Flags",
      content: """
        <nav class="crumbs" aria-label="Breadcrumb"><a href="\(site.home)">\(Icon.back)All flags</a></nav>
        <h1>Sign in</h1><section class="card">
        \(SignInForm(form, problem: problem, action: site.path("/user")).html)</section>
        """
    ).response(site, .unprocessableContent)
  }
}
