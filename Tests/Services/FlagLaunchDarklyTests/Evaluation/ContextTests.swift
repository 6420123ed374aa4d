import FlagDomain
import FlagJSON
import TestSupport
import Testing

@testable import FlagLaunchDarkly

@Suite("LaunchDarkly's contexts")
struct ContextTests {
  @Test(
    "A context is read and written as LaunchDarkly's SDKs do",
    arguments: [
      #"{"key":"ann","kind":"user","segments":[]}"#,
      #"{"key":"ann","kind":"user","plan":"pro","segments":[]}"#,
      #"{"key":"acme","kind":"organization","plan":"pro"}"#,
      #"{"device":{"key":"d"},"kind":"multi","user":{"key":"ann","segments":[]}}"#,
      #"{"device":{"key":"d"},"kind":"multi","organization":{"key":"acme"}}"#,
    ])
  func roundTrips(text: String) throws {
    let value = try FlagValue(json: text.utf8)
    let written = try EvaluationContext(launchDarkly: value).launchDarkly()
    #expect(written == value)
  }

  @Test("What is sent of a context has every field of it, and is read back as it was")
  func sendsEveryField() throws {
    let context = EvaluationContext(
      user: FlagUser(
        id: "ann", countryCode: "es", segments: ["beta"], attributes: ["age": 42, "height": .manyDigits],
        contexts: ["organization": ["key": "acme", "plan": "pro"]]),
      attributes: ["appVersion": "2", "device": ["key": "d", "os": "iOS"]], anonymousID: "visitor")
    let users: [(inout FlagUser.Fields) -> Void] = [
      { $0.id = "ben" }, { $0.countryCode = nil }, { $0.segments = [] }, { $0.attributes = [:] },
      { $0.contexts = [:] }, { $0.contexts["organization"]?["plan"] = "free" },
    ]
    let edits: [(inout EvaluationContext) -> Void] = users.map { edit in
      { context in
        guard var fields = context.user?.fields else { return }
        edit(&fields)
        context.user = FlagUser(fields)
      }
    }
    expectComparison(
      of: context, afterEach: edits + [{ $0.attributes = [:] }, { $0.attributes["device"] = ["key": "e"] }],
      derived: ["anonymousID"]
    ) { $0.launchDarkly() == $1.launchDarkly() }
    let read = try EvaluationContext(launchDarkly: #require(context.launchDarkly()))
    expectSameFields(read.values, context.values)
    #expect(read.kinds.sorted() == context.kinds.sorted())
  }

  @Test("A user from before there were kinds has its custom attributes as others")
  func readsLegacy() throws {
    let text = #"{"key": "ann", "name": "Ann", "custom": {"plan": "pro"}, "privateAttributeNames": ["plan"]}"#
    let context = try EvaluationContext(launchDarkly: FlagValue(json: text.utf8))
    #expect(context.user == FlagUser(id: "ann", attributes: ["name": "Ann", "plan": "pro"]))
  }

  @Test(
    "An invalid context is an error",
    arguments: [
      "null", "{}", #"{"kind": "user"}"#, #"{"kind": "user", "key": ""}"#, #"{"kind": "user", "key": 1}"#,
      #"{"kind": "kind", "key": "a"}"#, #"{"kind": "a b", "key": "a"}"#, #"{"kind": 1, "key": "a"}"#,
      #"{"kind": "multi"}"#, #"{"kind": "multi", "user": {}}"#, #"{"kind": "multi", "user": 1}"#,
      #"{"kind": "user", "key": "a", "name": 1}"#, #"{"kind": "user", "key": "a", "anonymous": "yes"}"#,
    ])
  func refuses(text: String) throws {
    let value = try FlagValue(json: text.utf8)
    let error = #expect(throws: FlagError.self) { try EvaluationContext(launchDarkly: value) }
    #expect(error?.code == .invalidContext)
  }

  @Test("A visitor is an anonymous user; the program's attributes are the user's, but for contexts of their own")
  func writesVisitors() {
    let attributes: [String: FlagValue] = ["appVersion": "2.0", "device": ["key": "d", "os": "iOS"]]
    let visitor = EvaluationContext(attributes: attributes, anonymousID: "v")
    #expect(
      visitor.launchDarkly() == [
        "kind": "multi", "user": ["key": "v", "anonymous": true, "appVersion": "2.0", "visitorID": "v"],
        "device": ["key": "d", "os": "iOS"],
      ])
    #expect(
      visitor.launchDarkly(without: ["appVersion", "os", "visitorID"]) == [
        "kind": "multi", "user": ["key": "v", "anonymous": true], "device": ["key": "d"],
      ])
    let user = EvaluationContext(user: FlagUser(id: "ann"), anonymousID: "v")
    #expect(user.launchDarkly() == ["kind": "user", "key": "ann", "segments": [], "visitorID": "v"])
    #expect(EvaluationContext().launchDarkly() == nil)
  }
}
