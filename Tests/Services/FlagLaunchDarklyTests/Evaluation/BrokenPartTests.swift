import FlagDefinitions
import FlagDomain
import FlagJSON
import FlagLaunchDarkly
import FlagProviders
import TestSupport
import Testing

/// Members of LaunchDarkly's data model, each with every shape that it does not have there.
///
/// No numeral in text is read as a number, as by LaunchDarkly's own SDKs.
@Suite("Parts of another shape in LaunchDarkly's documents")
struct BrokenPartTests {
  private typealias Shape = ShapeCheck.Shape

  private static let users: [EvaluationContext] = (0..<50).map { number in
    let attributes: [String: FlagValue] = [
      "country": .string(number % 3 == 0 ? "es" : "fr"), "age": .int(Int128(number)),
      "version": .string(number < 9 ? "1.1.0" : "1.3.0"),
      "since": number < 9 ? .string("2026-01-01T00:00:00Z") : .int(1_800_000_000_000),
    ]
    let org: [String: FlagValue] = ["key": .string("o\(number % 4)")]
    return EvaluationContext(user: FlagUser(id: "u\(number)", attributes: attributes, contexts: ["org": org]))
  }

  private static let clauseTexts = [
    #"{"contextKind": "user", "attribute": "country", "op": "in", "values": ["es"]"#,
    #"{"contextKind": "org", "attribute": "key", "op": "in", "values": ["o1"]"#,
    #"{"attribute": "country", "op": "startsWith", "values": ["e"]"#,
    #"{"attribute": "country", "op": "endsWith", "values": ["s"]"#,
    #"{"attribute": "country", "op": "contains", "values": ["s"]"#,
    #"{"attribute": "country", "op": "matches", "values": ["^e"]"#,
    #"{"attribute": "age", "op": "lessThan", "values": [30]"#,
    #"{"attribute": "age", "op": "lessThanOrEqual", "values": [30]"#,
    #"{"attribute": "age", "op": "greaterThan", "values": [30]"#,
    #"{"attribute": "age", "op": "greaterThanOrEqual", "values": [30]"#,
    #"{"attribute": "since", "op": "before", "values": ["2026-06-01T00:00:00Z"]"#,
    #"{"attribute": "since", "op": "after", "values": [1780272000000]"#,
    #"{"attribute": "version", "op": "semVerEqual", "values": ["1.1.0"]"#,
    #"{"attribute": "version", "op": "semVerLessThan", "values": ["1.2.0"]"#,
    #"{"attribute": "version", "op": "semVerGreaterThan", "values": ["1.2.0"]"#,
    #"{"op": "segmentMatch", "values": ["s"]"#,
  ]

  /// The shapes of the parts of clauses and rollouts that mean what LaunchDarkly's SDKs take them for.
  private static let right: ShapeCheck.RightShapes = [
    "clauses": [.emptyArray], "clauses.*.values": [.emptyArray], "id": [.emptyText],
  ]

