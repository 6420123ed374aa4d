import FlagDefinitions
import FlagDomain
import Testing

@Suite("Rules about others that a user comes with")
struct ContextRuleTests {
  @Test(
    "A rule sees the attributes of a context by its kind",
    arguments: [
      (FlagUser(id: "ann", contexts: ["organization": ["plan": "pro"]]), "on"),
      (FlagUser(id: "ann", contexts: ["organization": ["plan": "free"]]), "off"),
      (FlagUser(id: "ann", contexts: ["device": ["plan": "pro"]]), "off"),
      (FlagUser(id: "ann", attributes: ["organization": "none"], contexts: ["organization": ["plan": "pro"]]), "on"),
      (FlagUser(id: "ann", attributes: ["organization": ["plan": "pro"] as FlagValue]), "on"),
    ])
  func asks(user: FlagUser, variant: String) throws {
    let document = try FlagDocument(
      parsing: """
        {"flags": {"f": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off",
          "targeting": {"if": [{"==": [{"var": "organization.plan"}, "pro"]}, "on", null]}}}}
        """.utf8)
    let context = EvaluationContext(user: user)
    #expect(try document.evaluate("f", in: context, at: 0)?.variant == variant)
    #expect(context.values["organization"] == context["organization"])
  }

  @Test("An attribute named kind is one like any other")
  func kinds() throws {
    let document = try FlagDocument(
      parsing: """
        {"flags": {"f": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off",
          "targeting": {"if": [{"==": [{"var": "kind"}, "org"]}, "on", null]}}}}
        """.utf8)
    for (kind, variant) in [("org", "on"), ("multi", "off")] as [(FlagValue, String)] {
      let context = EvaluationContext(attributes: ["kind": kind])
      #expect(try document.evaluate("f", in: context, at: 0)?.variant == variant)
    }
  }

  @Test("Two users with other contexts are two users")
  func compares() {
    let user = FlagUser(id: "ann", contexts: ["device": ["key": "a"]])
    #expect(user == FlagUser(id: "ann", contexts: ["device": ["key": "a"]]))
    #expect(user != FlagUser(id: "ann", contexts: ["device": ["key": "b"]]))
    #expect(user != FlagUser(id: "ann", attributes: ["device": ["key": "a"] as FlagValue]))
  }
}
