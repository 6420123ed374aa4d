import FlagDomain
import FlagHTTP

/// The form of the user whose flags are shown: with the user who is signed in, or as it was refused.
struct SignInForm {
  let action: String
  private let text: (String) -> String
  private var problem: String?

  /// Creates the form of the signed-in user; nil for a visitor.
  init(_ user: FlagUser?, action: String) {
    self.action = action
    text = { field in
      switch field {
      case "id": user?.id ?? ""
      case "country": user?.countryCode ?? ""
      case "segments": (user?.segments ?? []).joined(separator: ", ")
      case "contexts": Self.text(of: (user?.contexts ?? [:]).mapValues(FlagValue.object))
      default: Self.text(of: user?.attributes ?? [:])
      }
    }
  }

  private static func text(of members: [String: FlagValue]) -> String {
    members.isEmpty ? "" : FlagValue.object(members).description
  }

  /// Creates a form that was refused, with what was entered.
  init(_ form: ConsoleForm, problem: String, action: String) {
    (self.action, self.problem) = (action, problem)
    text = { form[$0] ?? "" }
  }

  var html: HTML {
    """
    <form method="post" action="\(action)" class="stack" data-in-place>
    <h2>Sign in as</h2>
    <label>User id <input name="id" value="\(exact: text("id"))" autocomplete="off" required></label>
    <label>Country <input name="country" value="\(exact: text("country"))" autocomplete="off" placeholder="es"></label>
    <label>Segments, between commas <input name="segments" value="\(exact: text("segments"))" autocomplete="off" \
    placeholder="beta, staff"></label>
    <label>Other attributes, as JSON
    <textarea name="attributes" rows="3" spellcheck="false" placeholder='{"age": 42}'>\(exact: text("attributes"))\
    </textarea></label>
    <label>Other contexts, as JSON
    <textarea name="contexts" rows="2" spellcheck="false" placeholder='{"organization": {"plan": "pro"}}'>\
    \(exact: text("contexts"))</textarea></label>
    <p class="problem" role="alert"\(problem == nil ? " hidden" as HTML : nil)>\(problem ?? "")</p>
    <div class="buttons"><button class="primary">Sign in</button></div>
    </form>
    """
  }
}

/// The page of a user who could not be signed in, for browsers without the script.
struct SignInPage {
  let site: Site
  let form: ConsoleForm
  let problem: String

  var response: HTTPResponse {
    Page(
      title: "Sign in · Flags",
      content: """
        \(HTML.crumbs(site.home, "All flags"))
        <h1>Sign in</h1><section class="card">
        \(SignInForm(form, problem: problem, action: site.path("/user")).html)</section>
        """
    ).response(site, .unprocessableContent)
  }
}