  @Test("A clause is closed, negated or not, and says why", arguments: clauseTexts, [false, true])
  func clauses(text: String, isNegated: Bool) throws {
    var right = Self.right
    if text.contains(#""op": "in""#) { right["clauses.*.values.*"] = Shape.all }
    if text.contains("before") { right["clauses.*.values.*"] = [.number] }
    let rule = #"{"id": "r", "variation": 1, "trackEvents": false, "clauses": [\#(text), "negate": \#(isNegated)}]}"#
    try check(FlagValue(json: rule.utf8), right: right) { rule in
      ["f": Self.flag(["rules": [rule]])]
    }
  }

  @Test("A rollout is closed, and says why", arguments: [(50_000, "rollout"), (90_000, "experiment")])
  func rollouts(weight: Int, kind: String) throws {
    let rollout = #"""
      {"kind": "\#(kind)", "contextKind": "user", "bucketBy": "key", "seed": 61, "variations": [
        {"variation": 0, "weight": \#(weight), "untracked": false}, {"variation": 1, "weight": \#(100_000 - weight)}]}
      """#
    try check(FlagValue(json: rollout.utf8), right: [:]) { rollout in
      ["f": Self.flag(["rules": [["rollout": rollout, "clauses": []]]])]
    }
  }

  @Test("A flag is closed, and says why")
  func flags() throws {
    let flag = Self.flag([
      "prerequisites": [["key": "gate", "variation": 0]], "key": "f", "deleted": false,
      "clientSideAvailability": ["usingMobileKey": true, "usingEnvironmentId": false],
      "targets": [["variation": 1, "values": ["u1"]]],
      "contextTargets": [
        ["contextKind": "user", "variation": 1, "values": []],
        ["contextKind": "org", "variation": 1, "values": ["o2"]],
      ],
      "rules": [["variation": 1, "clauses": [["attribute": "country", "op": "in", "values": ["es"]]]]],
    ])
    try check(
      flag,
      right: [
        "variations.*": Shape.all, "offVariation": [.null], "prerequisites": [.emptyArray], "targets": [.emptyArray],
        "targets.*": [.object, .emptyObject], "targets.*.values": [.emptyArray], "contextTargets": [.emptyArray],
        "contextTargets.*": [.object, .emptyObject], "contextTargets.*.values": [.emptyArray], "rules": [.emptyArray],
        "rules.*.clauses": [.emptyArray], "rules.*.clauses.*.values": [.emptyArray],
        "rules.*.clauses.*.values.*": Shape.all, "": [.object, .emptyObject], "salt": [.emptyText],
        "clientSideAvailability": [.object, .emptyObject],
      ]
    ) { ["f": $0] }
  }

  @Test("A segment closes the flags that use it, negated or not", arguments: [false, true])
  func segments(isNegated: Bool) throws {
    try check(
      Self.segments,
      right: [
        // Segments that are not there have nobody, and null stands for none, as LaunchDarkly's servers write it.
        "": [.null, .object, .emptyObject], "s": [.object, .emptyObject], "s.included": [.emptyArray],
        "s.excluded": [.emptyArray], "s.includedContexts": [.emptyArray], "s.excludedContexts": [.emptyArray],
        "s.includedContexts.*": [.object, .emptyObject], "s.excludedContexts.*": [.object, .emptyObject],
        "s.includedContexts.*.values": [.emptyArray], "s.excludedContexts.*.values": [.emptyArray],
        "s.rules": [.emptyArray], "s.rules.*": [.object, .emptyObject], "s.rules.*.weight": [.null],
        "s.rules.*.clauses": [.emptyArray], "s.rules.*.clauses.*.values": [.emptyArray],
        "s.rules.*.clauses.*.values.*": Shape.all, "s.generation": [.null], "s.salt": [.emptyText],
        "s.rules.*.clauses.*": [.object, .emptyObject],
      ], segmentsPart: { $0 }
    ) { _ in
      let clause: FlagValue = ["op": "segmentMatch", "values": ["s"], "negate": .bool(isNegated)]
      return ["f": Self.flag(["rules": [["variation": 1, "clauses": [clause]]]])]
    }
  }

  @Test("A broken flag is an error with its place, and an unknown member is ignored")
  func errors() throws {
    let text = #"""
      {"flags": {
        "f": {"on": true, "variations": [1, 2], "fallthrough": {"variation": 0}, "rules": [
          {"variation": 1, "clauses": [{"attribute": "age", "op": "above", "values": [1], "negate": true}]}]},
        "g": {"on": true, "variations": [1, 2], "fallthrough": {"variation": 0, "more": 5}, "beta": []}}}
      """#
    let document = try LaunchDarklyFormat().read(Array(text.utf8), of: nil)
    let message = "$.flags.f.rules[0].clauses[0].op: expected an operator, found \"above\""
    #expect(document.diagnostics.map(\.description) == ["3:61: error: \(message)"])
    let error = #expect(throws: FlagError.self) { try document.evaluate("f", in: Self.users[0], at: 0) }
    #expect(error?.code == .parseError && error?.message == message)
    #expect(try document.evaluate("g", in: Self.users[0], at: 0)?.value == 1)
  }

  @Test("A flag that breaks, or needs a flag or segment that does, keeps its last good definition and what it needs")
  func keepsLastGood() throws {
    func document(gate: FlagValue, segment: FlagValue, plain: FlagValue) throws -> any DefinitionDocument {
      let rule: FlagValue = ["variation": 1, "clauses": [["op": "segmentMatch", "values": ["none", "inner"]]]]
      let inner: FlagValue = ["rules": [["clauses": [["op": "segmentMatch", "values": ["s"]]]]]]
      let text: FlagValue = [
        "flags": [
          "gate": Self.flag(["on": gate]), "plain": Self.flag(["fallthrough": ["variation": plain]]),
          "child": Self.flag(["prerequisites": [["key": "gate", "variation": 0]], "fallthrough": ["variation": 1]]),
          "member": Self.flag(["rules": [rule]]),
        ], "segments": ["s": ["included": segment], "inner": inner, "unused": ["included": ["u0"]]],
      ]
      return try LaunchDarklyFormat().read(Array("\(text)".utf8), of: nil)
    }
    let provider = DefinitionStoreProvider(try document(gate: true, segment: ["u0"], plain: 0))
    func answers() throws -> [String] {
      try ["child", "member", "gate", "plain"].map { key in
        let answer = try provider.snapshot().answer(for: FlagKey(providerName: key), in: Self.users[0])
        return "\(answer?.value ?? .null) \(answer?.reason.rawValue ?? "")"
      }
    }
    provider.update(with: try document(gate: 5, segment: "u0", plain: 1))
    #expect(try answers() == [#""yes" STALE"#, #""yes" STALE"#, #""no" STALE"#, #""yes" STATIC"#])
    provider.update(with: try document(gate: true, segment: "u0", plain: 0))
    #expect(try answers() == [#""yes" DEFAULT"#, #""yes" STALE"#, #""no" STATIC"#, #""no" STATIC"#])
    let whole = try document(gate: true, segment: ["u0"], plain: 0)
    #expect(whole.excerpt(of: ["child"]).keys == ["child"])
    #expect(try whole.excerpt(of: ["member"]).evaluate("member", in: Self.users[0], at: 0)?.value == "yes")
  }

  @Test("A flag that is not for clients stays so in its last good definition")
  func keepsRestriction() throws {
    let restriction: FlagValue = ["usingMobileKey": false, "usingEnvironmentId": false]
    let text: FlagValue = [
      "flags": ["own": Self.flag(["clientSideAvailability": restriction]), "public": Self.flag([:])]
    ]
    let excerpt = try LaunchDarklyFormat().read(Array("\(text)".utf8), of: nil).excerpt(of: ["own", "public"])
    #expect(["own", "public"].map { excerpt.listing(of: $0)?.isForClients } == [false, true])
  }

  private static let segments: FlagValue = [
    "s": [
      "included": ["u1"], "excluded": ["u2"], "includedContexts": [["contextKind": "org", "values": ["o1"]]],
      "excludedContexts": [["contextKind": "org", "values": ["o2"]]], "salt": "x", "unbounded": false, "generation": 1,
      "rules": [
        [
          "weight": 50_000, "bucketBy": "key", "rolloutContextKind": "org",
          "clauses": [["attribute": "country", "op": "in", "values": ["es"], "negate": true]],
        ]
      ],
    ]
  ]

  private static func flag(_ members: [String: FlagValue]) -> FlagValue {
    let others: [String: FlagValue] = [
      "on": true, "variations": ["no", "yes"], "offVariation": 0, "fallthrough": ["variation": 0], "salt": "s",
    ]
    return .object(others.merging(members) { $1 })
  }

  private func check(
    _ part: FlagValue, right: ShapeCheck.RightShapes, segmentsPart: ((FlagValue) -> FlagValue)? = nil,
    sourceLocation: SourceLocation = #_sourceLocation, flags: @escaping (FlagValue) -> [String: FlagValue]
  ) throws {
    let check = ShapeCheck(.launchDarkly, for: Self.users, closed: "no") { part in
      var flags = flags(part)
      flags["gate"] = ["on": true, "variations": [true], "fallthrough": ["variation": 0]]
      return ["flags": .object(flags), "segments": segmentsPart?(part) ?? Self.segments]
    }
    let failures = check.failures(of: part, right: right)
    #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))", sourceLocation: sourceLocation)
  }
}
