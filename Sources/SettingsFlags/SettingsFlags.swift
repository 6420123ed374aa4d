public import FlagDomain

/// The flags of the settings screen, declared by hand.
public struct SettingsFlags: FlagSet {
  /// Shows the redesigned profile.
  public static let newUserProfile = Flag(
    "new-user-profile", default: false, FlagMetadata("Shows the redesigned profile.", displayName: "New User Profile"))

  /// Groups the settings into sections.
  public static let updatedUI = Flag(
    "updated-settings-ui", default: false,
    FlagMetadata("Groups the settings into sections.", displayName: "Updated UI"))

  /// The countries that have content of their own in the settings.
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
}

extension SettingsFlags {
  /// Whether the profile is the redesigned one.
  public var newUserProfile: Bool { manager.variation(for: Self.newUserProfile) }
  /// Whether the settings are in sections.
  public var updatedUI: Bool { manager.variation(for: Self.updatedUI) }
  /// The countries that have content of their own.
  public var enabledCountries: [String] { manager.variation(for: Self.enabledCountries) }
}
