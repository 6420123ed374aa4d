import FlagComposition
import FlagConsole
import FlagConsoleEditor
import FlagDefinitions
import FlagDomain
import FlagEditing
import FlagReview
import TestSupport
import Testing

@Suite("Contexts in a console")
struct ContextFieldTests {
  private static let context = EvaluationContext(
    user: FlagUser(
      id: "ann", countryCode: "es", segments: ["beta"], attributes: ["plan": "pro"],
      contexts: ["organization": ["plan": "team"]]), attributes: ["appVersion": "2"], anonymousID: "visitor")

  /// A document whose flag is on for those who have an attribute of the context, or an element of it.
  private static func document(_ name: String) -> String {
    let value = context[name] ?? .null
    let (path, part) = (value.fields.map { _ in "\(name).plan" } ?? name, value.fields?["plan"] ?? value)
    let attribute = FlagValue.object(["var": .string(path)])
    let condition: FlagValue =
      part.elements.map { ["in": [$0[0], attribute]] } ?? ["==": [attribute, part]]
    return """
      {"flags": {"new-profile": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off",
        "targeting": \(FlagValue.object(["if": [condition, "on", "off"]]))}}}
      """
  }

  @Test(
    "An explanation is for the context of the value beside it, that of the program or of a user of the console",
    arguments: Self.context.values.keys.sorted(), [false, true])
  func explains(name: String, isInConsole: Bool) throws {
    expectEveryField(of: Self.context)
    let fixture = try ConsoleFixture(values: [:], document: Self.document(name))
    fixture.client.context.updateAttributes(Self.context.attributes, removing: [])
    fixture.client.context.setAnonymousID(Self.context.anonymousID)
    let console = isInConsole ? fixture.console.session() : fixture.console
    if isInConsole {
      try console.signIn(Self.context.user)
    } else {
      fixture.client.authenticator.setUser(Self.context.user)
    }
    expectSameFields(fixture.client.snapshots.context.attributes, Self.context.attributes)
    #expect(console.row("new-profile")?.value == true)
    #expect(console.detail("new-profile")?.definition?.explanation == "The rule chose “on”.")
  }

  @Test("The users who were tried have the program's attributes in the review of a change")
  func reviews() throws {
    let fixture = try ConsoleFixture(values: [:], document: Self.document("appVersion"))
    fixture.client.context.updateAttributes(Self.context.attributes, removing: [])
    try fixture.console.signIn(Self.context.user)
    var draft = try fixture.editor.draft(of: "new-profile")
    draft.isEnabled = false
    let review = try fixture.editor.review(draft, for: fixture.console.users)
    let tried = try #require(review.flags.first?.tried.first { $0.user == Self.context.user })
    #expect(tried.old.variant == "on")
  }
}
