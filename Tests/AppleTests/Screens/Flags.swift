import FlagComposition
import FlagConsole
import FlagConsoleUI
import FlagDomain
import FlagProviders
import SwiftUI

/// The flags of the screens: one of each kind that has an editor or a behaviour of its own.
enum AppFlags {
  static let profile = Flag("new-profile", default: false, FlagMetadata("The new profile.", displayName: "New profile"))
  static let pageSize = Flag(
    "page-size", default: 20,
    FlagMetadata(
      "Posts on a page.", displayName: "Page size", presentation: FlagPresentation(range: 1...100, step: 1)))
  static let speed = Flag("speed", default: 1.5, FlagMetadata("Of animations.", displayName: "Speed"))
  static let greeting = Flag("greeting", default: "Hello", FlagMetadata("The first line.", displayName: "Greeting"))
  static let host = Flag("host", default: String?.none, FlagMetadata("Of the service.", displayName: "Host"))
  static let theme = Flag("theme", default: Theme.light, FlagMetadata("Colours.", displayName: "Theme"))
  static let layout = Flag("layout", default: ["columns": 2], FlagMetadata("Of posts.", displayName: "Layout"))
  static let engine = Flag(
    "engine", default: false, FlagMetadata("Needs a restart.", displayName: "Engine", requiresRestart: true))
  static let locked = Flag("locked", default: true, FlagMetadata("Nobody's.", displayName: "Fixed", isLocked: true))
  static let secret = Flag("secret", default: 1, FlagMetadata("Not for all.", displayName: "Secret", isInternal: true))
  static let own = Flag(
    "own", default: false, FlagMetadata("Never asks.", displayName: "Own", excludedProviders: ["memory"]))
  static let autoplay = Flag(
    "video.autoplay", default: true,
    FlagMetadata("Plays.", displayName: "Autoplay", presentation: FlagPresentation(icon: "play")))

  static let catalog = FlagCatalog("app", FlagMetadata("", displayName: "App")) {
    profile
    pageSize
    speed
    greeting
    host
    theme
    layout
    engine
    locked
    secret
    own
    FlagCatalog(
      "video", FlagMetadata("Moving.", displayName: "Video", presentation: FlagPresentation(groupStyle: .navigation))
    ) { autoplay }
  }
}

enum Theme: String, CaseIterable, Codable, Sendable { case light, dark }

/// A client, its console, and the console's screen.
@MainActor
struct App {
  let client: FeatureFlagClient
  let memory = InMemoryProvider(name: "memory")
  let screen: Screen

  init(
    _ values: [FlagKey: FlagValue] = [:], as presentation: FlagConsoleView.Presentation = .screen,
    strings: [String: String] = [:], configure: @escaping (inout ConsoleModel.Options) -> Void = { _ in }
  ) throws {
    let memory = memory
    client = try FeatureFlagClient(catalogs: [AppFlags.catalog]) {
      memory
      InMemoryProvider(name: "service", values).readOnly()
    }
    screen = Screen(FlagConsoleView(client, as: presentation, configure: configure), strings: strings)
  }
}
