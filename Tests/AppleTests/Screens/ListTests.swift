import FlagComposition
import FlagConsoleUI
import FlagDomain
import SwiftUI
import Testing

@MainActor
@Suite("The list of flags")
struct ListTests {
  private let app: App
  private let screen: Screen
  init() throws {
    app = try App()
    screen = app.screen
  }

  @Test("M17: all flags are listed, and searched in any case")
  func searches() throws {
    print(screen.text)
    try screen.search("LIKE")
    print(screen.text)
    #expect(!screen.shows("feed.page-size"))
    try screen.search("")
    #expect(screen.shows("feed.page-size"))
  }
}
