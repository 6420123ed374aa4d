import FlagDefinitions
import FlagDomain
import FlagJSON
import Testing

@testable import FlagLaunchDarkly

@Suite("Flags that need as much as they can")
struct HostileFlagsTests {
  private let user = EvaluationContext(
    user: FlagUser(id: "ann", attributes: ["text": .string(String(repeating: "a", count: 100_000))]))

  private func outcome(_ document: FlagValue, _ context: EvaluationContext? = nil) throws -> String {
    let document = try LaunchDarklyFormat().read(Array("\(document)".utf8), of: nil)
    do throws(FlagError) {
      return try document.evaluate("f", in: context ?? user, at: 0).map { "\($0.reason)" } ?? "NONE"
    } catch {
      return "\(error.code): \(error.message)"
    }
  }

  private func flag(_ members: [String: FlagValue]) -> FlagValue {
    .object(["on": true, "variations": [1], "fallthrough": ["variation": 0]].merging(members) { $1 })
  }

  private func rule(_ clauses: FlagValue...) -> FlagValue { ["variation": 0, "clauses": .array(clauses)] }

  private func clause(_ attribute: FlagValue, _ op: FlagValue, _ values: [FlagValue]) -> FlagValue {
    ["attribute": attribute, "op": op, "values": .array(values)]
  }

  @Test("A flag with 5,000 rules that do not match is evaluated to its end")
  func manyRules() throws {
    let rules = (0..<5_000).map { rule(clause("key", "in", [.string("key-\($0)")])) }
    #expect(try outcome(["flags": ["f": flag(["rules": .array(rules)])]]) == "DEFAULT")
  }

  @Test(
    "A segment of 100,000 keys has those, and no others",
    arguments: [("key-99999", "TARGETING_MATCH"), ("ann", "DEFAULT")])
  func largeSegment(key: String, expected: String) throws {
    let keys = (0..<100_000).map { FlagValue.string("key-\($0)") }
    let document: FlagValue = [
      "flags": ["f": flag(["rules": [rule(clause("", "segmentMatch", ["s"]))]])],
      "segments": ["s": ["included": .array(keys)]],
    ]
    #expect(try outcome(document, EvaluationContext(user: FlagUser(id: key))) == expected)
  }

  @Test("Targets of 5,000 kinds and variations load and are evaluated in time in proportion to them")
  func manyKinds() throws {
    let targets = (0..<5_000).map { number -> FlagValue in
      ["contextKind": .string("kind-\(number)"), "variation": 0, "values": ["ann"]]
    }
    let users = (0..<5_000).map { number -> FlagValue in ["variation": .int(Int128(number)), "values": ["bob"]] }
    let members: [String: FlagValue] = ["contextTargets": .array(targets + users), "targets": .array(users)]
    #expect(try outcome(["flags": ["f": flag(members)]]) == "DEFAULT")
  }

  @Test("Prerequisites that fan out run out of steps", arguments: [60])
  func fansOut(levels: Int) throws {
    var flags: [String: FlagValue] = [:]
    for level in 0...levels {
      let next: FlagValue = .string("f\(level + 1)")
      let needs: FlagValue = level == levels ? [] : [["key": next, "variation": 0], ["key": next, "variation": 0]]
      flags[level == 0 ? "f" : "f\(level)"] = flag(["prerequisites": needs])
    }
    #expect(try outcome(["flags": .object(flags)]) == "GENERAL: the flag takes more than 1000000 steps")
  }

  @Test("Prerequisites and segments nest in a hundred levels, and in no more", arguments: [true, false])
  func nests(isSegment: Bool) throws {
    func document(_ levels: Int) -> FlagValue {
      var parts: [String: FlagValue] = [:]
      for level in 0..<levels {
        let next: FlagValue = .string("p\(level + 1)")
        parts["p\(level)"] =
          isSegment
          ? ["rules": [["clauses": [clause("", "segmentMatch", [next])]]]]
          : flag(["prerequisites": [["key": next, "variation": 0]]])
      }
      parts["p\(levels)"] = isSegment ? ["included": ["ann"]] : flag([:])
      guard isSegment else {
        parts["f"] = parts.removeValue(forKey: "p0")
        return ["flags": .object(parts)]
      }
      return [
        "flags": ["f": flag(["rules": [rule(clause("", "segmentMatch", ["p0"]))]])], "segments": .object(parts),
      ]
    }
    #expect(try outcome(document(100)) == (isSegment ? "TARGETING_MATCH" : "DEFAULT"))
    let error = "GENERAL: the flag nests prerequisites or segments in more than 100 levels"
    #expect(try outcome(document(101)) == error)
    #expect(try outcome(document(1_000)) == error)
  }

  @Test("Searches in long texts run out of their budget, or end")
  func searches() throws {
    let needle = FlagValue.string(String(repeating: "a", count: 50_000) + "b")
    let values = [FlagValue](repeating: needle, count: 20)
    for op in ["contains", "startsWith", "endsWith", "in"] as [FlagValue] {
      #expect(try outcome(["flags": ["f": flag(["rules": [rule(clause("text", op, values))]])]]) == "DEFAULT")
    }
    let contains = rule(clause("text", "contains", values))
    let many = [FlagValue](repeating: contains, count: 10)
    #expect(
      try outcome(["flags": ["f": flag(["rules": .array(many)])]]) == "GENERAL: the flag reads more than 33554432 bytes"
    )
  }

  @Test("A pattern that takes exponential time elsewhere is searched for in linear time")
  func patterns() throws {
    let pattern = rule(clause("text", "matches", ["(a+)+$b"]))
    let found = try outcome(["flags": ["f": flag(["rules": [pattern]])]])
    #expect(found == "DEFAULT" || found.hasPrefix("GENERAL: the flag takes more than"))
  }

  @Test("A pattern that cannot be searched for in linear time makes its rule an error, also when it is loaded")
  func unsupportedPatterns() throws {
    let document: FlagValue = ["flags": ["f": flag(["rules": [rule(clause("text", "matches", ["(a)\\1"]))]])]]
    #expect(try outcome(document).hasPrefix(#"PARSE_ERROR: the regular expression "(a)\\1" is not used"#))
    let found = try LaunchDarklyFormat().read(Array("\(document)".utf8), of: nil).diagnostics
    #expect(found.map(\.severity) == [.error])
    #expect(found.first?.path == "$.flags.f.rules[0].clauses[0]")
  }

  @Test("Circles of flags and of segments are errors")
  func circles() throws {
    let flags: FlagValue = [
      "f": flag(["prerequisites": [["key": "g", "variation": 0]]]),
      "g": flag(["prerequisites": [["key": "f", "variation": 0]]]),
    ]
    #expect(try outcome(["flags": flags]) == #"PARSE_ERROR: prerequisites form a circle: "g" needs "f""#)
    let match = clause("", "segmentMatch", ["s"])
    let segments: FlagValue = ["s": ["rules": [["clauses": [match]]]]]
    #expect(
      try outcome(["flags": ["f": flag(["rules": [rule(match)]])], "segments": segments])
        == "PARSE_ERROR: the rules of segments form a circle")
  }
}
