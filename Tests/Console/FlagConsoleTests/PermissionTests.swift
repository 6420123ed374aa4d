import FlagComposition
import FlagConsole
import FlagConsoleEditor
import FlagDefinitions
import FlagDomain
import FlagEditing
import FlagProviders
import FlagPublishing
import TestSupport
import Testing

@Suite("Permissions of people")
struct PermissionTests {
  @Test("A person may make the changes of their permission, and the model refuses all others", arguments: Attempt.all)
  func refuses(attempt: Attempt) async throws {
    for permission in FlagConsolePermission.allCases {
      let fixture = try ConsoleFixture(["engine": true])
      let session = fixture.console.session(for: FlagConsolePerson("maria", may: permission))
      try fixture.console.override("feed.page-size", with: 40)
      let before = State(fixture)
      var isRefused = false
      do { try await attempt.change(session) } catch { isRefused = true }
      if permission < attempt.needs {
        #expect(isRefused && State(fixture) == before, "\(permission)")
      } else {
        #expect(!isRefused && State(fixture) != before, "\(permission)")
      }
    }
  }

  @Test("Everyone may look, ask as a user and review, and sees what is not permitted")
  func tells() throws {
    let fixture = try ConsoleFixture()
    let viewer = fixture.console.session(for: FlagConsolePerson("vera", may: .view))
    let tester = fixture.console.session(for: FlagConsolePerson("tom", may: .override))
    let editor = fixture.console.session(for: FlagConsolePerson("eva", may: .edit))
    for session in [viewer, tester, editor] {
      try session.signIn(FlagUser(id: "ana", countryCode: "es", attributes: ["age": 30]))
      #expect(session.row("new-profile")?.value == true)
      #expect(try session.existingEditor.review(session.existingEditor.draft(of: "new-profile")).isServable)
    }
    #expect(viewer.row("new-profile")?.lockReason == "vera may look at flags here, and change nothing.")
    #expect(tester.row("new-profile")?.lockReason == nil && editor.row("new-profile")?.lockReason == nil)
    #expect(tester.access.notice == "tom may override flags here, and not edit their definitions.")
    let details = [viewer, tester, editor].map { $0.detail("new-profile") }
    #expect(details.map { $0?.definition?.isEditable } == [false, false, true])
    #expect(details.map { $0?.writableProviders } == [[], [], ["local"]])
    #expect(editor.access.notice == nil && fixture.console.access.notice == nil)
    #expect(viewer.list().clearingQuestion == nil)
  }

  @Test("An environment's own permission counts there, and a read-only console is one for everybody")
  func varies() throws {
    let console = try ConsoleFixture().console
    let person = FlagConsolePerson("maria", may: .edit, ["prod": .view])
    #expect(console.session(for: person, in: "dev").access.permission == .edit)
    #expect(console.session(for: person, in: "prod").access.permission == .view)
    #expect(console.session(for: person).access.permission == .edit && console.access.permission == .edit)
    let readOnly = try ConsoleFixture(options: { $0.isReadOnly = true }).console
    #expect(readOnly.session(for: person, in: "dev").access.permission == .view)
    #expect(readOnly.session().access.permission == .view)
    // A session of a session allows no more than that.
    let viewer = console.session(for: person, in: "prod")
    #expect(viewer.session().access.permission == .view)
    #expect(viewer.session(for: person, in: "dev").access.permission == .view)
    #expect(viewer.session().access.person == person)
  }

  @Test("The author of published changes is the person")
  func signsHistory() async throws {
    let store = InMemoryPublishedStore { 0 }
    _ = try await store.publish(
      Array(Shop.document.utf8), expecting: nil, percent: nil, note: PublicationNote(author: "ci", reason: ""))
    let fixture = try ConsoleFixture(editor: { _, _ in DefinitionEditor(store, publishing: store) })
    let editor = try fixture.console.session(for: FlagConsolePerson("maria", may: .edit)).existingEditor
    var draft = try editor.draft(of: "new-profile")
    draft.isEnabled = false
    try await editor.save(draft)
    #expect(try await editor.history().revisions.first?.note.author == "maria")
  }
}

/// A change that needs a permission.
struct Attempt: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let needs: FlagConsolePermission
  let change: @Sendable (ConsoleModel) async throws -> Void

  private init(
    _ name: String, _ needs: FlagConsolePermission, _ change: @escaping @Sendable (ConsoleModel) async throws -> Void
  ) {
    (testDescription, self.needs, self.change) = (name, needs, change)
  }

  static let all = [
    Attempt("override", .override) { try $0.override("new-profile", with: true) },
    Attempt("override by text", .override) { try $0.override("new-profile", entering: "true") },
    Attempt("apply", .override) { try $0.apply(.override(key: "new-profile", entering: "true")) },
    Attempt("submit", .override) { _ = try $0.submit(.override(key: "new-profile", entering: "true")) },
    Attempt("clear", .override) { try $0.clearOverride(of: "feed.page-size") },
    Attempt("clear all", .override) { try $0.clearOverrides() },
    Attempt("import", .override) { try $0.importOverrides(#"{"new-profile": true}"#) },
    Attempt("write", .edit) { try $0.write(.set(30), to: "feed.page-size", in: ["local"]) },
    Attempt("apply a write", .edit) { try $0.apply(.write(key: "feed.page-size", entering: "30", provider: "local")) },
    Attempt("remove", .edit) { try $0.apply(.remove(key: "feed.page-size", provider: "local")) },
    Attempt("save", .edit) { console in
      let editor = try console.existingEditor
      var draft = try editor.draft(of: "new-profile")
      draft.isEnabled = false
      try await editor.save(draft)
    },
  ]
}

private struct State: Equatable {
  let overrides: [FlagKey: FlagValue]
  let text: [UInt8]?
  let values: [FlagKey: FlagValue]

  init(_ fixture: ConsoleFixture) {
    (overrides, text) = (fixture.overrides.stored, fixture.definitions.current?.text)
    values = fixture.local.values
  }
}
