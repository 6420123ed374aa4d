import FeedFlags
import FlagComposition
import FlagConsole
import FlagConsoleWeb
import FlagDomain
import Testing

@Suite("Guide to the console")
struct ConsoleGuide {
  @Test("What the guide shows holds")
  func holds() async throws {
    let flags = try FeatureFlagClient(catalogs: [FeedFlags.catalog]) {}
    let console = try FlagBrowser(
      catalogs: flags.catalogs,
      FlagBrowser.Ports(
        snapshots: flags.snapshots, overriding: flags.overrides, writing: flags.writer, observing: flags.observer,
        authenticator: flags.authenticator))
    let server = try FlagConsoleServer(console)
    print(server.url)
    #expect(server.url.hasPrefix("http://127.0.0.1:"))

    for row in console.list(FlagQuery("page size", filters: [.overridden])).rows {
      print(row.path, row.stateText, row.source)
    }
    try console.override("feed.page-size", entering: "40")
    let following = console.subscribe { revision in print("changed:", revision) }
    #expect(console.list(FlagQuery("page size", filters: [.overridden])).rows.map(\.stateText) == ["overridden 40"])
    following.cancel()
    await server.stop()
  }

  private func print(_ items: Any...) {}
}
