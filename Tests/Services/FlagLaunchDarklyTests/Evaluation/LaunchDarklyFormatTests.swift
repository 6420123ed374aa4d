import FlagDefinitions
import FlagDefinitionsTesting
import FlagDomain
import FlagJSON
import Testing

@testable import FlagLaunchDarkly

@Suite("LaunchDarkly's format")
struct LaunchDarklyFormatTests {
  private static let document = """
    {"flags": {
       "fixed": {"on": true, "variations": ["a", "b"], "fallthrough": {"variation": 1}, "version": 3},
       "off": {"on": false, "variations": ["a", "b"], "offVariation": 0},
       "off-without": {"on": false, "variations": ["a"]},
       "target": {"on": true, "variations": [1, 2], "fallthrough": {"variation": 0},
         "targets": [{"variation": 1, "values": ["ann"]}]},
       "rule": {"on": true, "variations": [1, 2], "fallthrough": {"variation": 0}, "rules": [
         {"id": "r", "variation": 1, "clauses": [
           {"op": "segmentMatch", "values": ["pros"]},
           {"contextKind": "organization", "attribute": "/plan/name", "op": "in", "values": ["pro"]}]}]},
       "share": {"on": true, "variations": [1, 2], "salt": "s", "fallthrough": {"rollout": {
         "kind": "experiment", "seed": 61, "variations": [
           {"variation": 0, "weight": 50000}, {"variation": 1, "weight": 50000, "untracked": true}]}}},
       "needs": {"on": true, "variations": [1, 2], "offVariation": 1, "fallthrough": {"variation": 0},
         "prerequisites": [{"key": "rule", "variation": 1}]},
       "broken": {"on": "yes", "variations": []},
       "gone": {"deleted": true, "version": 9}},
     "segments": {"pros": {"rules": [{"clauses": [{"attribute": "isPro", "op": "in", "values": [true]}]}]}}}
    """

  private func document() throws -> any DefinitionDocument {
    try LaunchDarklyFormat().read(Array(Self.document.utf8), of: nil)
  }

  @Test("An experiment of another kind than users counts the keys of that kind")
  func countsKinds() throws {
    let rollout =
      #"{"rollout": {"kind": "experiment", "contextKind": "organization", "variations": ["#
      + #"{"variation": 0, "weight": 50000}, {"variation": 1, "weight": 50000}]}}"#
    let text =
      #"{"flags": {"all": {"on": true, "variations": [1, 2], "fallthrough": \#(rollout)}, "#
      + #""some": {"on": true, "variations": [1, 2], "fallthrough": {"variation": 0}, "rules": ["#
      + #"{"clauses": [{"attribute": "isPro", "op": "in", "values": [true]}], \#(rollout.dropFirst())]}}}"#
    let document = try LaunchDarklyFormat().read(Array(text.utf8), of: nil)
    let user = FlagUser(id: "ann", attributes: ["isPro": true], contexts: ["organization": ["key": "acme"]])
    let context = EvaluationContext(user: user)
    for key in ["all", "some"] {
      let answer = try #require(try document.evaluate(key, in: context, at: 0))
      #expect(answer.isExperiment && answer.metadata["unitAttribute"] == "organization.key")
    }
    #expect(document.unitAttributes == ["organization.key"] && context.unit(named: "organization.key") == "acme")
    #expect(try self.document().unitAttributes == [])
  }

