import FeedFlags
import FlagComposition
import FlagConsole
import FlagConsoleEditor
import FlagConsoleWeb
import FlagDefinitions
import FlagDomain
import Testing

@Suite("Guide to the console")
struct ConsoleGuide {
  @Test("What the guide shows holds")
  func holds() async throws {
    let flags = try FeatureFlagClient(catalogs: [FeedFlags.catalog]) {}
    let console = try ConsoleModel(
      catalogs: flags.catalogs,
      ConsoleModel.Ports(
        snapshots: flags.snapshots, overriding: flags.overrides, writing: flags.writer, observing: flags.observer,
        authenticator: flags.authenticator))
    let server = try FlagConsoleServer(console)
    print(server.url)
    #expect(server.url.hasPrefix("http://127.0.0.1:"))

    let store = try InMemoryDefinitionStore(#"{"flags": {}}"#)
    let editing = try ConsoleModel(
      catalogs: flags.catalogs, ConsoleModel.Ports(snapshots: flags.snapshots, overriding: flags.overrides),
      editor: DefinitionEditor(store))
    #expect(editing.list().total == console.list().total)

    let cookie = ""
    let pages = try FlagConsolePages(console, at: "/admin/flags", origin: "https://example.com", access: .server)
    let response = await pages.response(
      to: .init("GET", "/admin/flags/?q=page", fields: [.init("Host", "example.com"), .init("Cookie", cookie)]))
    #expect(response.status == 200)

    @Sendable func signedIn(_ request: FlagConsolePages.Request) -> String? { nil }
    let known = try FlagConsolePages(
      console, at: "/admin/flags", origin: "https://example.com",
      access: .policy { request in signedIn(request).map { FlagConsolePerson($0, may: .edit, ["prod": .view]) } })
    let request = FlagConsolePages.Request("GET", "/admin/flags/", fields: [.init("Host", "example.com")])
    #expect(await known.response(to: request).status == 401)
    let environments = try FlagEnvironments([("dev", console), ("prod", console)])
    let sides = try FlagConsolePages(environments, at: "/admin/flags", access: .server)
    #expect(sides.start == "/admin/flags/")

    for row in console.list(FlagQuery("page size", filters: [.overridden])).rows {
      print(row.path, row.stateText, row.source)
    }
    if let pending = try console.submit(.override(key: "feed.page-size", entering: "40")) {
      print(pending.question.message)  // to go on: try console.apply(pending.change)
    }
    let following = console.subscribe { revision in print("changed:", revision) }
    #expect(console.list(FlagQuery("page size", filters: [.overridden])).rows.map(\.stateText) == ["overridden 40"])
    following.cancel()
    await server.stop()
  }

  private func print(_ items: Any...) {}
}
