import FlagDomain
import FlagMacros
import Testing

@Suite("Keys of a set")
struct SetKeyTests {
  @Test(
    "Every property's name becomes a key in the style of its set",
    arguments: [
      (
        "kebab", KebabFlags.catalog,
        """
        useURLSession: my-app.use-url-session
        thirdLevelFlag2: my-app.third-level-flag2
        newURLFormat: my-app.new-url-format
        ipV6Only: my-app.ip-v6-only
        name: fixed.Name
        newProfile: my-app.inner-group.new-profile
        """
      ),
      (
        "RealFlags", SnakeFlags.catalog,
        """
        useURLSession: myApp_/my_app/use_url_session
        thirdLevelFlag2: myApp_/my_app/third_level_flag2
        newURLFormat: myApp_/my_app/new_url_format
        ipV6Only: myApp_/my_app/ip_v6_only
        name: fixed.Name
        newProfile: myApp_/my_app/inner_group/new_profile
        """
      ),
      (
        "untransformed", PlainFlags.catalog,
        """
        useURLSession: myApp.useURLSession
        newProfile: myApp.Inner.newProfile
        """
      ),
      (
        "custom", CustomFlags.catalog,
        """
        useURLSession: <myApp><useURLSession>
        """
      ),
      (
        "no component", RootFlags.catalog,
        """
        useURLSession: use-url-session
        """
      ),
    ] as [(String, FlagCatalog, String)])
  func table(style: String, catalog: FlagCatalog, table: String) {
    let lines = catalog.flags.map { flag in
      "\(flag.metadata.path.last?.text ?? flag.metadata.displayName?.lowercased() ?? ""): \(flag.key)"
    }
    #expect(lines.joined(separator: "\n") == table)
  }

  @Test("Two flags with one key are an error that names both")
  func duplicates() {
    let error = #expect(throws: DuplicateFlagKeys.self) { try DuplicateFlagKeys.check([TwinFlags.catalog]) }
    #expect(error?.description == "2 flags share the key twin.one-two: twin > One Two, twin > Other")
  }
}

@FlagSet("innerGroup", "A group.")
struct InnerFlags {
  @Flag("One.") var newProfile = false
}

@FlagSet("myApp", "The default style.")
struct KebabFlags {
  @Flag("One.") var useURLSession = false
  @Flag("One.") var thirdLevelFlag2 = false
  @Flag("One.") var newURLFormat = false
  @Flag("One.") var ipV6Only = false
  @Flag(key: "fixed.Name", "One.") var name = false
  @FlagGroup var innerGroup: InnerFlags
}

@FlagSet("myApp", "As RealFlags.", style: KeyStyle(prefix: "myApp_", separator: "/", transform: .snakeCase))
struct SnakeFlags {
  @Flag("One.") var useURLSession = false
  @Flag("One.") var thirdLevelFlag2 = false
  @Flag("One.") var newURLFormat = false
  @Flag("One.") var ipV6Only = false
  @Flag(key: "fixed.Name", "One.") var name = false
  @FlagGroup var innerGroup: InnerFlags
}

@FlagSet("myApp", "Names as they stand.", style: KeyStyle(transform: .none))
struct PlainFlags {
  @Flag("One.") var useURLSession = false
  @FlagGroup(key: "Inner") var innerGroup: InnerFlags
}

@FlagSet("myApp", "A transform of one's own.", style: KeyStyle(separator: "", transform: .custom { "<\($0)>" }))
struct CustomFlags {
  @Flag("One.") var useURLSession = false
}

@FlagSet("myApp", key: "", "No component.")
struct RootFlags {
  @Flag("One.") var useURLSession = false
}

@FlagSet("twin", "Two flags with one key.")
struct TwinFlags {
  @Flag("One.") var oneTwo = false
  @Flag(key: "twin.one-two", "Two.") var other = false
}