  @Test("Meets the contract of every format")
  func meetsContract() throws {
    var contract = DefinitionFormatContract(.launchDarkly, document: Self.document, unreadable: #"{"segments": {}}"#)
    contract.contexts = [EvaluationContext(), EvaluationContext(user: FlagUser(id: "ann"))]
    try contract.check()
  }

  @Test(
    "LaunchDarkly's reasons are kept in metadata, and mapped to the package's",
    arguments: [
      ("fixed", "STATIC", "b", ["reason": "FALLTHROUGH"]),
      ("off", "DISABLED", "a", ["reason": "OFF"]),
      ("off-without", "DISABLED", nil, ["reason": "OFF"]),
      ("target", "TARGETING_MATCH", 2, ["reason": "TARGET_MATCH"]),
      ("rule", "TARGETING_MATCH", 2, ["reason": "RULE_MATCH", "ruleIndex": 0, "ruleId": "r"]),
      ("needs", "STATIC", 1, ["reason": "FALLTHROUGH"]),
    ] as [(String, String, FlagValue?, [String: FlagValue])])
  func mapsReasons(key: String, reason: String, value: FlagValue?, metadata: [String: FlagValue]) throws {
    let user = FlagUser(
      id: "ann", attributes: ["isPro": true],
      contexts: ["organization": ["key": "acme", "plan": ["name": "pro"] as FlagValue]])
    let answer = try #require(try document().evaluate(key, in: EvaluationContext(user: user), at: 0))
    #expect(answer.value == value && answer.metadata == metadata)
    #expect(answer.reason.rawValue == (key == "needs" ? "DEFAULT" : reason))
  }

  @Test("A failed prerequisite gives the value of a flag that is off")
  func failsPrerequisite() throws {
    let answer = try document().evaluate("needs", in: EvaluationContext(user: FlagUser(id: "ann")), at: 0)
    #expect(answer?.value == 2 && answer?.reason == .default)
    #expect(answer?.metadata == ["reason": "PREREQUISITE_FAILED", "prerequisiteKey": "rule"])
  }

  @Test("A share of an experiment is one, unless it is untracked; a visitor without an id has no share")
  func distributes() throws {
    let document = try document()
    var values: Set<FlagValue> = []
    for number in 0..<20 {
      let user = EvaluationContext(user: FlagUser(id: "user-\(number)"))
      let answer = try #require(try document.evaluate("share", in: user, at: 0))
      values.insert(answer.value ?? .null)
      #expect(answer.reason == .split && answer.isExperiment == (answer.variant == "0"))
      #expect(answer.metadata["inExperiment"] == (answer.variant == "0" ? true : nil))
    }
    #expect(values == [1, 2])
    let visitor = try #require(try document.evaluate("share", in: EvaluationContext(), at: 0))
    #expect(visitor.value == 1 && visitor.isMissingTargetingKey && !visitor.isExperiment)
  }

  @Test("A malformed flag is an error that says where, the others are served, and a deleted one is not there")
  func findsMalformed() throws {
    let document = try document()
    let message = "$.flags.broken.on: expected true or false, found the string \"yes\""
    #expect(document.diagnostics.map(\.description) == ["16:21: error: \(message)"])
    let error = #expect(throws: FlagError.self) { try document.evaluate("broken", in: EvaluationContext(), at: 0) }
    #expect(error?.message == message && error?.metadata == ["reason": "ERROR", "errorKind": "MALFORMED_FLAG"])
    #expect(!document.keys.contains("gone"))
    #expect(try document.evaluate("gone", in: EvaluationContext(), at: 0) == nil)
  }

  @Test("Variations that a flag does not have are warnings, also a key that stands twice; a circle is an error")
  func findsMistakes() throws {
    let text = """
      {"flags": {
        "a": {"variations": [1, 2], "offVariation": 2, "fallthrough": {"rollout": {"variations": [{"variation": 3, "weight": 1}]}}},
        "b": {"variations": [1], "rules": [{"variation": 1}], "targets": [{"variation": 7, "values": ["u"]}]},
        "c": {"prerequisites": [{"key": "d"}]}, "d": {"prerequisites": [{"key": "c"}, {"key": "gone"}]},
        "e": {"prerequisites": [{"key": "c"}]}, "e": {}}}
      """
    let circle = "prerequisites: the flag needs itself, directly or through others"
    #expect(
      Set(try LaunchDarklyFormat().read(Array(text.utf8), of: nil).diagnostics.map(\.description)) == [
        "2:47: warning: $.flags.a.offVariation: expected a variation that the flag has, of 2 from 0 on, found 2",
        "2:65: warning: $.flags.a.fallthrough: expected a variation that the flag has, of 2 from 0 on, found 3",
        "3:38: warning: $.flags.b.rules[0]: expected a variation that the flag has, of 1 from 0 on, found 1",
        "3:68: warning: $.flags.b.targets: expected a variation that the flag has, of 1 from 0 on, found 7",
        "4:26: error: $.flags.c.\(circle)", "4:66: error: $.flags.d.\(circle)",
        "5:48: warning: $.flags.e: expected each key once: only the last flag of this key counts",
      ])
  }

  @Test("A file of values gives everyone the same")
  func readsValues() throws {
    let document = try LaunchDarklyFormat().read(Array(#"{"flagValues": {"a": 1, "b": {"c": [null]}}}"#.utf8), of: nil)
    #expect(try document.evaluate("a", in: EvaluationContext(), at: 0)?.value == 1)
    #expect(try document.evaluate("b", in: EvaluationContext(), at: 0)?.value == ["c": [.null]])
  }

  @Test(
    "A change of a segment or prerequisite changes the flags that need it",
    arguments: [
      (#""version": 3"#, #""version": 4"#, ["fixed"]),
      (#""attribute": "isPro""#, #""attribute": "isBeta""#, ["needs", "rule"]),
      (#""id": "r""#, #""id": "s""#, ["needs", "rule"]),
      (#""gone": {"deleted": true"#, #""gone": {"deleted": false"#, ["gone"]),
      (#""segments": {"pros""#, #""segments": {"others""#, ["needs", "rule"]),
    ] as [(String, String, Set<String>)])
  func comparesDocuments(old: String, new: String, changed: Set<String>) throws {
    let text = Self.document.replacing(old, with: new)
    let other = try LaunchDarklyFormat().read(Array(text.utf8), of: nil)
    #expect(try other.changedKeys(from: document()) == changed)
    #expect(try document().changedKeys(from: other) == changed)
  }

  @Test("The attributes of a flag are those that it reads, by itself or in what it needs")
  func listsAttributes() throws {
    let document = try document()
    #expect(document.attributes(of: "rule") == ["isPro", "organization.plan.name"])
    #expect(document.attributes(of: "needs") == ["isPro", "organization.plan.name"])
    #expect(document.attributes(of: "target") == ["targetingKey"])
    #expect(document.attributes(of: "share") == ["targetingKey"])
  }
}
