public import FlagDomain

/// The content of the settings screen, which depends on the current values of its flags.
public struct SettingsModel: Sendable {
  private let flags: SettingsFlags

  /// Creates a model that reads its flags from a manager.
  public init(flags manager: any FeatureFlagManager) { flags = SettingsFlags(manager) }

  /// The screen, line by line.
  public var screen: [String] {
    ["Settings"] + (flags.updatedUI ? sections : rows)
  }

  private var sections: [String] {
    ["# You"] + profile + ["# Content"] + content
  }

  private var rows: [String] { profile + content }

  private var profile: [String] {
    flags.newUserProfile ? ["Photo", "Name", "Badges"] : ["Name"]
  }

  private var content: [String] {
    let countries = flags.enabledCountries
    return countries.isEmpty ? ["No content"] : countries.map { "Content for \($0.uppercased())" }
  }
}
