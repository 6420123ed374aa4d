import FlagDefinitions
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

  private static let kinds = """
    {"flags": {"f": {"on": true, "variations": ["a", "b"], "fallthrough": {"variation": 0}, "rules": [
      {"variation": 1, "clauses": [{"contextKind": "org", "attribute": "key", "op": "in", "values": ["o1"]}]},
      {"variation": 1, "clauses": [{"contextKind": "user", "attribute": "key", "op": "in", "values": ["u1"]}]}]}}}
    """

  @Test(
    "Attributes that are LaunchDarkly's JSON for a context reach the rules of its kinds",
    arguments: [
      (#"{"kind": "org", "targetingKey": "o1"}"#, "b"), (#"{"kind": "org", "key": "o1", "anonymous": true}"#, "b"),
      (#"{"kind": "org", "key": "o1", "_meta": {"privateAttributes": ["plan"]}, "plan": "pro"}"#, "b"),
      (#"{"kind": "org", "key": "o1", "privateAttributes": ["plan"], "plan": "pro"}"#, "b"),
      (#"{"kind": "org", "targetingKey": "o1", "key": "o2"}"#, "b"), (#"{"kind": "org", "key": "o2"}"#, "a"),
      (#"{"kind": "org", "key": "u1"}"#, "a"), (#"{"kind": "user", "targetingKey": "u1"}"#, "b"),
      (#"{"kind": "user", "key": "u1"}"#, "b"), (#"{"kind": "user", "key": "o1"}"#, "a"), (#"{"key": "u1"}"#, "b"),
      (#"{"targetingKey": "u1"}"#, "b"), (#"{"kind": "multi", "user": {"key": "u2"}, "org": {"key": "o1"}}"#, "b"),
      (#"{"kind": "multi", "targetingKey": "t", "org": {"targetingKey": "o1"}}"#, "b"),
      (#"{"kind": "multi", "user": {"key": "u1"}, "org": {"key": "o2"}}"#, "b"),
      (#"{"targetingKey": "u2", "org": {"key": "o1"}}"#, "b"), (#"{"plan": "pro"}"#, "a"),
      (#"{"kind": "multi"}"#, nil), (#"{"kind": "multi", "org": "o1"}"#, nil), (#"{"kind": 5, "key": "o1"}"#, nil),
      (#"{"kind": null, "key": "o1"}"#, nil), (#"{"kind": "org"}"#, nil), (#"{"kind": "org", "key": ""}"#, nil),
      (#"{"kind": "org", "targetingKey": 1, "key": "o1"}"#, nil), (#"{"kind": "", "key": "o1"}"#, nil),
      (#"{"key": 5}"#, nil), (#"{"kind": "org", "key": "o1", "anonymous": "yes"}"#, nil),
    ] as [(String, FlagValue?)])
  func reachesRules(text: String, value: FlagValue?) throws {
    let document = try LaunchDarklyFormat().read(Array(Self.kinds.utf8), of: nil)
    let context = EvaluationContext(attributes: try FlagValue(json: text.utf8).fields ?? [:])
    let explanation = document.explain("f", in: context, at: 0)
    do throws(FlagError) {
      #expect(try document.evaluate("f", in: context, at: 0)?.value == value)
      #expect(explanation.answer?.value == value)
    } catch {
      #expect(value == nil && error.code == .invalidContext, "\(error)")
      #expect(explanation.error?.code == .invalidContext)
    }
  }

  @Test("A visitor keeps the anonymous id beside a context of a kind, and a user has attributes of any name")
  func keepsUsers() throws {
    let document = try LaunchDarklyFormat().read(Array(Self.kinds.utf8), of: nil)
    let visitor = EvaluationContext(attributes: ["kind": "org", "key": "o2"], anonymousID: "u1")
    #expect(try document.evaluate("f", in: visitor, at: 0)?.value == "b")
    let user = EvaluationContext(user: FlagUser(id: "u1", attributes: ["kind": "org", "key": "o2"]))
    #expect(try document.evaluate("f", in: user, at: 0)?.value == "b")
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
