#if canImport(SwiftUI)
  import FeatureFlags
  import FlagConsole
  public import SwiftUI

  /// The news reader in a window of a Mac, or on a phone.
  public struct NewsWindow: App {
    private let screens: Result<NewsScreens, any Error>

    /// Creates the app from the program's arguments.
    public init() {
      screens = Result { try Self.screens(News.Arguments(CommandLine.arguments)) }
      #if os(macOS)
        // Without a bundle, a program has neither a menu nor a keyboard.
        NSApplication.shared.setActivationPolicy(.regular)
      #endif
    }

    /// The window.
    public var body: some Scene {
      WindowGroup {
        switch screens {
        case .success(let screens): screens
        case .failure(let error):
          ContentUnavailableView("No news", systemImage: "newspaper", description: Text("\(error)" as String))
        }
      }
    }

    /// Creates the screens over ports of a client that stores overrides and the visitor's id.
    package static func screens(_ arguments: News.Arguments) throws -> NewsScreens {
      let provider = try InHouseProvider(contentsOf: arguments.file)
      let client = try News.client(arguments, adding: [WindowFlags.catalog], provider) {
        $0.overrides = $0.overrides ?? UserDefaultsOverrideStore()
        $0.anonymousIDs = $0.anonymousIDs ?? AnonymousIDs(in: UserDefaultsAnonymousIDStore())
      }
      // Made here and not in the sheet, which makes its content anew: what was done can be undone after a look.
      let console = try ConsoleModel(
        catalogs: client.catalogs,
        ConsoleModel.Ports(
          snapshots: client.snapshots, overriding: client.overrides, observing: client.observer,
          authenticator: client.authenticator))
      return NewsScreens(flags: client.observedManager, authenticator: client.authenticator, console: console)
    }
  }
#endif
