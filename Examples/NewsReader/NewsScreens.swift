#if canImport(SwiftUI)
  import FeatureFlags
  import FeedFlags
  import FlagConsole
  import FlagConsoleUI
  import FlagSwiftUI
  import SettingsFlags
  import SignIn
  package import SwiftUI

  /// The three screens of the reader, each with the port that it needs, and the console over them.
  package struct NewsScreens: View {
    let flags: any FeatureFlagManager
    let authenticator: any UserAuthenticator
    let console: ConsoleModel
    @State private var shown: WindowFlags.Screen
    @State private var showsFlags = false

    init(flags: any FeatureFlagManager, authenticator: any UserAuthenticator, console: ConsoleModel) {
      (self.flags, self.authenticator, self.console) = (flags, authenticator, console)
      _shown = State(initialValue: flags.variation(for: WindowFlags.startScreen))
    }

    package var body: some View {
      TabView(selection: $shown) {
        Tab("Feed", systemImage: "newspaper", value: WindowFlags.Screen.feed) {
          FeedScreen(model: FeedModel(flags: flags))
        }
        Tab("Settings", systemImage: "gear", value: WindowFlags.Screen.settings) {
          SettingsScreen(model: SettingsModel(flags: flags))
        }
        Tab("Account", systemImage: "person", value: WindowFlags.Screen.account) {
          AccountScreen(signIn: SignInModel(authenticator: authenticator), showsFlags: $showsFlags)
        }
      }
      .flags(flags)
      .sheet(isPresented: $showsFlags) { FlagConsoleView(console, as: .sheet) }
    }
  }
#endif
