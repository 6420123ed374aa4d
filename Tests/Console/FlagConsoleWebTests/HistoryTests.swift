import FlagComposition
import FlagConsole
import FlagConsoleEditor
import FlagDefinitions
import FlagDomain
import FlagEditing
import FlagHTTP
import FlagPublishing
import FlagServer
import Foundation
import TestSupport
import Testing

@testable import FlagConsoleWeb

@Suite("The history in a console")
struct HistoryTests {
  @Test("Revisions are listed with who published them, when and why, and the flags lead there")
  func lists() async throws {
    let fixture = try await Fixture()
    let page = try await fixture.ask(.get, "/history")
    #expect(page.status == .ok)
    for text in [
      #"<a href="/history/2">Revision 2</a> <span class="tag">current</span>"#, "2027-01-15T08:00:00Z</time> by ana",
      #"<a href="/history/1">Revision 1</a>"#, "to begin with",
    ] {
      #expect(page.text.contains(text), "\(text)")
    }
    #expect(try await fixture.ask(.get, "/").text.contains(#"href="/history""#))
  }

  @Test("A revision shows what it changed, and what going back would change")
  func shows() async throws {
    let fixture = try await Fixture()
    let second = try await fixture.ask(.get, "/history/2")
    #expect(second.text.contains("Changes since revision 1"))
    #expect(second.text.contains("<code>f</code> <span>default variant changed</span>"))
    #expect(second.text.contains("100 % of users get a different variant"))
    #expect(!second.text.contains("Go back to revision"), "it is current")
    let first = try await fixture.ask(.get, "/history/1")
    #expect(first.text.contains("<h2>Flags</h2>") && first.text.contains("<span>new flag</span>"))
    #expect(first.text.contains("Effect of going back from revision 2"))
    #expect(first.text.contains("default variant on to off") && first.text.contains("Go back to revision 1"))
    for path in ["/history/3", "/history/x"] {
      #expect(try await fixture.ask(.get, path).status == .notFound, "\(path)")
    }
  }

