public import FlagDomain

/// The flags of the settings screen, declared by hand.
public struct SettingsFlags: FlagSet {
  /// Whether the redesigned profile is shown.
  public static let newUserProfile = Flag(
    "new-user-profile", default: false, FlagMetadata("Shows the redesigned profile.", displayName: "New User Profile"))

  /// Whether the settings are grouped into sections.
  public static let updatedUI = Flag(
    "updated-settings-ui", default: false,
    FlagMetadata("Groups the settings into sections.", displayName: "Updated UI"))

  /// The countries whose settings have additional content.
  public static let enabledCountries = Flag(
    "settings-content", default: ["es", "en"],
    FlagMetadata("Countries with content of their own in the settings.", displayName: "Enabled Countries"))

  /// Every flag of the settings screen.
  public static let catalog = FlagCatalog("settings", "The settings screen.") {
    newUserProfile
    updatedUI
    enabledCountries
  }

  private let manager: any FeatureFlagManager

  /// Creates the set over a manager.
  public init(_ manager: any FeatureFlagManager) { self.manager = manager }

  /// Whether the redesigned profile is shown.
  public var newUserProfile: Bool { manager.variation(for: Self.newUserProfile) }
  /// Whether the settings are grouped into sections.
  public var updatedUI: Bool { manager.variation(for: Self.updatedUI) }
  /// The countries whose settings have additional content.
  public var enabledCountries: [String] { manager.variation(for: Self.enabledCountries) }
}
