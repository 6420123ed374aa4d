import FlagConsole
import FlagConsoleEditor
import FlagDomain
import FlagHTTP
import FlagPublishing
import FlagServer

/// The routes of the page of test users.
struct UserRoutes {
  let sites: ConsoleSites

  /// All routes; without a store of test users, each responds with an error page.
  var all: [Router.Route] {
    [
      sites.editing(.get, "/users") { site, editor, _ in
        guard editor.hasTestUsers else { throw FlagError(.flagNotFound, "This console has no test users.") }
        await editor.refreshTestUsers()
        return UsersPage(site: site, editor: editor, problem: editor.testUsersProblem?.message).response
      },
      change("/users") { editor, form throws(FlagError) in
        try await editor.addTestUsers([try TestUser(form)])
      },
      change("/users/remove") { editor, form throws(FlagError) in
        try await editor.removeTestUser(named: form["name"] ?? "")
      },
      change("/users/import") { editor, form throws(FlagError) in
        try await editor.importTestUsers(form["lines"] ?? "")
      },
    ] + ["/users/remove", "/users/import"].map { sites.leading($0) { site, _ in site.path("/users") } }
  }

  private func change(
    _ pattern: RoutePattern,
    _ change: @escaping @Sendable (DefinitionEditor, ConsoleForm) async throws(FlagError) -> Void
  ) -> Router.Route {
    sites.editing(.post, pattern) { site, editor, request in
      let form = ConsoleForm(request.message.body)
      guard editor.hasTestUsers else { throw FlagError(.flagNotFound, "This console has no test users.") }
      do throws(FlagError) {
        try await change(editor, form)
        return HTTPResponse(seeing: site.path("/users"))
      } catch {
        return UsersPage(site: site, editor: editor, problem: error.message, entered: form).response
      }
    }
  }
}

extension TestUser {
  /// Reads a test user from the fields of a form.
  fileprivate init(_ form: ConsoleForm) throws(FlagError) {
    let text = form["attributes"] ?? ""
    var attributes = text.allSatisfy(\.isWhitespace) ? [:] : try ConsoleModel.attributes(text)
    for (field, name) in [("id", "targetingKey"), ("country", "countryCode")] {
      if let value = form[field], !value.isEmpty { attributes[name] = .string(value) }
    }
    let segments = (form["segments"] ?? "").listed
    if !segments.isEmpty { attributes["segments"] = .array(segments.map { .string($0) }) }
    self.init(name: form["name"] ?? "", attributes: attributes)
  }
}
