import FlagConsoleEditor
import FlagDefinitions
import FlagDomain
import FlagEditing
import FlagHTTP
import FlagServer

/// The routes of the editor of definitions: showing, reviewing and saving one.
struct DefinitionRoutes {
  let sites: ConsoleSites

  var all: [Router.Route] {
    ["edit", "definition", "review"].map { action in
      sites.editing(.get, RoutePattern("/flags/{key}/\(action)")) { site, editor, request in
        await editor.refreshTestUsers()
        return try DefinitionSaving(site, editor, request.flagKey, nil).review()
      }
    } + [
      sites.editing(.post, "/flags/{key}/review") { site, editor, request in Self.review(site, editor, request) },
      sites.editing(.post, "/flags/{key}/definition") { site, editor, request in
        try await DefinitionSaving(site, editor, request.flagKey, ConsoleForm(request.message.body)).response()
      },
    ]
  }

  private static func review(_ site: Site, _ editor: DefinitionEditor, _ request: ServerRequest) -> HTTPResponse {
    do throws(FlagError) {
      return try DefinitionSaving(site, editor, request.flagKey, ConsoleForm(request.message.body)).review()
    } catch {
      return HTTPResponse(.unprocessableContent, text: error.message)
    }
  }
}

/// The editor's form as it was sent: over the definition that it was made from, and the edits of others since.
private struct DefinitionSaving {
  private let site: Site
  private let key: String
  private let form: EditorForm
  private let edited: EditedDefinition?
  private let base: String
  private let version: DefinitionVersion
  private let taken: Set<String>
  private let saving: SaveRequest
  /// Whether others changed the flag, and the form that was sent does not have their changes.
  private let isOutdated: Bool
  private let isSent: Bool

  /// Reads a form; nil for the form of a definition that nobody has edited.
  init(_ site: Site, _ editor: DefinitionEditor, _ key: String, _ sent: ConsoleForm?) throws(FlagError) {
    (self.site, self.key) = (site, key)
    let base = sent?["base"].flatMap { PercentEncoding.decode($0[...]) }
    let (stored, gone) = try Self.stored(key, in: editor, sent, base)
    version = stored.version
    let current = try gone == nil ? editor.source(of: key) : nil
    taken = Set(
      (sent?.fields ?? []).filter { $0.name.hasPrefix("side-") && $0.value == "theirs" }.map {
        String($0.name.dropFirst(5))
      })
    let form =
      try sent.map { sent throws(FlagError) in
        let edited = try base.map { base throws(FlagError) in
          try DefinitionDraft(key, over: base, version: stored.version)
        }
        return EditorForm(sent, over: edited ?? stored)
      } ?? EditorForm(stored)
    var (edited, problem): (EditedDefinition?, FlagError?) = (nil, gone ?? form.problem)
    if problem == nil {
      do throws(FlagError) {
        edited = try editor.edited(form.draft, base: base, takingTheirsOf: taken)
      } catch {
        problem = error
      }
    }
    self.edited = edited
    isSent = sent != nil
    isOutdated = edited?.others != nil || base == nil && sent?["version"].map { $0 != stored.version.rawValue } == true
    let isMerged = edited?.others?.conflicts.isEmpty == true
    self.form = isMerged ? edited.map { EditorForm($0.draft) } ?? form : form
    self.base = edited?.base ?? base ?? current ?? ""
    let isText = problem?.code == .parseError && form.problem == nil
    saving = SaveRequest(
      edited?.change ?? (isText ? DocumentChange(form.draft) : nil), problem: isText ? nil : problem, sent, on: site,
      editor, cancel: site.path(ofFlag: key))
  }

  /// Returns the definition that the document has; if it is gone, the one that the form was made from, and the reason.
  private static func stored(
    _ key: String, in editor: DefinitionEditor, _ sent: ConsoleForm?, _ base: String?
  ) throws(FlagError) -> (draft: DefinitionDraft, gone: FlagError?) {
    do throws(FlagError) {
      return (try editor.draft(of: key), nil)
    } catch {
      guard error.code == .flagNotFound, let base, let version = sent?["version"] else { throw error }
      let draft = try DefinitionDraft(key, over: base, version: DefinitionVersion(rawValue: version))
      let words = "This flag was deleted or renamed meanwhile. What you edited is still here, so that you can copy it."
      return (draft, FlagError(.flagNotFound, words))
    }
  }

  /// Returns the part of the page that a script shows while the form is edited; saving shows the edits of others first.
  func review() throws(FlagError) -> HTTPResponse {
    try saving.review { card throws(FlagError) in
      var card = card
      if isOutdated {
        card.isWhole = false
        card.warning = "Someone else changed this flag meanwhile. Saving shows both changes first."
      }
      return page(card)
    }
  }

  func response() async throws -> HTTPResponse { try await saving.response(then: site.path(ofFlag: key), page) }

  private func page(_ card: ReviewCard) -> HTTPResponse {
    EditorPage(
      site: site, form: form, card: card, base: base, version: version, isEdited: isSent, others: edited?.others,
      taken: taken
    ).response
  }
}
