import FlagComposition
import FlagConsole
import FlagConsoleUI
import FlagDomain
import FlagProviders
import SwiftUI
import Testing

@MainActor
@Suite("The console in an app")
struct FittingTests {
  @Test("As a sheet it has a button that closes it")
  func closes() throws {
    struct Host: View {
      let client: FeatureFlagClient
      @State private var showsFlags = false
      var body: some View {
        Button("Flags") { showsFlags = true }
          .sheet(isPresented: $showsFlags) { FlagConsoleView(client, as: .sheet) }
      }
    }
    let screen = Screen(Host(client: try App().client))
    try screen.tap("Flags")
    #expect(screen.shows("# Flags") && screen.shows("New profile"))
    try screen.tap("New profile", in: "New profile", as: .link)
    #expect(screen.shows("# New profile"))
    try screen.back()
    try screen.tap("Done")
    #expect(screen.text == "Button 'Flags'")
  }

  @Test("Pushed it makes no stack in the app's stack, and is a screen of the app")
  func isPushed() throws {
    struct Host: View {
      let client: FeatureFlagClient
      var body: some View {
        NavigationStack { NavigationLink("Flags") { FlagConsoleView(client, as: .pushed) } }
      }
    }
    let screen = Screen(Host(client: try App().client))
    try screen.tap("Flags")
    try screen.tap("New profile", in: "New profile", as: .link)
    #expect(screen.shows("# New profile") && screen.front.all.allSatisfy { $0.traits != ["a stack in a stack"] })
    try screen.back()
    try screen.back()
    #expect(screen.text == "[Flags]")
  }

  @Test("Its sections fit into a form of the app, with questions and errors")
  func hasSections() throws {
    struct Host: View {
      let client: FeatureFlagClient
      var body: some View {
        NavigationStack {
          Form {
            Section("Mine") { Text("An own row") }
            FlagConsoleView(client, as: .sections)
          }
        }
      }
    }
    let app = try App()
    let screen = Screen(Host(client: app.client))
    #expect(screen.shows("An own row") && screen.shows("New profile"))
    try screen.tap("Engine", in: "Engine", as: .toggle)
    #expect(screen.shows("Restart required"))
    try screen.tap("Continue")
    try screen.tap("Clear overrides")
    try screen.tap("Clear")
    #expect(app.client.overrides.overrides.isEmpty)
    try screen.type("prof", into: "Names, keys and descriptions")
    #expect(screen.shows("New profile") && !screen.shows("Page size"))
  }

  @Test("As a sidebar it has the chosen flag beside the list")
  func hasSidebar() throws {
    let screen = try App(as: .sidebar).screen
    #expect(screen.shows("Choose a flag."))
    try screen.tap("New profile", in: "New profile", as: .link)
    #expect(screen.shows("Page size") && screen.shows("LabeledContent 'Key': new-profile"))
    try screen.tap("Page size", in: "Page size", as: .link)
    #expect(screen.shows("LabeledContent 'Key': page-size") && !screen.shows("LabeledContent 'Key': new-profile"))
  }

  @Test("An app shows a flag in its own way, and in its own language")
  func hasOwnLook() throws {
    let app = try App(strings: ["Clear overrides": "Alles zurücksetzen", "Default": "Vorgabe", "Flags": "Schalter"])
    #expect(app.screen.shows("# Schalter") && app.screen.shows("Alles zurücksetzen") && app.screen.shows("Vorgabe"))
    let own = Screen(FlagConsoleView(app.client).flagLabel { row in Text("my \(row.key.name)") })
    #expect(own.row("my new-profile").hasPrefix("[my new-profile] · Toggle"))
  }

  @Test("A parent that is drawn again makes no second screen, subscription or list")
  func isMadeOnce() throws {
    struct Host: View {
      let client: FeatureFlagClient
      let made: Made
      @State private var count = 0
      var body: some View {
        Button("Again \(count)") { count += 1 }
        FlagConsoleView(client) { _ in made.count += 1 }
      }
    }
    final class Made { var count = 0 }
    let made = Made()
    let screen = Screen(Host(client: try App().client, made: made))
    for count in 0..<5 { try screen.tap("Again \(count)") }
    #expect(made.count == 1)
  }

  @Test("Of 1,000 flags a letter or a change draws the list once, and a change made here once more when it is reported")
  func drawsOnce() async throws {
    let memory = InMemoryProvider(name: "memory")
    let keys = try (0..<1_000).map { try #require(FlagKey(validating: "flag-\($0)")) }
    let catalog = FlagCatalog("many", "Many flags.") {
      for key in keys { Flag(key, default: false, FlagMetadata("It is \(key).")) }
    }
    let client = try FeatureFlagClient(catalogs: [catalog]) { memory }
    let screen = Screen(FlagConsoleView(client))
    screen.evaluations = [:]
    for text in ["f", "fl", "flag-77"] { try screen.search(text) }
    #expect(screen.evaluations["FlagListView"] == 3)

    screen.evaluations = [:]
    memory.write(true, for: "flag-77")
    try await screen.wait { $0.row("It is flag-77.").contains("(green)") }
    #expect(screen.evaluations["FlagListView"] == 1)

    screen.evaluations = [:]
    try screen.tap("flag-77", in: "It is flag-77.", as: .toggle)
    #expect(screen.evaluations["FlagListView"] == 1)
    #expect(screen.row("It is flag-77.").contains("flag-77 (red, underlined)"))
  }

  /// The console hears of changes from another client, which has none.
  @Test("What a person changes is shown at once, before the client reports it")
  func showsAtOnce() throws {
    let client = try App().client
    let ports = ConsoleModel.Ports(
      snapshots: client.snapshots, overriding: client.overrides, writing: client.writer,
      observing: try App().client.observer, authenticator: client.authenticator)
    var options = ConsoleModel.Options()
    options.testUsers = [FlagUser(id: "ana")]
    let screen = Screen(FlagConsoleView(try ConsoleModel(catalogs: [AppFlags.catalog], ports, options: options)))
    try screen.tap("New profile", in: "New profile", as: .toggle)
    #expect(screen.row("The new profile.").contains("Overridden"))
    try screen.tap("Undo the override of New profile")
    #expect(!screen.row("The new profile.").contains("Overridden"))
    try screen.tap("Greeting", in: "Greeting", as: .link)
    try screen.type("Good morning", into: "Text")
    #expect(screen.shows("Clear the override"))
    try screen.tap("ana")
    try screen.tap("Sign out ana")
  }

  @Test("Where nothing may be changed, nothing is offered, and the reason is said")
  func readsOnly() throws {
    let app = try App { $0.isReadOnly = true }
    #expect(app.screen.swipes("New profile", from: .trailing) == [])
    #expect(throws: Screen.Failure.self) { try app.screen.tap("New profile", in: "New profile", as: .toggle) }
    try app.screen.tap("New profile", in: "New profile", as: .link)
    #expect(throws: Screen.Failure.self) { try app.screen.tap("Value", as: .toggle) }
  }

  @Test("A test user is signed in and out, and flags are read as theirs")
  func signsIn() throws {
    let app = try App { $0.testUsers = [FlagUser(id: "ana")] }
    try app.screen.tap("New profile", in: "New profile", as: .link)
    try app.screen.tap("ana")
    #expect(app.client.snapshots.context.user?.id == "ana")
    try app.screen.tap("Sign out ana")
    #expect(app.client.snapshots.context.user == nil)
  }
}
