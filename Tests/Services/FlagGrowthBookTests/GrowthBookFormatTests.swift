import FlagDefinitions
import FlagDefinitionsTesting
import FlagDomain
import FlagGrowthBook
import Testing

@Suite("GrowthBook's format")
struct GrowthBookFormatTests {
  private static let text = #"""
    {"status": 200, "features": {
      "plain": {"defaultValue": 7},
      "none": {"defaultValue": null, "rules": []},
      "ruled": {"defaultValue": "no", "rules": [
        {"id": "fr_1", "condition": {"plan": "pro"}, "force": "yes"},
        {"parentConditions": [{"id": "plain", "condition": {"value": 8}, "gate": true}]}]},
      "split": {"defaultValue": 0, "rules": [
        {"id": "fr_2", "key": "checkout", "variations": [1, 2], "meta": [{"key": "control"}, {"key": "new", "name": "New"}]}]},
      "company": {"defaultValue": 0, "rules": [{"key": "by-company", "hashAttribute": "company", "variations": [1, 2]}]},
      "gated": {"defaultValue": true, "rules": [
        {"parentConditions": [{"id": "plain", "condition": {"value": 8}, "gate": true}]}]},
      "odd": {"defaultValue": 1, "rules": [{"condition": {"name": {"$regex": "(?=x)"}}, "force": 2}]},
      "mine": {"defaultValue": 1, "rules": [{"parentConditions": [{"id": "mine", "condition": {}}], "force": 2}]},
      "broken": 5}}
    """#

  @Test("Meets the contract of every format")
  func meetsContract() throws {
    var contract = DefinitionFormatContract(.growthBook, document: Self.text, unreadable: #"{"features": []}"#)
    contract.contexts += ["1", "2", "3"].map { id in
      EvaluationContext(user: FlagUser(id: id, attributes: ["plan": id == "1" ? "pro" : "free", "name": "x"]))
    }
    try contract.check()
  }

  @Test(
    "Sources are the package's reasons",
    arguments: [
      ("plain", 7, "default", .static), ("none", nil, "default", .static), ("ruled", "yes", "rule-1", .targetingMatch),
      ("gated", nil, nil, .disabled), ("split", 2, "new", .split),
    ] as [(String, FlagValue?, String?, ResolutionReason)])
  func reasons(key: String, value: FlagValue?, variant: String?, reason: ResolutionReason) throws {
    let user = FlagUser(id: "1", attributes: ["plan": "pro"])
    let answer = try document().evaluate(key, in: EvaluationContext(user: user), at: 0)
    #expect(answer?.value == value && answer?.variant == variant && answer?.reason == reason)
  }

  @Test("An experiment's answer is an exposure: its key and variation are metadata, and the attribute of its unit")
  func experiments() throws {
    let context = EvaluationContext(user: FlagUser(id: "1", attributes: ["company": "acme"]))
    let document = try document()
    let split = try #require(try document.evaluate("split", in: context, at: 0))
    #expect(split.isExperiment)
    #expect(
      split.metadata == [
        "experimentKey": "checkout", "variationId": 1, "variationName": "New", "ruleId": "fr_2",
      ])
    let company = try #require(try document.evaluate("company", in: context, at: 0))
    #expect(company.metadata["unitAttribute"] == "company")
    let visitor = try #require(try document.evaluate("split", in: EvaluationContext(), at: 0))
    #expect(visitor.value == 0 && visitor.isMissingTargetingKey && !visitor.isExperiment)
  }

  @Test(
    "Errors say where and why, and the other features are served",
    arguments: [
      ("odd", "$.features.odd.rules[0].condition.name.$regex: the pattern cannot be used"),
      ("mine", "the feature is a prerequisite of itself"), ("broken", "$.features.broken: expected an object"),
    ])
  func errors(key: String, message: String) throws {
    let document = try document()
    let context = EvaluationContext(attributes: ["name": "x"])
    let error = #expect(throws: FlagError.self) { try document.evaluate(key, in: context, at: 0) }
    #expect(error?.code == .parseError && error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
  }

  @Test("Diagnostics have lines and columns")
  func diagnostics() throws {
    let text = """
      {"features": {"a": {"rules": [
        {"condition": {"x": {"$near": 1}}, "force": 1},
        {"condition": {"x": {"$in": 1}}, "force": 1},
        {"condition": 5, "force": 1}]}}}
      """
    let found = try GrowthBookDocument(Array(text.utf8)).diagnostics.map(\.description)
    #expect(
      found == [
        "2:33: error: $.features.a.rules[0].condition.x.$near: unknown operator",
        "3:31: error: $.features.a.rules[1].condition.x.$in: "
          + "expected an array of strings, numbers, booleans or nulls, found the integer 1",
        "4:17: error: $.features.a.rules[2].condition: "
          + "expected an object with the parts of a condition, found the integer 5",
      ])
  }

  @Test("A key that stands twice is a warning, and features that need each other are errors")
  func circles() throws {
    let text = """
      {"features": {
        "a": {"rules": [{"parentConditions": [{"id": "b"}], "force": 1}]},
        "b": {"rules": [{"parentConditions": [{"id": "a"}, {"id": "gone"}], "force": 1}]},
        "c": {"rules": [{"parentConditions": [{"id": "a"}], "force": 1}]},
        "c": {}}}
      """
    let message = "the feature needs itself, directly or through others, by \"parentConditions\""
    #expect(
      try GrowthBookDocument(Array(text.utf8)).diagnostics.map(\.description) == [
        "2:8: error: $.features.a: \(message)", "3:8: error: $.features.b: \(message)",
        "5:8: warning: $.features.c: expected each key once: only the last flag of this key counts",
      ])
  }

  @Test(
    "What cannot be read at all says so",
    arguments: [
      ("[]", "1:1: error: $: expected the member \"features\", an object; found none"),
      (
        #"{"encryptedFeatures": "a.b"}"#,
        "1:23: error: $.encryptedFeatures: expected a key to decrypt the document, found none"
      ),
      (
        #"{"features": {"#, "1:15: error: $.features: expected a name in quotation marks, found the end of the document"
      ),
    ])
  func unreadable(text: String, message: String) {
    let error = #expect(throws: FlagDocumentError.self) { try GrowthBookDocument(Array(text.utf8)) }
    #expect(error?.description == message)
  }

  @Test("Encrypted features are the features, and their diagnostics are at their text")
  func encrypted() throws {
    let text =
      #"{"features": {}, "encryptedFeatures": "m5ylFM6ndyOJA2OPadubkw==.Uu7ViqgKEt/dWvCyhI46q088PkAEJbnXKf3"#
      + #"KPZjf9IEQQ+A8fojNoxw4wIbPX3aj"}"#
    let format = GrowthBookFormat(decryptionKey: "Zvwv/+uhpFDznZ6SX28Yjg==")
    let document = try GrowthBookDocument(Array(text.utf8), format: format)
    #expect(try document.evaluate("feature", in: EvaluationContext(), at: 0)?.value == true)
    let other = GrowthBookFormat(decryptionKey: "AAAAAAAAAAAAAAAAAAAAAA==")
    #expect(throws: FlagDocumentError.self) { try GrowthBookDocument(Array(text.utf8), format: other) }
  }

  @Test("An explanation has the rules up to the one that decided")
  func explanations() throws {
    let document = try document()
    let user = EvaluationContext(user: FlagUser(id: "1", attributes: ["plan": "pro"]))
    let found = document.explain("ruled", in: user, at: 0)
    #expect(found.answer?.value == "yes" && found.steps.map(\.value) == [true])
    #expect(found.steps.first?.rule.fields?["id"] == "fr_1")
    let other = document.explain("ruled", in: EvaluationContext(), at: 0)
    #expect(other.answer?.reason == .disabled && other.steps.map(\.value) == [false, true])
    #expect(document.explain("mine", in: user, at: 0).error?.code == .parseError)
  }

  @Test("A feature has changed if it, a prerequisite, or what it shares with others has")
  func changes() throws {
    func document(_ value: Int, group: Int = 1, extra: String = "") throws -> GrowthBookDocument {
      let text = #"""
        {"features": {"a": {"defaultValue": \#(value)},
          "b": {"rules": [{"parentConditions": [{"id": "a"}], "force": 1}]},
          "c": {"rules": [{"parentConditions": [{"id": "b"}], "force": 1}]},
          "d": {"rules": [{"condition": {"$savedGroup": {"id": "h"}}, "force": 1}]}\#(extra)},
         "savedGroups": {"g": [\#(group)],
           "h": {"type": "condition", "condition": {"plan.size": {"$inGroup": "g"}}}}}
        """#
      return try GrowthBookDocument(Array(text.utf8))
    }
    let first = try document(1)
    #expect(try document(2).changedKeys(from: first) == ["a", "b", "c"])
    #expect(try document(1, group: 2).changedKeys(from: first) == ["d"])
    #expect(try document(1, extra: #", "e": {}"#).changedKeys(from: first) == ["e"])
    #expect(try first.changedKeys(from: document(1, extra: #", "e": {}"#)) == ["e"])
    #expect(try document(1).changedKeys(from: first).isEmpty)
    #expect(first.attributes(of: "d") == ["plan.size"])
    let excerpt = first.excerpt(of: ["d"])
    #expect(excerpt.keys == ["d"] && excerpt.diagnostics.isEmpty)
    let context = EvaluationContext(attributes: ["plan": ["size": 1]])
    #expect(try excerpt.evaluate("d", in: context, at: 0)?.value == 1)
  }

  @Test("The attributes that rules read are named, and ids and countries are the user's")
  func attributes() throws {
    let text = #"""
      {"features": {"a": {"rules": [
        {"condition": {"$or": [{"country": "ES"}, {"device.os": {"$not": {"$in": ["ios"]}}}]}, "force": 1, "coverage": 1},
        {"variations": [1, 2], "hashAttribute": "company", "filters": [{"seed": "s", "attribute": "team", "ranges": []}]}
      ]}}}
      """#
    let document = try GrowthBookDocument(Array(text.utf8))
    #expect(document.attributes(of: "a") == ["country", "device.os", "id", "company", "team"])
    let spanish = EvaluationContext(user: FlagUser(id: "1", countryCode: "ES"))
    #expect(try document.evaluate("a", in: spanish, at: 0)?.value == 1)
  }

  private func document() throws -> GrowthBookDocument { try GrowthBookDocument(Array(Self.text.utf8)) }
}
