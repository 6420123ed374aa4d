import FlagConsole
import FlagConsoleEditor
import FlagDefinitions
import FlagDomain
import FlagEditing
import FlagHTTP
import FlagPublishing
import TestSupport
import Testing

@testable import FlagConsoleWeb

@Suite("Saving a definition on pages")
struct SavingTests {
  @Test("A review has the difference in words and lines, and the test users who move before all others")
  func reviews() async throws {
    let web = try await Self.fixture()
    var form = try await EditorTests.form(web)
    form["rule"] = form["rule"]?.replacing("[\"es\", \"pt\"]", with: "[\"es\", \"us\"]")
    let page = try await web.ask(.post, "/flags/new-profile/review", form: form).text
    for text in [
      "<li>us added to country</li><li>pt removed from country</li>", "<span class=\"sr\">added: </span>",
      "1 of 2 test users gets another variant.", "<th scope=\"row\">Cara</th><td>off</td><td>→ on</td>",
    ] {
      #expect(page.contains(text), "\(text)")
    }
    let places = ["Cara", "Ana", "Users like these"].compactMap { page.firstRange(of: $0)?.lowerBound }
    #expect(places.count == 3 && places == places.sorted())
  }

  @Test("After saving, a notice on each page leads to a reviewed way back, until it is dismissed")
  func undoes() async throws {
    let web = try await Self.fixture()
    #expect(try await web.ask(.get, "/saved/undo").status == .notFound)
    var form = try await EditorTests.form(web)
    form["state"] = "DISABLED"
    #expect(try await web.save("/flags/new-profile/definition", form: form).status == .seeOther)
    #expect(try await web.ask(.get, "/").text.contains("Saved: edited new-profile"))
    let undo = try await web.ask(.get, "/saved/undo").text
    #expect(undo.contains("<li>switched on</li>") && undo.contains(">Undo</button>"))
    let answer = try await web.save("/saved/undo", form: [:])
    #expect(answer.status == .seeOther && answer.fields[.location] == "/flags/new-profile")
    #expect(web.definitions.current.map { String(decoding: $0.text, as: UTF8.self) } == WebFixture.document)
    #expect(try await web.ask(.post, "/saved/dismiss").status == .seeOther)
    #expect(try await !web.ask(.get, "/").text.contains("Saved: "))
  }

  @Test("Of two people, the second one gets both changes in the form, or chooses a side for what both changed")
  func merges() async throws {
    let web = try await Self.fixture()
    let opened = try await EditorTests.form(web)
    func save(_ edits: [String: String]) async throws -> HTTPResponse {
      try await web.ask(.post, "/flags/new-profile/definition", form: opened.merging(edits) { $1 })
    }
    #expect(
      try await web.save("/flags/new-profile/definition", form: opened.merging(["default": "on"]) { $1 }).status
        == .seeOther)
    let merged = try await save(["state": "DISABLED"])
    #expect(merged.status == .ok && merged.text.contains("Both changes are in the form"))
    #expect(merged.text.contains("<li>default variant off to on</li>"))
    var form = try await EditorTests.form(web)
    form["state"] = "DISABLED"
    form["seen"] = merged.text.seen
    #expect(try await web.ask(.post, "/flags/new-profile/definition", form: form).status == .seeOther)
    let conflict = try await save(["default": ""])
    #expect(conflict.status == .conflict && conflict.text.contains("Choose a side for each part"))
    let side = try #require(conflict.text.firstMatch(of: /name="(side-[^"]+)" value="theirs"/)).1
    let theirs = try await save(["default": "", String(side): "theirs"])
    #expect(theirs.status == .seeOther, "nothing is left to save")
    #expect(try web.editor.draft(of: "new-profile").defaultVariant == "on")
    let seen = try #require(conflict.text.seen)
    #expect(try await save(["default": "", "seen": seen]).status == .seeOther)
    let draft = try web.editor.draft(of: "new-profile")
    #expect(draft.defaultVariant == nil && draft.isEnabled == false)
  }

  @Test("Test users are added, imported and removed by forms; what is refused stays in the form")
  func keepsUsers() async throws {
    let web = try await Self.fixture()
    let added = ["name": "Dan", "id": "d", "country": "de", "segments": "beta, staff", "attributes": #"{"age": 9}"#]
    #expect(try await web.ask(.post, "/users", form: added).status == .seeOther)
    #expect(
      web.editor.testUsers.last?.attributes
        == ["targetingKey": "d", "countryCode": "de", "segments": ["beta", "staff"], "age": 9])
    let refused = try await web.ask(.post, "/users", form: ["name": "Eve", "attributes": "["])
    #expect(refused.status == .unprocessableContent && refused.text.contains(#"name="name" value="Eve""#))
    let lines = "{\"name\": \"Fay\", \"context\": {\"a\": 1}}\r\n{\"targetingKey\": \"g\"}\r\n"
    #expect(try await web.ask(.post, "/users/import", form: ["lines": lines]).status == .seeOther)
    let bad = try await web.ask(.post, "/users/import", form: ["lines": "{}\n3"])
    #expect(bad.text.contains("line 2: expected an object of attributes, found integer"))
    #expect(try await web.ask(.post, "/users/remove", form: ["name": "Ana"]).status == .seeOther)
    #expect(web.editor.testUsers.map(\.name) == ["Cara", "Dan", "Fay", "g"])
    let page = try await web.ask(.get, "/users").text
    #expect(page.contains("4 test users") && page.contains("countryCode: de"))
    #expect(try await WebFixture().ask(.get, "/users").status == .notFound)
  }

  @Test("A read-only console has test users, and changes none; what people wrote is escaped")
  func isGuarded() async throws {
    let evil = "<script>alert(1)</script>\"><b>"
    let users = [TestUser(name: evil, attributes: [evil: .string(evil)])]
    let web = try WebFixture(options: { $0.isReadOnly = true }, testUsers: InMemoryTestUserStore(users))
    let page = try await web.ask(.get, "/users").text
    #expect(!page.contains("action=\"/users") && !page.contains("<script>alert") && !page.contains("<b>"))
    #expect(try await web.ask(.post, "/users/remove", form: ["name": evil]).status == .unprocessableContent)
    #expect(web.editor.testUsers.count == 1)
    let foreign: HTTPFields = [.host: "127.0.0.1:1", .origin: "http://evil.example", .cookie: "console-n=session"]
    for path in ["/users", "/users/remove", "/users/import", "/saved/undo", "/saved/dismiss"] {
      #expect(try await web.ask(.post, path, foreign).status == .forbidden, "\(path)")
    }
  }

  private static func fixture() async throws -> WebFixture {
    let users = [
      TestUser(name: "Ana", attributes: ["targetingKey": "ana", "countryCode": "es"]),
      TestUser(name: "Cara", attributes: ["targetingKey": "u4", "countryCode": "us"]),
    ]
    return try WebFixture(testUsers: InMemoryTestUserStore(users))
  }
}
