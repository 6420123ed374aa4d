import FlagConsole
import FlagConsoleEditor
import FlagHTTP
import FlagPublishing
import FlagSupport

/// The test users: a list, and forms that add, import and remove some.
struct UsersPage {
  let site: Site
  let editor: DefinitionEditor
  /// The reason why the users cannot be read or were not changed.
  var problem: String?
  /// The form that was refused, which keeps what was entered.
  var entered: ConsoleForm?

  private var users: [TestUser] { editor.testUsers }
  private var isReadOnly: Bool { editor.access.permission < .edit }

  var response: HTTPResponse {
    Page(
      title: "Test users · Flags", kind: "users",
      content: """
        \(HTML.crumbs(site.home, "All flags"))
        <h1>Test users</h1>
        <p class="lead">Users by name, kept in \(editor.testUsersName). Each change of a definition \
        shows their variants before and after.</p>
        \(problem.map { "<p class=\"problem\" role=\"alert\" id=\"problem\">\($0)</p>" as HTML })
        <div class="columns even"><div class="column">\(list)</div>
        <div class="column">\(isReadOnly ? lock : "\(adding)\(importing)")</div></div>
        """
    ).response(site, problem == nil ? .ok : .unprocessableContent)
  }

  private var lock: HTML { "<p class=\"muted\">\(Icon.lock) \(editor.access.refusal)</p>" }

  private var list: HTML {
    """
    <section class="card" aria-labelledby="users-title"><h2 id="users-title">\(users.count) test \
    \(users.count == 1 ? "user" : "users")</h2>
    \(users.isEmpty ? "<p class=\"muted\">There are none yet.</p>" as HTML : table)</section>
    """
  }

  private var table: HTML {
    """
    <table class="people"><caption class="sr">Test users</caption>
    <thead class="sr"><tr><th scope="col">Name</th><th scope="col">Attributes</th><th scope="col">Remove</th></tr></thead>
    <tbody>\(users.map(row))</tbody></table>
    """
  }

  private func row(_ user: TestUser) -> HTML {
    let attributes = user.attributes.sorted { $0.key < $1.key }
      .map { "\($0.key): \($0.value.shortText.shortened(to: 60))" }.joined(separator: ", ")
    return """
      <tr><th scope="row">\(user.name.shortened())</th><td>\(attributes.shortened(to: 300))</td>
      <td>\(isReadOnly ? nil : remove(user))</td></tr>
      """
  }

  private func remove(_ user: TestUser) -> HTML {
    """
    <form method="post" action="\(site.path("/users/remove"))"><input type="hidden" name="name" value="\(exact: user.name)">\
    <button class="plain" aria-label="Remove \(user.name.shortened())">Remove</button></form>
    """
  }

  private func text(_ name: String) -> String { entered?[name] ?? "" }

  private var adding: HTML {
    """
    <section class="card" aria-labelledby="add-title"><h2 id="add-title">Add a test user</h2>
    <form method="post" action="\(site.path("/users"))" class="stack" id="users-form">
    <label>Name <input name="name" value="\(exact: text("name"))" autocomplete="off" required placeholder="Ana in Spain"></label>
    <label>User id <input name="id" value="\(exact: text("id"))" autocomplete="off" placeholder="ana"></label>
    <label>Country <input name="country" value="\(exact: text("country"))" autocomplete="off" placeholder="es"></label>
    <label>Segments <input name="segments" value="\(exact: text("segments"))" autocomplete="off" placeholder="beta, staff"></label>
    <label>Other attributes, as JSON
    <textarea name="attributes" rows="3" spellcheck="false" placeholder='{"age": 42}'>\(exact: text("attributes"))</textarea></label>
    <div class="buttons"><button class="primary" id="add">Add</button></div></form></section>
    """
  }

  private var importing: HTML {
    """
    <section class="card" aria-labelledby="import-title"><h2 id="import-title">Import</h2>
    <form method="post" action="\(site.path("/users/import"))" class="stack" id="import">
    <label hidden data-file-for="lines">A file of JSON lines <input type="file" accept=".jsonl,.json,.txt"></label>
    <label>A user on each line, as JSON
    <textarea name="lines" id="lines" rows="6" spellcheck="false" \
    placeholder='{"name": "Ana", "context": {"targetingKey": "ana"}}'>\(exact: text("lines"))</textarea></label>
    <p class="muted">Attributes alone are enough: then the user is named after the id. At most \(TestUser.maximumUsers) \
    users; one of a known name is replaced.</p>
    <div class="buttons"><button class="primary" id="import-users">Import</button></div></form></section>
    """
  }
}
