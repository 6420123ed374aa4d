import FlagDefinitions
import FlagDomain
import FlagJSON
import FlagProviders
import TestSupport
import Testing

@testable import FlagGrowthBook

/// Members of GrowthBook's public documentation, each with every shape that it does not have there.
///
/// GrowthBook's SDKs read some numerals in text as numbers, because JavaScript does: `coverage`, `range`, `weights` and
/// `namespace`. They are errors here.
@Suite("Members of another shape in GrowthBook's documents")
struct BrokenMemberTests {
  private typealias Shape = ShapeCheck.Shape

  private static let users: [EvaluationContext] = (0..<50).map { number in
    let attributes: [String: FlagValue] = [
      "country": .string(number % 3 == 0 ? "es" : "fr"), "age": .int(Int128(number)),
      "version": .string(number < 9 ? "1.1.0" : "1.3.0"), "tags": number % 2 == 0 ? ["a", "b"] : ["c"],
      "device": .string("d\(number)"),
    ]
    return EvaluationContext(user: FlagUser(id: "u\(number)", attributes: attributes))
  }

  private static let ruleTexts = [
    #"""
    {"id": "r", "force": "yes", "condition": {"country": "es"}, "coverage": 0.5, "seed": "s", "hashAttribute": "id",
     "fallbackAttribute": "device", "hashVersion": 2, "disableStickyBucketing": false, "name": "n", "phase": "0",
     "parentConditions": [{"id": "gate", "condition": {"value": true}, "gate": false}], "type": "standard",
     "tracks": [{"experiment": {}, "result": {}}],
     "filters": [{"attribute": "id", "seed": "f", "hashVersion": 2, "ranges": [[0, 0.7]]}]}
    """#,
    #"{"force": "yes", "range": [0.2, 0.6], "seed": "s", "hashVersion": 2}"#,
    #"""
    {"id": "r", "key": "e", "variations": ["a", "b"], "weights": [0.9, 0.1], "coverage": 0.6, "hashAttribute": "id",
     "namespace": ["n", 0, 0.7], "bucketVersion": 1, "minBucketVersion": 0, "hashVersion": 2, "seed": "s",
     "condition": {"country": "es"}, "fallbackAttribute": "device", "disableStickyBucketing": true,
     "meta": [{"key": "0", "name": "A", "passthrough": false}, {"key": "1", "name": "B", "passthrough": true}]}
    """#,
    #"""
    {"key": "e", "variations": ["a", "b"], "ranges": [[0, 0.2], [0.2, 0.5]],
     "filters": [{"seed": "f", "ranges": [[0, 0.7]]}]}
    """#,
    #"{"contextualBanditRef": "b", "contextualVariations": ["yes", "other"], "weights": [0.9, 0.1], "coverage": 0.5}"#,
  ]

  private static let right: ShapeCheck.RightShapes = [
    "force": Shape.all, "variations.*": Shape.all, "id": [.emptyText], "name": [.emptyText], "type": [.emptyText],
    "phase": [.emptyText, .number], "meta.*.name": [.emptyText], "meta.*": [.object, .emptyObject],
    "condition": [.object, .emptyObject], "condition.country": Shape.all.subtracting([.emptyObject]),
    "parentConditions": [.emptyArray], "parentConditions.*.condition": [.object, .emptyObject],
    "parentConditions.*.condition.value": Shape.all.subtracting([.emptyObject]), "filters": [.emptyArray],
    "filters.*.ranges": [.emptyArray], "meta": [.emptyArray], "variations": [.emptyArray],
    "contextualVariations": [.emptyArray], "contextualVariations.*": Shape.all,
    "tracks": [.array, .emptyArray], "tracks.*": Shape.all, "tracks.*.experiment": Shape.all,
    "tracks.*.result": Shape.all,
  ]

  @Test("A rule is closed, and says why", arguments: ruleTexts)
  func rules(text: String) throws {
    let check = ShapeCheck(.growthBook, for: Self.users, closed: "no") { rule in
      [
        "features": [
          "f": ["defaultValue": "no", "rules": [rule]], "gate": ["defaultValue": true], "n": ["defaultValue": 1],
        ]
      ]
    }
    let failures = try check.failures(of: FlagValue(json: text.utf8), right: Self.right)
    #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
  }

  @Test("Each member that is read is among those that are replaced")
  func complete() throws {
    let rules = try Self.ruleTexts.compactMap { try FlagValue(json: $0.utf8).fields }
    func names(_ shapes: [String: MemberShape], in objects: [[String: FlagValue]]) -> Set<String> {
      var missing = Set(shapes.keys).subtracting(objects.flatMap(\.keys))
      for case (let name, .objects(let inner)) in shapes {
        let elements = objects.flatMap { $0[name]?.elements ?? [] }.compactMap(\.fields)
        missing.formUnion(names(inner, in: elements).map { "\(name).\($0)" })
      }
      return missing
    }
    #expect(names(MemberShape.rule, in: rules) == [])
  }

  @Test("A feature is closed, and says why")
  func features() throws {
    let check = ShapeCheck(.growthBook, for: Self.users, closed: "no") { ["features": ["f": $0]] }
    let text = #"{"defaultValue": "no", "rules": [{"force": "yes", "condition": {"country": "es"}}]}"#
    let failures = try check.failures(
      of: FlagValue(json: text.utf8),
      right: [
        "": [.object, .emptyObject], "defaultValue": Shape.all, "rules": [.emptyArray], "rules.*.force": Shape.all,
        "rules.*": [.object, .emptyObject], "rules.*.condition": [.object, .emptyObject],
        "rules.*.condition.country": Shape.all.subtracting([.emptyObject]),
      ])
    #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
  }

  private static let conditionTexts = [
    #"{"country": {"$in": ["es"]}}"#, #"{"country": {"$nin": ["es"]}}"#, #"{"country": {"$ini": ["ES"]}}"#,
    #"{"country": {"$nini": ["ES"]}}"#, #"{"country": {"$eq": "es"}}"#, #"{"country": {"$ne": "es"}}"#,
    #"{"country": {"$type": "string"}}"#, #"{"country": {"$regex": "^e"}}"#, #"{"country": {"$notRegex": "^e"}}"#,
    #"{"country": {"$regexi": "^E"}}"#, #"{"country": {"$notRegexi": "^E"}}"#, #"{"none": {"$exists": false}}"#,
    #"{"country": {"$not": {"$regex": "^e"}}}"#, #"{"country": {"$inGroup": "g"}}"#,
    #"{"country": {"$notInGroup": "g"}}"#, #"{"age": {"$lt": 30}}"#, #"{"age": {"$lte": 30}}"#,
    #"{"age": {"$gt": 30}}"#, #"{"age": {"$gte": 30}}"#, #"{"version": {"$veq": "1.1.0"}}"#,
    #"{"version": {"$vne": "1.1.0"}}"#, #"{"version": {"$vlt": "1.2.0"}}"#, #"{"version": {"$vlte": "1.2.0"}}"#,
    #"{"version": {"$vgt": "1.2.0"}}"#, #"{"version": {"$vgte": "1.2.0"}}"#, #"{"tags": {"$all": ["a"]}}"#,
    #"{"tags": {"$alli": ["A"]}}"#, #"{"tags": {"$elemMatch": {"$eq": "a"}}}"#, #"{"tags": {"$size": 2}}"#,
    #"{"tags": {"$size": {"$gt": 1}}}"#, #"{"$and": [{"country": "es"}]}"#, #"{"$or": [{"country": "es"}]}"#,
    #"{"$nor": [{"country": "es"}]}"#, #"{"$not": {"country": "es"}}"#, #"{"$savedGroup": {"id": "typed"}}"#,
    #"{"$savedGroup": {"id": "typed", "attributeKey": "country"}}"#, #"{"$savedGroup": {"id": "condition"}}"#,
  ]

  /// The operands that GrowthBook reads, by their operators.
  private static func right(_ condition: String) -> ShapeCheck.RightShapes {
    var right: ShapeCheck.RightShapes = ["": [.object, .emptyObject]]
    let constant = Shape.all.subtracting([.emptyObject])
    for name in ["country", "none", "age", "version", "tags"] {
      for path in [name, "$not.\(name)", "$and.*.\(name)", "$or.*.\(name)", "$nor.*.\(name)"] { right[path] = constant }
      for list in ["$in", "$nin", "$ini", "$nini"] {
        right["\(name).\(list)"] = [.emptyArray]
        right["\(name).\(list).*"] = Shape.scalars
      }
      for test in ["$eq", "$ne"] { right["\(name).\(test)"] = Shape.scalars }
      for test in ["$lt", "$lte", "$gt", "$gte"] { right["\(name).\(test)"] = [.text] }
      for test in ["$veq", "$vne", "$vlt", "$vlte", "$vgt", "$vgte"] { right["\(name).\(test)"] = [.number] }
      for test in ["$all", "$alli"] {
        right["\(name).\(test)"] = [.emptyArray]
        right["\(name).\(test).*"] = constant
      }
    }
    right["tags.$elemMatch"] = [.object]
    right["tags.$elemMatch.$eq"] = Shape.scalars
    right["tags.$size"] = [.number]
    right["tags.$size.$gt"] = [.text]
    right["$not"] = [.object, .emptyObject]
    for list in ["$and", "$or", "$nor"] {
      right[list] = [.emptyArray]
      right["\(list).*"] = [.object, .emptyObject]
    }
    return right
  }

  @Test("A condition is closed, negated or not, and says why", arguments: conditionTexts)
  func conditions(text: String) throws {
    for isNegated in [false, true] {
      let check = ShapeCheck(.growthBook, for: Self.users, closed: "no") { condition in
        let whole: FlagValue = isNegated ? ["$not": condition] : condition
        return [
          "features": ["f": ["defaultValue": "no", "rules": [["force": "yes", "condition": whole]]]],
          "savedGroups": [
            "g": ["es"], "text": ["fr"], "typed": ["type": "list", "attributeKey": "country", "values": ["es"]],
            "condition": ["type": "condition", "condition": ["country": "es"]],
          ],
        ]
      }
      let right = Self.right(text)
      // Everyone's country is a text, so that nobody passes the negated test.
      let failures = try check.failures(of: FlagValue(json: text.utf8), right: right).filter { failure in
        !failure.hasPrefix("nobody")
      }
      #expect(failures.isEmpty, "\(isNegated ? "negated, " : "")\(failures.joined(separator: "\n"))")
    }
  }

  @Test("A saved group closes the features that use it", arguments: ["$inGroup", "$notInGroup"], ["list", "object"])
  func groups(name: String, id: String) throws {
    let check = ShapeCheck(.growthBook, for: Self.users, closed: "no") { groups in
      let rule: FlagValue = ["force": "yes", "condition": ["country": .object([name: .string(id)])]]
      return ["features": ["f": ["defaultValue": "no", "rules": [rule]]], "savedGroups": groups]
    }
    let failures = check.failures(
      of: ["list": ["es"], "object": ["type": "list", "values": ["es"]]],
      right: [
        "": [.object, .emptyObject], "list": [.emptyArray], "list.*": Shape.scalars, "object": [.array, .emptyArray],
        "object.values": [.emptyArray], "object.values.*": Shape.scalars,
      ]
    ) { $0.isEmpty || $0.hasPrefix(id) }
    #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
  }

  @Test(
    "A saved group that is missing, unknown, broken or in a circle closes the features that use it, negated or not",
    arguments: [
      ("none", "$.features.f.rules[0].condition.$not.$savedGroup: the document has no saved group \"none\""),
      ("cohort", "$.savedGroups.cohort: unknown type of a saved group"),
      ("circle", "$.savedGroups.circle: the saved group needs itself, directly or through others"),
      ("user", "$.savedGroups.cohort: unknown type of a saved group"),
      ("plain", "$.savedGroups.plain: expected a group with a type, found an array of 1 element"),
      ("open", "$.savedGroups.open: expected the name of an attribute as \"attributeKey\", found none"),
    ])
  func savedGroups(id: String, message: String) throws {
    let text = #"""
      {"features": {"f": {"rules": [{"condition": {"$not": {"$savedGroup": {"id": "\#(id)"}}}, "force": 1}]}},
       "savedGroups": {"cohort": {"type": "cohort"}, "plain": ["es"], "open": {"type": "list", "values": []},
         "circle": {"type": "condition", "condition": {"$not": {"$savedGroup": {"id": "circle"}}}},
         "user": {"type": "condition", "condition": {"$nor": [{"$savedGroup": {"id": "cohort"}}]}}}}
      """#
    let document = try GrowthBookDocument(Array(text.utf8))
    #expect(document.diagnostics.map { "\($0.path): \($0.message)" } == [message])
    #expect(document.brokenKeys == ["f"])
    let error = #expect(throws: FlagError.self) { try document.evaluate("f", in: Self.users[0], at: 0) }
    #expect(error == FlagError(.parseError, message))
  }

  @Test("A contextual bandit closes the features that use it")
  func bandits() throws {
    let check = ShapeCheck(.growthBook, for: Self.users, closed: "no") { bandits in
      let rule: FlagValue = ["contextualBanditRef": "b", "contextualVariations": ["yes", "no"], "weights": [0, 1]]
      return ["features": ["f": ["defaultValue": "no", "rules": [rule]]], "contextualBandits": bandits]
    }
    let text = #"{"b": {"banditVersion": 1, "contexts": [{"leafId": 1, "condition": {"age": 3}, "weights": [1, 0]}]}}"#
    let failures = try check.failures(
      of: FlagValue(json: text.utf8),
      right: [
        "": [.object, .emptyObject], "b.contexts": [.emptyArray], "b.contexts.*.condition": [.object, .emptyObject],
        "b.contexts.*.condition.age": Shape.all.subtracting([.emptyObject]),
      ])
    #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
  }

  @Test("A broken feature is an error for everyone, with its place, and an unknown member is ignored")
  func errors() throws {
    let text = #"""
      {"features": {
        "short": {"defaultValue": "no", "rules": [{"force": "yes", "range": [0.2]}]},
        "parents": {"defaultValue": "no", "rules": [{"force": "yes", "parentConditions": {"id": "gate"}}]},
        "dollar": {"defaultValue": "no", "rules": [{"force": "yes", "condition": {"$near": null}}]},
        "extra": {"defaultValue": "no", "rules": [{"force": "yes", "reach": [0.2]}]}}}
      """#
    let document = try GrowthBookDocument(Array(text.utf8))
    #expect(
      document.diagnostics.map(\.description) == [
        "2:71: error: $.features.short.rules[0].range: expected an array of two numbers, found an array of 1 element",
        "3:84: error: $.features.parents.rules[0].parentConditions: expected an array of objects, found an object",
        "4:86: error: $.features.dollar.rules[0].condition.$near: unknown operator",
      ])
    for key in ["short", "parents", "dollar"] {
      let error = #expect(throws: FlagError.self) { try document.evaluate(key, in: Self.users[0], at: 0) }
      #expect(error?.code == .parseError && error?.message.hasPrefix("$.features.\(key).rules[0].") == true)
    }
    #expect(try document.evaluate("extra", in: Self.users[0], at: 0)?.value == "yes")
  }

  @Test("A feature that breaks, or needs one or a group that does, keeps its last good definition and what it needs")
  func keepsLastGood() throws {
    func document(gate: String, group: String, value: String) throws -> GrowthBookDocument {
      let text = #"""
        {"features": {
          "gate": {"defaultValue": true, "rules": \#(gate)}, "plain": {"defaultValue": "\#(value)"},
          "child": {"defaultValue": "no", "rules": [
            {"parentConditions": [{"id": "gate", "condition": {"value": true}}], "force": "\#(value)"}]},
          "member": {"defaultValue": "no", "rules": [
            {"condition": {"country": {"$inGroup": "g"}}, "force": "\#(value)"}]}},
         "savedGroups": {"g": \#(group), "unused": ["x"]}}
        """#
      return try GrowthBookDocument(Array(text.utf8))
    }
    let provider = DefinitionStoreProvider(try document(gate: "[]", group: #"["es"]"#, value: "1"))
    func answers() throws -> [String] {
      try ["child", "member", "gate", "plain"].map { key in
        let answer = try provider.snapshot().answer(for: FlagKey(providerName: key), in: Self.users[0])
        return "\(answer?.value ?? .null) \(answer?.reason.rawValue ?? "")"
      }
    }
    provider.update(with: try document(gate: "5", group: "7", value: "2"))
    #expect(try answers() == [#""1" STALE"#, #""1" STALE"#, "true STALE", #""2" STATIC"#])
    provider.update(with: try document(gate: "[]", group: "7", value: "3"))
    #expect(try answers() == [#""3" TARGETING_MATCH"#, #""1" STALE"#, "true STATIC", #""3" STATIC"#])
    let whole = try document(gate: "[]", group: #"["es"]"#, value: "1")
    #expect(Set(whole.excerpt(of: ["child"]).keys) == ["child", "gate"])
    #expect(whole.excerpt(of: ["member"]).keys == ["member"])
  }

  @Test("An experiment on pages includes nobody, and says so")
  func pages() throws {
    let text = #"""
      {"features": {"f": {"defaultValue": "no", "rules": [{"variations": ["a", "b"], "urlPatterns": []}]}},
       "experiments": [{"key": "e", "variations": [{}, {"urlRedirect": "https://b.example"}]}]}
      """#
    let document = try GrowthBookDocument(Array(text.utf8))
    #expect(
      document.diagnostics.map(\.description) == [
        "1:53: warning: $.features.f.rules[0]: an experiment on pages includes nobody",
        "2:18: warning: $.experiments[0]: an experiment on pages includes nobody",
      ])
    #expect(try document.evaluate("f", in: Self.users[0], at: 0)?.value == "no")
  }
}