  @Test("A revision says what its rollouts change later, and so does going back to it")
  func tellsPlans() async throws {
    let fixture = try await Fixture()
    let steps = [RolloutSchedule.Step(percent: 10, time: 4_102_444_800)]
    let planned = Fixture.document("off").replacing(
      #""off"}}}"#,
      with: #""off", "targeting": \#(RolloutSchedule(variant: "on", steps: steps).rule(around: "", of: "f"))}}}"#)
    let time = #"<time datetime="2100-01-01T00:00:00Z">1 Jan 2100 00:00 UTC</time>"#
    let step = "From \(time)</strong> <span>10 % get on</span>"
    for (text, title) in [(planned, "Changes since revision 2"), (Fixture.document("off"), "Effect of going back")] {
      let head = try await fixture.store.head()
      try await fixture.store.publish(
        Array(text.utf8), expecting: head, percent: nil, note: PublicationNote(author: "eva"))
      let parts = try await fixture.ask(.get, "/history/3").text.components(separatedBy: step)
      #expect(parts.count == 2 && parts[0].contains(title), "what others have followed does not come")
    }
    #expect(try await !fixture.ask(.get, "/history/4").text.contains("class=\"planned\""))
  }

  @Test("A flag's page lists the revisions that changed it, and no others")
  func listsOwn() async throws {
    let fixture = try await Fixture()
    let other = Fixture.document("on").replacing(
      #"{"flags": {"#, with: #"{"flags": {"g": {"state": "ENABLED", "variants": {"a": true}}, "#)
    let head = try await fixture.store.head()
    try await fixture.store.publish(
      Array(other.utf8), expecting: head, percent: nil, note: PublicationNote(author: "eva"))
    let page = try await fixture.ask(.get, "/flags/f").text
    let own = try #require(page.firstMatch(of: /id="own-history".*?<\/section>/.dotMatchesNewlines())).0
    #expect(own.contains("Revision 2") && own.contains("Revision 1") && !own.contains("Revision 3"))
  }

  @Test("Going back publishes the old document as a new revision, once")
  func goesBack() async throws {
    let fixture = try await Fixture()
    let unseen = try await fixture.ask(.post, "/history/1/back", form: ["reason": "it failed"])
    #expect(unseen.status == .ok && unseen.text.contains("Not saved yet.") && unseen.text.contains("it failed"))
    #expect(try await fixture.store.head()?.revision.number == 2)
    let seen = try #require(unseen.text.seen)
    let answer = try await fixture.ask(.post, "/history/1/back", form: ["reason": "it failed", "seen": seen])
    #expect(answer.status == .seeOther && answer.fields[.location] == "/history")
    let head = try #require(try await fixture.store.head())
    #expect(head.revision.number == 3)
    #expect(head.revision.note == PublicationNote(author: "kim", reason: "back to revision 1: it failed"))
    #expect(try await fixture.store.text(of: 3) == Array(Fixture.document("off").utf8))
    let again = try await fixture.ask(.post, "/history/2/back", form: ["seen": seen])
    #expect(again.status == .ok && again.text.contains("Not saved yet."))
    #expect(try await fixture.store.head() == head)
  }

  @Test("What is saved is published with who saved it, and not while a candidate is out")
  func saves() async throws {
    let fixture = try await Fixture()
    let form = ["version": "2", "state": "ENABLED", "default": "off", "rule": ""]
    let saved = try await fixture.save("/flags/f/definition", form: form)
    #expect(saved.status == .seeOther)
    let head = try #require(try await fixture.store.head())
    #expect(head.revision.note == PublicationNote(author: "kim", reason: "edited f"))
    let late = try await fixture.save("/flags/f/definition", form: form)
    #expect(late.status == .seeOther, "nothing is left to save")
    #expect(try await fixture.store.head() == head)
    try await fixture.store.publish(
      Array(Fixture.document("on").utf8), expecting: head, percent: 10, note: PublicationNote(author: "eva"))
    let refused = try await fixture.save(
      "/flags/f/definition", form: ["version": "3", "state": "DISABLED", "default": "off", "rule": ""])
    #expect(refused.status == .unprocessableContent && refused.text.contains("Revision 4 is being tried on 10 %"))
    let page = try await fixture.ask(.get, "/history")
    #expect(
      page.text.contains("Revision 4 is being tried on 10 % of the\nservers.")
        || page.text.contains("Revision 4 is being tried on 10 % of the servers."))
    #expect(try await fixture.ask(.get, "/history/1").text.contains("A candidate is being tried"))
    #expect(try await fixture.save("/history/2/back", form: [:]).status == .unprocessableContent)
    #expect(try await fixture.store.head()?.candidate?.revision.number == 4)
  }

  @Test("A console that changes nothing shows no way back, and refuses one")
  func isReadOnly() async throws {
    let fixture = try await Fixture { $0.isReadOnly = true }
    #expect(!(try await fixture.ask(.get, "/history/1").text.contains("Go back to revision")))
    #expect(try await fixture.ask(.post, "/history/1/back", form: ["current": "2"]).status == .unprocessableContent)
    #expect(try await fixture.store.head()?.revision.number == 2)
  }

  @Test("What people wrote is escaped")
  func escapes() async throws {
    let fixture = try await Fixture()
    let head = try await fixture.store.head()
    try await fixture.store.publish(
      Array(Fixture.document("off").utf8), expecting: head, percent: nil,
      note: PublicationNote(author: #""><b>"#, reason: "<script>alert(1)</script>"))
    for path in ["/history", "/history/3"] {
      let text = try await fixture.ask(.get, path).text
      #expect(!text.contains("<b>") && !text.contains("<script>alert"), "\(path)")
      #expect(text.contains("&lt;script&gt;alert(1)&lt;/script&gt;") && text.contains("&quot;&gt;&lt;b&gt;"))
    }
  }

  @Test("Nobody else goes back, and nobody without a history sees one")
  func isGuarded() async throws {
    let fixture = try await Fixture()
    let foreign: HTTPFields = [
      .host: "127.0.0.1:1", .origin: "http://evil.example", .cookie: "console-n=session",
    ]
    let answer = try await fixture.ask(.post, "/history/1/back", foreign, form: ["current": "2"])
    #expect(answer.status == .forbidden)
    #expect(try await fixture.store.head()?.revision.number == 2)
    let other = try WebFixture()
    #expect(try await other.ask(.get, "/history").status == .notFound)
    #expect(!(try await other.ask(.get, "/").text.contains("/history")))
  }
}

/// A console over a set in memory, of which two revisions were published.
private struct Fixture {
  let store: InMemoryPublishedStore
  let service: Service

  init(options edit: (inout ConsoleModel.Options) -> Void = { _ in }) async throws {
    store = InMemoryPublishedStore { 1_800_000_000 }
    let first = try await store.publish(
      Array(Self.document("off").utf8), expecting: nil, percent: nil,
      note: PublicationNote(author: "ana", reason: "to begin with"))
    try await store.publish(
      Array(Self.document("on").utf8), expecting: first, percent: nil, note: PublicationNote(author: "ana"))
    let catalogs = [FlagCatalog("shop") { Flag("f", default: false, "The flag.") }]
    let client = try FeatureFlagClient(catalogs: catalogs) {}
    var options = ConsoleModel.Options()
    edit(&options)
    var editing = DefinitionEditor.Options()
    editing.author = "kim"
    let console = try ConsoleModel(
      catalogs: catalogs,
      ConsoleModel.Ports(snapshots: client.snapshots),
      editor: DefinitionEditor(store, publishing: store, options: editing), options: options)
    service = ConsoleService(console, ConsoleGate(token: "token", session: "session", name: "n")).service
  }

  func ask(
    _ method: HTTPMethod, _ target: String, _ fields: HTTPFields = WebFixture.ours, form: [String: String] = [:]
  ) async throws -> HTTPResponse {
    try await WebFixture.ask(service, method, target, fields, form: form)
  }

  func save(_ target: String, form: [String: String]) async throws -> HTTPResponse {
    try await WebFixture.save(service, target, form: form)
  }

  static func document(_ variant: String) -> String {
    #"{"flags": {"f": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "\#(variant)"}}}"#
  }
}
