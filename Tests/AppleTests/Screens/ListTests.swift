import FlagComposition
import FlagConsole
import FlagConsoleUI
import FlagDomain
import SwiftUI
import Testing

@MainActor
@Suite("The list of flags, on a screen")
struct ListTests {
  @Test("M17, O16, R44: all flags are under one title, and are found by any part of their names, in any case")
  func searches() throws {
    let screen = try App().screen
    #expect(screen.shows("# Flags"))
    for title in ["New profile", "Page size", "Theme", "Video"] { #expect(screen.shows(title)) }
    try screen.search("PROF")
    #expect(screen.shows("New profile") && !screen.shows("Page size"))
    // A flag in a group with a list of its own is found from the first list.
    try screen.search("autoplay")
    #expect(screen.shows("Autoplay") && screen.shows("Section 'App → Video'"))
    try screen.search("nothing like it")
    #expect(screen.shows("No flag matches\n") || screen.shows("No flag matches ·"))
    try screen.search("")
    #expect(screen.shows("Page size"))
  }

  @Test("M18, U24: an overridden flag says so, and its button goes back to the default")
  func goesBack() throws {
    let app = try App()
    let screen = app.screen
    #expect(throws: Screen.Failure.self) { try screen.tap("Default (off)", in: "New profile") }
    try screen.tap("New profile", in: "New profile", as: .toggle)
    #expect(app.client.manager.variation(for: AppFlags.profile))
    #expect(screen.row("New profile").contains("Toggle 'New profile': on"))
    #expect(screen.row("New profile").contains("Button 'Overridden'"))
    try screen.tap("Default (off)", in: "New profile")
    #expect(!app.client.manager.variation(for: AppFlags.profile))
    #expect(!screen.row("New profile").contains("Overridden"))
  }

  @Test("U24: a tap on a tag clears an override, and explains anything else")
  func tapsTags() throws {
    let app = try App(["page-size": "many"])
    let screen = app.screen
    try screen.tap("New profile", in: "New profile", as: .toggle)
    try screen.tap("Overridden", in: "New profile")
    #expect(!app.client.manager.variation(for: AppFlags.profile))
    try screen.tap("Error", in: "Page size")
    #expect(screen.text.hasPrefix("alert\n  Error\n") && screen.shows("many"))
    try screen.tap("OK")
    try screen.tap("Locked", in: "Fixed")
    #expect(screen.shows("The flag is locked: it can be changed only in code."))
    try screen.tap("OK")
    #expect(screen.shows("# Flags"))
  }

  @Test("O13: what is on is green, what is off red, what is overridden underlined")
  func colors() throws {
    let screen = try App().screen
    #expect(screen.row("New profile").contains("New profile (red)"))
    #expect(screen.row("Fixed").contains("Fixed (green)"))
    #expect(screen.row("Page size").contains("Page size (primary)"))
    try screen.tap("New profile", in: "New profile", as: .toggle)
    #expect(screen.row("New profile").contains("New profile (green, underlined)"))
  }

  @Test("O14: swipes switch on and off, and go back, and are felt; a group has none")
  func swipes() throws {
    let app = try App()
    let screen = app.screen
    #expect(screen.swipes("New profile", from: .trailing) == ["On", "Off (same as now)"])
    #expect(screen.swipes("New profile", from: .leading) == [])
    let felt = Felt.count
    try screen.swipe("New profile", from: .trailing, "On")
    #expect(Felt.count == felt + 1)
    #expect(screen.swipes("New profile", from: .trailing) == ["Off"])
    #expect(screen.swipes("New profile", from: .leading) == ["Default (off)"])
    try screen.swipe("New profile", from: .trailing, "Off")
    #expect(screen.swipes("New profile", from: .trailing) == ["On"])
    try screen.swipe("New profile", from: .leading, "Default (off)")
    #expect(app.client.overrides.overrides.isEmpty)
    #expect(screen.swipes("Video", from: .trailing) == [] && screen.swipes("Video", from: .leading) == [])
  }

  @Test("O15: a remote control and a pointer have the same actions in a menu")
  func hasMenus() throws {
    let app = try App()
    try app.screen.hold("New profile", "On")
    #expect(app.client.manager.variation(for: AppFlags.profile))
    #expect(throws: Screen.Failure.self) { try app.screen.hold("New profile", "On") }
    try app.screen.hold("New profile", "Default (off)")
    #expect(app.client.overrides.overrides.isEmpty)
  }

  @Test("O16, U23: states and sources narrow the list together, and none is all")
  func filters() throws {
    let app = try App(["greeting": "Hi"])
    let screen = app.screen
    try app.memory.write(true, for: "video.autoplay")
    try screen.tap("On")
    #expect(screen.shows("Fixed") && screen.shows("Autoplay") && !screen.shows("Page size"))
    try screen.tap("memory")
    #expect(!screen.shows("Fixed") && screen.shows("Autoplay") && screen.shows("Button 'memory' (selected)"))
    try screen.tap("On")
    try screen.tap("service")
    #expect(screen.shows("Greeting") && screen.shows("Autoplay") && !screen.shows("Fixed"))
    try screen.tap("memory")
    try screen.tap("service")
    #expect(screen.shows("Fixed") && screen.shows("Page size"))
  }

  @Test("U23: all overrides are cleared after a question, and the button is dead when there are none")
  func clears() throws {
    let app = try App()
    let screen = app.screen
    #expect(throws: Screen.Failure.self) { try screen.tap("Clear overrides") }
    try screen.tap("New profile", in: "New profile", as: .toggle)
    try screen.tap("Clear overrides")
    try screen.tap("Cancel")
    #expect(app.client.overrides.overrides.count == 1)
    try screen.tap("Clear overrides")
    try screen.tap("Clear")
    #expect(app.client.overrides.overrides.isEmpty)
  }

  @Test("R47: what is internal is shown on demand alone")
  func hidesInternal() throws {
    let screen = try App().screen
    #expect(!screen.shows("Secret"))
    try screen.tap("Internal flags")
    #expect(screen.shows("Secret"))
  }

  @Test("R47: a flag that is locked has a dead switch, and says so")
  func showsLocked() throws {
    let screen = try App().screen
    #expect(screen.row("Fixed").contains("Toggle 'Fixed': on (no label, disabled)"))
    #expect(screen.row("Fixed").contains("Button 'Locked'"))
    #expect(throws: Screen.Failure.self) { try screen.tap("Fixed", in: "Fixed", as: .toggle) }
  }

  @Test("R48: a flag has the icon of its type, or its own")
  func showsIcons() throws {
    let screen = try App().screen
    #expect(screen.row("New profile").contains("'switch.2'") && screen.row("Page size").contains("'number'"))
    #expect(screen.row("Greeting").contains("'textformat'") && screen.row("Layout").contains("'curlybraces'"))
    try screen.search("autoplay")
    #expect(screen.row("Autoplay").contains("'play'"))
  }

  @Test("O17: the list is shared as text, which is written when it is shared")
  func shares() throws {
    let screen = try App().screen
    try screen.search("profile")
    Shared.texts = []
    try screen.tap("Share")
    #expect(Shared.texts == ["App → New profile [OFF by default]\n"])
  }

  @Test("O19: an app marks flags by a word and a color")
  func marks() throws {
    let screen = try App { $0.mark = { $0.key == "speed" ? FlagMark("Server", .blue) : nil } }.screen
    #expect(screen.row("Speed").contains("Server (blue)") && !screen.row("Greeting").contains("Server"))
  }

  @Test("A change is taken back, by a button that names it")
  func undoes() throws {
    let app = try App()
    try app.screen.tap("New profile", in: "New profile", as: .toggle)
    try app.screen.tap("Undo the override of New profile")
    #expect(!app.client.manager.variation(for: AppFlags.profile))
    #expect(throws: Screen.Failure.self) { try app.screen.tap("Undo") }
  }

  @Test("A flag that needs a restart asks first, and waits")
  func asks() throws {
    let app = try App()
    let screen = app.screen
    try screen.tap("Engine", in: "Engine", as: .toggle)
    #expect(screen.shows("Restart required"))
    try screen.tap("Cancel")
    #expect(app.client.overrides.overrides.isEmpty)
    try screen.tap("Engine", in: "Engine", as: .toggle)
    try screen.tap("Continue")
    #expect(app.client.overrides.overrides.count == 1)
    #expect(screen.row("Engine").contains("After restart") && screen.shows("1 flag waits for a restart."))
  }

  @Test("What changes elsewhere is seen at once")
  func follows() async throws {
    let app = try App()
    try app.client.overrides.override(AppFlags.pageSize, with: 50)
    try await app.screen.wait { $0.row("Page size").contains("50") }
  }
}
