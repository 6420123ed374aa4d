import FlagComposition
import FlagConsole
import FlagConsoleEditor
import FlagDefinitions
import FlagDomain
import FlagEditing
import FlagHTTP
import Foundation
import Testing

@testable import FlagConsoleWeb

@Suite("Pages of the console")
struct PageTests {
  @Test("The list shows groups, values, sources and switches, and what a query wants")
  func lists() async throws {
    let web = try WebFixture()
    let all = try await web.ask(.get, "/").text
    #expect(all.contains("<h2>Shop</h2>") && all.contains("4 flags"))
    #expect(all.contains("id=\"/flags/new-profile/switch\""))
    #expect(all.contains("role=\"switch\" aria-checked=\"false\" aria-label=\"new-profile\""))
    let some = try await web.ask(.get, "/?q=PAGE&state=changed").text
    #expect(some.contains("1 of 4 flags") && some.contains("page-size") && !some.contains("The grid."))
    #expect(try await web.ask(.get, "/?q=nothing").text.contains("No such flag"))
    let few = try await web.ask(.get, "/?limit=1").text
    #expect(few.contains("href=\"/?limit=201\">Show more (3 left)"), "without a script, too")
  }

  @Test("Switching a flag that needs a restart asks first; switching others does not")
  func asksBeforeRestart() async throws {
    let flags = [
      Flag("engine", default: false, FlagMetadata("The engine.", requiresRestart: true)),
      Flag("lights", default: false, "The lights."),
    ]
    let web = try WebFixture(catalogs: [FlagCatalog("car", items: flags.map { .flag($0) })])
    let page = try await web.ask(.get, "/").text
    let forms = page.split(separator: "<form ").filter { $0.contains("/override") }
    #expect(forms.count == 2)
    // It is the server that asks, before it changes anything: with a page, or the script with the question alone.
    var fields = WebFixture.ours
    fields[HTTPFieldName("X-Console-Script") ?? .accept] = "1"
    let question = try await web.ask(.post, "/flags/engine/override", fields, form: ["value": "true"])
    #expect(question.status == .ok)
    #expect(question.text == "Restart required\nThe change takes effect when the program restarts.")
    let asked = try await web.ask(.post, "/flags/engine/override", form: ["value": "true"])
    #expect(asked.status == .ok && asked.text.contains("<h1>Restart required</h1>"))
    #expect(
      asked.text.contains("action=\"/flags/engine/override\"") && asked.text.contains("name=\"value\" value=\"true\""))
    #expect(web.console.row("engine")?.isWaitingForRestart == false)
    let form = ["value": "true", "confirmed": "1"]
    #expect(try await web.ask(.post, "/flags/engine/override", form: form).status == .seeOther)
    #expect(web.console.row("engine")?.isWaitingForRestart == true)
    #expect(try await web.ask(.get, "/").text.contains("1 flag waits for a restart."))
  }

  @Test("A group with a list of its own is a line that leads there; any other is a heading")
  func listsGroups() async throws {
    let style = FlagPresentation(groupStyle: .navigation)
    let web = try WebFixture(catalogs: [
      FlagCatalog("feed", FlagMetadata("", displayName: "Feed")) {
        Flag("likes", default: true, "Likes.")
        FlagCatalog("a/b", FlagMetadata("Moving.", displayName: "Video", presentation: style)) {
          Flag("autoplay", default: true, "Plays.")
        }
      }
    ])
    let page = try await web.ask(.get, "/").text
    #expect(page.contains("<h2>Feed</h2>") && page.contains("id=\"/flags/likes\"") && !page.contains("/flags/autoplay"))
    let link = try #require(page.firstMatch(of: /href="(\/\?group=[^"]+)" id="[^"]*">Video</)).1
    #expect(page.contains("<p class=\"source\">1 flag</p>"))
    let group = try await web.ask(.get, String(link)).text
    #expect(
      group.contains("<h1>Video</h1>") && group.contains("id=\"/flags/autoplay\"") && !group.contains("/flags/likes"))
    #expect(group.contains("<a href=\"/?group=feed\">") && group.contains("<title>Video · Flags</title>"))
    #expect(try await web.ask(.get, "/?group=feed").text.contains("<h1>Feed</h1>"))
    #expect(try await web.ask(.get, "/?q=plays").text.contains("<h2>Feed → Video</h2>"))
    #expect(try await web.ask(.get, "/?group=gone%2F%25zz").text.contains("<h1 class=\"sr\">Flags</h1>"))
  }

  @Test("Sources are tags of which several are chosen; overrides are cleared only where there are some")
  func filtersProviders() async throws {
    let web = try WebFixture()
    let page = try await web.ask(.get, "/").text
    #expect(page.contains("type=\"checkbox\" name=\"provider\" value=\"local\"><span>local</span>"))
    #expect(page.contains("id=\"clear-all\" disabled>"))
    let one = try await web.ask(.get, "/?provider=local").text
    #expect(one.contains("1 of 4 flags") && one.contains("value=\"local\" checked>"))
    let both = try await web.ask(.get, "/?provider=local&provider=in-house").text
    #expect(both.contains("2 of 4 flags") && both.contains("value=\"in-house\" checked>"))
    try web.console.override("page-size", with: 40)
    #expect(try await web.ask(.get, "/").text.contains("id=\"clear-all\">"))
  }

  @Test("What the list shows is what is shared as text")
  func sharesTheList() async throws {
    let web = try WebFixture()
    let list = try await web.ask(.get, "/?q=page&state=changed&limit=1").text
    #expect(list.contains("href=\"/share?q=page&amp;state=changed\""))
    let share = try await web.ask(.get, "/share?q=page&state=changed").text
    #expect(share.contains("href=\"/export.txt?q=page&amp;state=changed\""))
    #expect(share.contains("<a href=\"/?q=page&amp;state=changed\">"))
    let text = try await web.ask(.get, "/export.txt?q=page&state=changed").text
    #expect(text == "Shop → page-size [25 by local]\n")
    #expect(try await web.ask(.get, "/export.txt").text.split(separator: "\n").count == 4)
  }

  @Test("None is a button where a number may be none, and so is taking a provider's value away")
  func offersNone() async throws {
    let size = Flag("page-size", default: Int?.none, "Posts on a page, if any.")
    let web = try WebFixture(catalogs: [FlagCatalog("shop", items: [.flag(size)])])
    let page = try await web.ask(.get, "/flags/page-size").text
    #expect(page.contains("name=\"none\" value=\"1\">Override with none</button>"))
    #expect(
      page.contains("formaction=\"/flags/page-size/remove\" name=\"provider\" value=\"local\">Remove from local<"))
    let none = try await web.ask(.post, "/flags/page-size/override", form: ["value": "40", "none": "1"])
    #expect(none.status == .seeOther && web.console.row("page-size")?.value == .null)
    #expect(try await web.ask(.post, "/flags/page-size/clear").status == .seeOther)
    #expect(web.console.row("page-size")?.value == 25)
    #expect(try await web.ask(.post, "/flags/page-size/remove", form: ["provider": "local"]).status == .seeOther)
    #expect(web.console.row("page-size")?.source == "Default")
    #expect(try await !web.ask(.get, "/flags/page-size").text.contains("Remove from"))
  }

  @Test("A mark is a word in a color of the style sheet, without a style in the page; an empty text is said in words")
  func marks() async throws {
    let catalog = FlagCatalog("shop", items: [.flag(Flag("motto", default: "", "What it says."))])
    let web = try WebFixture(catalogs: [catalog]) { $0.mark = { _ in FlagMark("Server <1>", .blue) } }
    let page = try await web.ask(.get, "/").text
    #expect(page.contains("<li class=\"row tint-blue\"") && !page.contains("style="))
    #expect(page.contains("<span class=\"tag mark tint-blue\">Server &lt;1&gt;</span>"))
    #expect(page.contains("tabindex=\"-1\">empty text</a>"))
    let style = try await web.ask(.get, "/console.css").text
    for tint in FlagMark.Tint.allCases {
      // Once for light, once for dark.
      #expect(style.matches(of: try Regex("\\.tint-\(tint.rawValue) \\{ --tint: #")).count == 2)
    }
    #expect(try await web.ask(.get, "/flags/motto").text.contains("tint-blue"))
  }

  @Test("A form overrides, clears, undoes and leads back; what fails is shown where it was done, with what was entered")
  func changes() async throws {
    let web = try WebFixture()
    let set = try await web.ask(.post, "/flags/page-size/override", form: ["value": "40"])
    #expect(set.status == .seeOther && set.fields[.location] == "/flags/page-size")
    #expect(web.console.row("page-size")?.value == 40)
    let refused = try await web.ask(.post, "/flags/page-size/override", form: ["value": "1000"])
    #expect(refused.status == .unprocessableContent && refused.text.contains("value=\"1000\""))
    #expect(refused.text.contains("role=\"alert\">expected a whole number from 5 to 100 in steps of 5, found “1000”"))
    var fields = WebFixture.ours
    fields[HTTPFieldName("X-Console-Script") ?? .accept] = "1"
    let received = try await web.ask(.post, "/flags/page-size/override", fields, form: ["value": "x"])
    #expect(
      received.status == .unprocessableContent
        && received.text == "expected a whole number from 5 to 100 in steps of 5, found “x”")
    #expect(try await web.ask(.post, "/clear", fields).text == "Clear overrides\nClear the override?")
    #expect(try await web.ask(.post, "/clear", fields, form: ["confirmed": "1"]).status == .noContent)
    #expect(web.console.row("page-size")?.value == 25)
    #expect(try await web.ask(.post, "/undo").status == .seeOther && web.console.row("page-size")?.value == 40)
    #expect(try await web.ask(.post, "/flags/page-size/clear").status == .seeOther)
    let write = ["value": "30", "provider": "local"]
    #expect(try await web.ask(.post, "/flags/page-size/write", form: write).status == .seeOther)
    #expect(web.console.row("page-size")?.value == 30)
  }

  @Test("A flag's page begins with what everyone gets, its variants and its reads; what I get is apart")
  func beginsWithEveryone() async throws {
    let web = try WebFixture(editing: { $0.readers = { _ in ["Sources/Feed.swift:12:5"] } })
    let text = try await web.ask(.get, "/flags/new-profile").text
    let everyone = try #require(text.range(of: "id=\"everyone\"")?.lowerBound)
    #expect(try everyone < #require(text.range(of: "id=\"value\"")?.lowerBound))
    for part in [
      "<span class=\"big rather\">if country is one of es, pt, then on, else 10 % get on, 90 % get off</span>",
      "<dt>off, the default</dt><dd>off</dd>", "Sources/Feed.swift:12:5", "<h2 id=\"value-title\">For me</h2>",
    ] {
      #expect(text.contains(part), "\(part)")
    }
  }

  @Test("A detail shows the sources and explains the rule for the signed-in user")
  func details() async throws {
    let web = try WebFixture()
    let form = ["id": "ana", "country": "es", "segments": "a, b", "attributes": #"{"age": 3}"#]
    #expect(try await web.ask(.post, "/user", form: form).status == .seeOther)
    #expect(web.console.user == FlagUser(id: "ana", countryCode: "es", segments: ["a", "b"], attributes: ["age": 3]))
    let text = try await web.ask(.get, "/flags/new-profile").text
    for part in ["The rule chose “on”.", "For user ana.", "country is one of es, pt", "class=\"decides\"", "in-house"] {
      #expect(text.contains(part), "\(part)")
    }
    #expect(try await web.ask(.get, "/flags/gone").status == .notFound)
    #expect(try await web.ask(.post, "/user", form: ["id": "a", "attributes": "["]).status == .unprocessableContent)
    #expect(try await web.ask(.post, "/user", form: ["visitor": "1"]).status == .seeOther && web.console.user == nil)
  }

  @Test("An edited definition is reviewed, saved, and where someone else was faster shown beside theirs")
  func edits() async throws {
    let web = try WebFixture()
    let version = try #require(web.definitions.current?.version.rawValue)
    let rule = #"{"fractional": [["on", 10], ["off", 90]]}"#
    let base = PercentEncoding.encode(try web.editor.source(of: "new-profile"))
    var form = ["state": "ENABLED", "default": "off", "rule": rule, "version": version, "base": base]
    (form["was-0-0"], form["was-0-1"]) = ("10", "90")
    (form["share-0-0"], form["share-0-1"]) = ("50", "90")
    let review = try await web.ask(.post, "/flags/new-profile/review", form: form).text
    #expect(review.contains("[&quot;on&quot;, 50], [&quot;off&quot;, 50]"))
    #expect(review.contains("Users like these get a different variant"))
    form = form.filter { !$0.key.contains("-0-") }
    form["rule"] = "{\"nope\": [1]}"
    let broken = try await web.save("/flags/new-profile/definition", form: form)
    #expect(broken.status == .unprocessableContent && broken.text.contains("Not saved"))
    form["rule"] = rule
    #expect(try await web.save("/flags/new-profile/definition", form: form).status == .seeOther)
    (form["state"], form["rule"]) = ("DISABLED", #"{"fractional": [["on", 20], ["off", 80]]}"#)
    let conflict = try await web.save("/flags/new-profile/definition", form: form)
    #expect(conflict.status == .conflict && conflict.text.contains("Theirs, saved"))
    #expect(try await web.ask(.get, "/flags/new-profile/definition").text.contains("Edit the definition"))
    form["seen"] = conflict.text.seen
    #expect(try await web.ask(.post, "/flags/new-profile/definition", form: form).status == .seeOther)
    #expect(try web.editor.draft(of: "new-profile").isEnabled == false)
  }

  @Test("Exported overrides are compared, and imported")
  func shares() async throws {
    let (mine, theirs) = (try WebFixture(), try WebFixture())
    try mine.console.override("page-size", with: 40)
    let exported = try await mine.ask(.get, "/export.json").text
    let compared = try await theirs.ask(.post, "/share", form: ["overrides": exported]).text
    #expect(compared.contains("Override 1 flag") && theirs.console.row("page-size")?.value == 25)
    #expect(try await !theirs.ask(.get, "/share?overrides=%7B%22page-size%22%3A40%7D").text.contains("Override 1 flag"))
    let form = ["overrides": #"{"page-size": 40, "locked": "b"}"#]
    #expect(try await theirs.ask(.post, "/import", form: form).status == .seeOther)
    #expect(theirs.console.row("page-size")?.value == 40 && theirs.console.row("locked")?.value == "a")
    #expect(try await theirs.ask(.post, "/import", form: ["overrides": "["]).status == .unprocessableContent)
    #expect(try await mine.ask(.get, "/export.txt").text.contains("Shop → page-size [40 by override]\n"))
    #expect(exported.contains("\"version\": 1"))
  }

  @Test("A console without an editor shows flags and overrides alone, and pages of definitions say so")
  func showsFlagsAlone() async throws {
    let client = try FeatureFlagClient(catalogs: WebFixture.catalogs) {}
    let console = try ConsoleModel(
      catalogs: WebFixture.catalogs,
      ConsoleModel.Ports(snapshots: client.snapshots, overriding: client.overrides))
    let service = ConsoleService(console, ConsoleGate(token: "token", session: "session", name: "n")).service
    let list = try await WebFixture.ask(service, .get, "/").text
    #expect(list.contains("page-size") && !list.contains("New flag") && !list.contains("History"))
    let flag = try await WebFixture.ask(service, .get, "/flags/page-size").text
    #expect(flag.contains("id=\"override\"") && !flag.contains("Definition"))
    for path in ["/new", "/history", "/users", "/saved/undo", "/flags/page-size/edit", "/flags/page-size/delete"] {
      let page = try await WebFixture.ask(service, .get, path)
      #expect(page.status == .unprocessableContent && page.text.contains("this console has no definitions to edit"))
    }
  }

  @Test("A console that is read-only has no control that changes anything")
  func isReadOnly() async throws {
    let web = try WebFixture(options: { $0.isReadOnly = true })
    for path in ["/", "/flags/new-profile", "/share"] {
      let text = try await web.ask(.get, path).text
      // Asking as a user changes nothing that others see.
      #expect(!text.replacing("method=\"post\" action=\"/user\"", with: "").contains("method=\"post\""))
      #expect(!text.contains("/edit"))
    }
    #expect(try await web.ask(.post, "/user", form: ["id": "ana", "country": "es"]).status == .seeOther)
    #expect(web.console.row("new-profile")?.value == true && web.program.variation(for: WebFixture.profile) == false)
    #expect(try await web.ask(.post, "/flags/new-profile/override", form: ["value": "true"]).status.code == 422)
    let saved = try await web.ask(.post, "/flags/new-profile/definition", form: ["rule": "{}"])
    #expect(saved.status == .unprocessableContent)
  }
}
