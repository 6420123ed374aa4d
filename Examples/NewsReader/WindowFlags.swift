import FeatureFlags

/// The flags of the window itself, which belong to no feature module.
enum WindowFlags {
  /// The screen in front when the app starts.
  static let startScreen = Flag(
    "start-screen", default: Screen.feed,
    FlagMetadata("The screen that the app opens.", displayName: "Start screen", requiresRestart: true))

  static let catalog = FlagCatalog("window", "The reader's window.") { startScreen }

  enum Screen: String, CaseIterable, Codable, Sendable { case feed, settings, account }
}
