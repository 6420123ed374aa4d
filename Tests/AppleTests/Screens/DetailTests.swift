import FlagComposition
import FlagConsole
import FlagConsoleUI
import FlagDomain
import FlagProviders
import FlagSwiftUI
import Foundation
import SwiftUI
import Testing

@MainActor
@Suite("A flag, on a screen")
struct DetailTests {
  private func opened(_ title: String, _ values: [FlagKey: FlagValue] = [:]) throws -> App {
    let app = try App(values)
    try app.screen.tap(title, in: title, as: .link)
    return app
  }

  @Test("R45: from the list to a group, to a flag, to its value in a source, and back")
  func goesThrough() async throws {
    let app = try App(["video.autoplay": false])
    let screen = app.screen
    try screen.tap("Video")
    #expect(screen.shows("# Video") && screen.shows("Autoplay") && !screen.shows("Page size"))
    try screen.tap("Autoplay", in: "Autoplay", as: .link)
    #expect(screen.shows("# Autoplay"))
    for line in [
      "LabeledContent 'Key': video.autoplay", "LabeledContent 'Path': App → Video → Autoplay", "Plays.",
      "LabeledContent 'Now': off", "LabeledContent 'Type': On or off", "LabeledContent 'Default': on",
      "LabeledContent 'service': off",
    ] { #expect(screen.shows(line)) }
    try screen.tap("memory")
    #expect(screen.shows("# memory") && screen.shows("LabeledContent 'Value': nothing"))
    try screen.tap("Value", as: .toggle)
    #expect(app.client.manager.variation(for: AppFlags.autoplay) == true)
    try await screen.wait { $0.shows("LabeledContent 'Value': on") && $0.shows("Remove the value") }
    try screen.tap("Remove the value")
    #expect(app.client.manager.variation(for: AppFlags.autoplay) == false)
    try screen.back()
    try screen.back()
    #expect(screen.shows("# Video"))
    try screen.back()
    #expect(screen.shows("# Flags"))
    #expect(throws: Screen.Failure.self) { try screen.back() }
  }

  @Test("R46, U25: a switch, a choice, numbers and text are entered by their types, and none if it is allowed")
  func edits() throws {
    var app = try opened("New profile")
    try app.screen.tap("Value", as: .toggle)
    #expect(app.client.manager.variation(for: AppFlags.profile))

    app = try opened("Theme")
    try app.screen.pick("dark", in: "Value")
    #expect(app.client.manager.variation(for: AppFlags.theme) == .dark)

    app = try opened("Page size")
    #expect(app.screen.shows("TextField 'Whole number': '20' (numberPad keyboard)"))
    try app.screen.step("Value")
    #expect(app.client.manager.variation(for: AppFlags.pageSize) == 21)
    try app.screen.type("50", into: "Whole number", leavingBy: false)
    #expect(app.client.manager.variation(for: AppFlags.pageSize) == 50)

    app = try opened("Speed")
    try app.screen.type("-0.5", into: "Number")
    #expect(app.client.manager.variation(for: AppFlags.speed) == -0.5)

    app = try opened("Host")
    try app.screen.type("example.org", into: "Text")
    #expect(app.client.manager.variation(for: AppFlags.host) == "example.org")
    try app.screen.tap("None")
    #expect(app.client.manager.variation(for: AppFlags.host) == nil)
    #expect(app.client.overrides.overrides == ["host": .null])
  }

  @Test("A date is chosen or typed, and what is no date is refused")
  func editsDates() throws {
    let begins = Flag("begins", default: Date(timeIntervalSince1970: 0), FlagMetadata("Of the sale."))
    let client = try FeatureFlagClient(catalogs: [FlagCatalog("sale", "The sale.") { begins }]) {}
    let screen = Screen(FlagConsoleView(client))
    try screen.tap("begins", in: "begins", as: .link)
    try screen.pick(Date(timeIntervalSince1970: 86_400.5), in: "Value")
    #expect(client.overrides.overrides == ["begins": "1970-01-02T00:00:00.5Z"])
    try screen.type("2027-01-31T09:30:00Z", into: "Text")
    #expect(client.manager.variation(for: begins) == Date(timeIntervalSince1970: 1_801_387_800))
    try screen.type("tomorrow", into: "Text")
    #expect(screen.shows("a date such as 2027-01-31T09:30:00.25Z"))
    #expect(client.manager.variation(for: begins) == Date(timeIntervalSince1970: 1_801_387_800))
  }

  @Test("JSON is typed with straight quotes")
  func editsJSON() throws {
    let app = try opened("Layout")
    try app.screen.type(#"{"columns": 3}"#, into: "JSON", leavingBy: false)
    #expect(app.client.manager.variation(for: AppFlags.layout) == ["columns": 3])
  }

  @Test("R46: what cannot be taken is refused at its field, keeps what was typed, and changes nothing")
  func refuses() throws {
    let app = try opened("Page size")
    try app.screen.type("1000", into: "Whole number")
    #expect(app.screen.shows("expected a whole number from 1 to 100, found “1000” (red)"))
    #expect(app.screen.shows("TextField 'Whole number': '1000'"))
    #expect(app.client.overrides.overrides.isEmpty)
    try app.screen.type("10", into: "Whole number")
    #expect(!app.screen.shows("(red)") && app.client.manager.variation(for: AppFlags.pageSize) == 10)
  }

  @Test("A field that is left as it was changes nothing")
  func leavesAlone() throws {
    let app = try opened("Greeting")
    try app.screen.type("Hello", into: "Text")
    #expect(app.client.overrides.overrides.isEmpty)
  }

  @Test("R47: an excluded source is not asked, and a locked flag has a dead editor and a reason")
  func saysWhy() throws {
    let own = try opened("Own").screen
    #expect(own.shows("LabeledContent 'memory': not queried"))
    let locked = try opened("Fixed").screen
    #expect(locked.shows("Toggle 'Value': on (disabled)"))
    #expect(locked.shows("The flag is locked: it can be changed only in code."))
    #expect(throws: Screen.Failure.self) { try locked.tap("Value", as: .toggle) }
  }

  @Test("A key and a value can be selected and copied")
  func copies() throws {
    let screen = try opened("Greeting").screen
    #expect(screen.shows("LabeledContent 'Key': greeting (selectable)"))
    #expect(screen.shows("LabeledContent 'Now': Hello (selectable)"))
  }

  @Test("U26: a flag is bound to a control, which overrides it and follows it")
  func binds() async throws {
    struct Form: View {
      let client: FeatureFlagClient
      var body: some View {
        Toggle("Profile", isOn: client.binding(of: AppFlags.profile) { _ in })
        Stepper("Posts", value: client.binding(of: AppFlags.pageSize) { _ in }, in: 1...100)
      }
    }
    let app = try App()
    let screen = Screen(Form(client: app.client))
    try screen.tap("Profile")
    try screen.step("Posts")
    try await screen.wait { $0.shows("Toggle 'Profile': on") && $0.shows("Stepper 'Posts': 21") }
    #expect(app.client.manager.variation(for: AppFlags.profile))
    try app.client.overrides.override(AppFlags.profile, with: false)
    try await screen.wait { $0.shows("Toggle 'Profile': off") }
  }

  @Test("A view reads a flag by @Variation, follows it, and has its default in a preview")
  func varies() async throws {
    struct Greeting: View {
      @Variation(AppFlags.greeting) private var greeting
      var body: some View { Text(greeting) }
    }
    #expect(Screen(Greeting()).text == "Hello")
    let app = try App(["greeting": "Hi"])
    let screen = Screen(Greeting().flags(app.client.observedManager))
    #expect(screen.text == "Hi")
    try app.client.overrides.override(AppFlags.greeting, with: "Hey")
    try await screen.wait { $0.text == "Hey" }
  }
}
