import FlagComposition
import FlagConsole
import FlagConsoleUI
import FlagDomain
import SwiftUI

/// The flags of the screens, of each kind that has an editor of its own.
struct AppFlags: FlagSet {
  static let likes = Flag("feed.likes", default: false, "Shows likes.")
  static let pageSize = Flag("feed.page-size", default: 20, "Posts on a page.")
  static let greeting = Flag("feed.greeting", default: "Hello", "The first line.")
  static let catalog = FlagCatalog("feed", "The feed.") {
    likes
    pageSize
    greeting
  }
  let manager: any FeatureFlagManager
  init(_ manager: any FeatureFlagManager) { self.manager = manager }
}

/// A client, its console, and the console's screen.
@MainActor
struct App {
  let client: FeatureFlagClient
  let console: ConsoleModel
  let screen: Screen

  init() throws {
    client = try FeatureFlagClient(catalogs: [AppFlags.catalog]) {}
    console = try ConsoleModel(
      catalogs: [AppFlags.catalog],
      ConsoleModel.Ports(
        snapshots: client.snapshots, overriding: client.overrides, observing: client.observer,
        registry: client.registry))
    screen = Screen(FlagConsoleView(console))
  }
}
