import FlagDomain
import FlagTesting
import SettingsFlags
import Testing

@Suite("Settings")
struct SettingsModelTests {
  @Test("The redesigned profile is shown where its flag is on", arguments: SettingsFlags.newUserProfile.cases)
  func profile(flag: FlagCase<Bool>) {
    let screen = SettingsModel(flags: TestFlags { flag.apply(to: $0) }).screen
    #expect(screen.contains("Photo") == flag.value && screen.contains("Badges") == flag.value)
    #expect(screen.contains("Name"))
  }

  @Test("Settings are in sections where their flag is on", arguments: SettingsFlags.updatedUI.cases)
  func sections(flag: FlagCase<Bool>) {
    let screen = SettingsModel(flags: TestFlags { flag.apply(to: $0) }).screen
    #expect(screen.filter { $0.hasPrefix("# ") } == (flag.value ? ["# You", "# Content"] : []))
  }

  @Test(
    "Each enabled country has a line", arguments: [([], ["No content"]), (["pt"], ["Content for PT"])])
  func countries(enabled: [String], lines: [String]) {
    let manager = TestFlags { $0.set(SettingsFlags.enabledCountries, to: enabled) }
    #expect(SettingsModel(flags: manager).screen == ["Settings", "Name"] + lines)
  }

  @Test("Without any value, the settings are those of the defaults, and read each flag once")
  func defaults() {
    let manager = TestFlags()
    #expect(SettingsModel(flags: manager).screen == ["Settings", "Name", "Content for ES", "Content for EN"])
    #expect(manager.reads.sorted() == SettingsFlags.allFlags.map(\.key).sorted())
  }
}
