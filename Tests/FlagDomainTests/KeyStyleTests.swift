import Testing

@testable import FlagDomain

@Suite("Key style")
struct KeyStyleTests {
  @Test(
    "A name becomes a component by each transform",
    arguments: [
      ("newProfile", "new-profile", "new_profile"),
      ("useURLSession", "use-url-session", "use_url_session"),
      ("thirdLevelFlag2", "third-level-flag2", "third_level_flag2"),
      ("URLFormat", "url-format", "url_format"),
      ("formatURL", "format-url", "format_url"),
      ("ipV6Only", "ip-v6-only", "ip_v6_only"),
      ("plain", "plain", "plain"),
      ("ABC", "abc", "abc"),
      ("flag2Go", "flag2-go", "flag2_go"),
      ("größeÄndern", "größe-ändern", "größe_ändern"),
      ("", "", ""),
    ])
  func transforms(name: String, kebab: String, snake: String) {
    #expect(KeyStyle().component(for: name) == kebab)
    #expect(KeyStyle(transform: .snakeCase).component(for: name) == snake)
    #expect(KeyStyle(transform: .none).component(for: name) == name)
    #expect(KeyStyle(transform: .custom { "x" + $0 }).component(for: name) == "x" + name)
  }

  @Test("A prefix is a first component, untransformed")
  func prefixes() {
    let style = KeyStyle(prefix: "myApp_", separator: "/", transform: .snakeCase)
    #expect(style.name(of: ["group", "useURLSession", .verbatim("asIt-Is")]) == "myApp_/group/use_url_session/asIt-Is")
  }

  @Test(
    "A name becomes a title for people",
    arguments: [
      ("newURLFormat", "New URL Format"), ("aTestString", "A Test String"), ("URLFormat", "URL Format"),
      ("formatURL", "Format URL"), ("ABC", "ABC"), ("x", "X"),
    ])
  func titles(name: String, title: String) {
    #expect(name.title == title)
  }
}
