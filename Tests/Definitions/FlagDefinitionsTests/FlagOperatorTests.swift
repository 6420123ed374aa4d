import FlagDomain
import Testing

@testable import FlagDefinitions

@Suite("The operators that JsonLogic does not know")
struct FlagOperatorTests {
  @Test(
    "Bad operands give null, never false",
    arguments: [
      #"{"starts_with": ["a"]}"#, #"{"starts_with": ["a", 1]}"#, #"{"ends_with": [null, "a"]}"#,
      #"{"ends_with": ["a", "b", "c"]}"#, #"{"sem_ver": ["1.0.0", "="]}"#, #"{"sem_ver": ["1.0.0", "==", "1.0.0"]}"#,
      #"{"sem_ver": ["1.0.0.0", "=", "1.0.0"]}"#, #"{"sem_ver": [true, "=", "1.0.0"]}"#, #"{"sem_ver": "1.0.0"}"#,
      #"{"fractional": []}"#, #"{"fractional": "text"}"#, #"{"fractional": [null, ["a", 1]]}"#,
      #"{"fractional": ["u", ["a", 0]]}"#, #"{"fractional": ["u", ["a", 1.5]]}"#, #"{"fractional": ["u", ["a", "1"]]}"#,
      #"{"fractional": ["u", []]}"#, #"{"fractional": ["u", ["a", 1, 2]]}"#, #"{"fractional": ["u", "a"]}"#,
      #"{"fractional": ["u", ["a", 2147483647], ["b", 1]]}"#, #"{"fractional": [["a", 1]]}"#,
      #"{"fractional": ["u", ["a", 99999999999999999999999]]}"#,
    ])
  func badOperands(rule: String) throws {
    #expect(try RuleHarness.evaluate(rule) == .null)
  }

  @Test(
    "Versions of any length are compared by their numbers",
    arguments: [
      ("99999999999999999999999.999999999999999999.1", ">", "99999999999999999999998.0.0", true),
      ("1.0.0-alpha.99999999999999999999999999999999999999999999", "<", "1.0.0-alpha.a", true),
      ("1.0.0-alpha", "<", "1.0.0-alpha.1", true), ("1.0.0-rc.10", ">", "1.0.0-rc.9", true),
      ("1.0.0-0A.is.legal", "<", "1.0.0", true), ("1.0.0+a", "=", "1.0.0+b", true), ("1.2", "=", "v1.2.0", true),
      ("2.1.9", "~", "2.1.0", true), ("2.2.0", "~", "2.1.0", false), ("2.2.0", "^", "2.9.1", true),
    ])
  func versions(left: String, relation: String, right: String, holds: Bool) throws {
    let rule = #"{"sem_ver": [{"var": "a"}, "\#(relation)", "\#(right)"]}"#
    #expect(try RuleHarness.evaluate(rule, on: #"{"a": "\#(left)"}"#) == .bool(holds))
  }

  @Test(
    "In bucketing v2, a first operand that is null or missing means flag key and targeting key, as in flagd's daemon",
    arguments: ["null", #"{"var": "none"}"#, #"{"if": [false, "x"]}"#])
  func missingSubject(subject: String) throws {
    func variants(_ subject: String, _ bucketing: Bucketing) throws -> [String?] {
      let document = try FlagDocument(
        parsing: Array(
          """
          {"flags": {"flag": {"state": "ENABLED", "variants": {"a": 1, "b": 2},
            "targeting": {"fractional": [\(subject)["a", 50], ["b", 50]]}}}}
          """.utf8), bucketing: bucketing)
      return try (0..<50).map { user in
        try document.evaluate("flag", in: EvaluationContext(user: FlagUser(id: "user \(user)")), at: 0)?.variant
      }
    }
    let implicit = try variants("", .v2)
    #expect(Set(implicit) == ["a", "b"])
    #expect(try variants(subject + ",", .v2) == implicit)
    #expect(try Set(variants(subject + ",", .v3)) == [nil])
  }

  @Test(
    "The relation of versions may come from a rule",
    arguments: [("<", true), (">=", false), ("^", true), ("is", nil), ("", nil)] as [(String, Bool?)])
  func relations(relation: String, holds: Bool?) throws {
    let rule = #"{"sem_ver": ["1.2.0", {"var": "relation"}, "1.3.0"]}"#
    #expect(try RuleHarness.evaluate(rule, on: #"{"relation": "\#(relation)"}"#) == holds.map(FlagValue.bool) ?? .null)
  }

  @Test("Versions compare as their numbers do")
  func numbers() throws {
    let numbers = [0, 1, 2, 9, 10, 99, 100_000, 999_999, 1_000_000, .max]
    let versions = numbers.flatMap { major in numbers.map { [major, $0, major % 3] } }
    for left in versions {
      let one = try #require(SemanticVersion(left.map(String.init).joined(separator: ".")))
      for right in versions {
        let other = try #require(SemanticVersion(right.map(String.init).joined(separator: ".")))
        let (isBefore, isAfter) = (left.lexicographicallyPrecedes(right), right.lexicographicallyPrecedes(left))
        let expected = [
          left == right, left != right, isBefore, !isAfter, isAfter, !isBefore, left[0] == right[0],
          left[0] == right[0] && left[1] == right[1],
        ]
        #expect(VersionRelation.allCases.map { $0.holds(one, other) } == expected, "\(left) and \(right)")
      }
    }
  }

  @Test(
    "What is no semantic version is none",
    arguments: [
      "", "v", "vv1", "1.", "1.2.", "1.2.3.4", "01.2.3", "1.2.3-", "1.2.3-01", "1.2.3-a..b", "1.2.3+", "1-a", "1.2+b",
      " 1.2.3", "1.2.3 ", "1.2.3-é", "-1.0.0", "1.2.3+é",
    ])
  func notVersions(text: String) {
    #expect(SemanticVersion(text) == nil)
  }

  @Test("Weights may be rules, and negative ones count as zero")
  func weights() throws {
    let rule = """
      {"fractional": ["u", [{"cat": "b"}, {"-": [1, 5]}], ["a", {"var": "weight"}], [{"var": "c"}, 0]]}
      """
    #expect(try RuleHarness.evaluate(rule, on: #"{"weight": 3.0}"#) == "a")
    #expect(try RuleHarness.evaluate(rule, on: #"{"weight": -3}"#) == .null)
  }

  @Test("Without a first operand, the flag's key and the targeting key decide, where there is one")
  func targetingKey() throws {
    let document = try FlagDocument(rule: #"{"fractional": [["on", 1]]}"#)
    #expect(document.outcome(["targetingKey": "u"]) == "on TARGETING_MATCH")
    #expect(document.outcome() == "off DEFAULT")
    #expect(document.outcome(["targetingKey": ""]) == "off DEFAULT")
    #expect(document.outcome(["targetingKey": 1]) == "off DEFAULT")
  }
}
