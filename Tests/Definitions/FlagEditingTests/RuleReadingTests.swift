import FlagDomain
import FlagEditing
import Testing

@Suite("Rules that are read for forms")
struct RuleReadingTests {
  typealias Test = EditableRule.Test

  static let comparisons: [(String, Test)] = [
    (#"{"==": [{"var": "plan"}, "pro"]}"#, Test("plan", .is, ["pro"])),
    (#"{"==": [{"var": "age"}, 18]}"#, Test("age", .is, [18])),
    (#"{"==": [{"var": "isBeta"}, true]}"#, Test("isBeta", .is, [true])),
    (#"{"!=": [{"var": "age"}, 1.5]}"#, Test("age", .isNot, [1.5])),
    (#"{"===": [{"var": "plan"}, "pro"]}"#, Test("plan", .isExactly, ["pro"])),
    (#"{"!==": [{"var": "plan"}, "pro"]}"#, Test("plan", .isNotExactly, ["pro"])),
    (#"{"in": [{"var": "country"}, ["es", "pt", 1, false]]}"#, Test("country", .isOneOf, ["es", "pt", 1, false])),
    (#"{"in": [{"var": "country"}, []]}"#, Test("country", .isOneOf)),
    (#"{"!": {"in": [{"var": "country"}, ["es"]]}}"#, Test("country", .isNoneOf, ["es"])),
    (#"{"in": ["beta", {"var": "segments"}]}"#, Test("segments", .contains, ["beta"])),
    (#"{"!": {"in": ["beta", {"var": "segments"}]}}"#, Test("segments", .doesNotContain, ["beta"])),
    (#"{"starts_with": [{"var": "email"}, "a@"]}"#, Test("email", .startsWith, ["a@"])),
    (#"{"!": {"starts_with": [{"var": "email"}, "a@"]}}"#, Test("email", .doesNotStartWith, ["a@"])),
    (#"{"ends_with": [{"var": "email"}, ".org"]}"#, Test("email", .endsWith, [".org"])),
    (#"{"!": {"ends_with": [{"var": "email"}, ".org"]}}"#, Test("email", .doesNotEndWith, [".org"])),
    (#"{"<": [{"var": "age"}, 18]}"#, Test("age", .below, [18])),
    (#"{"<=": [{"var": "age"}, 17.5]}"#, Test("age", .atMost, [17.5])),
    (#"{">": [{"var": "age"}, 18]}"#, Test("age", .above, [18])),
    (#"{">=": [{"var": "age"}, 18]}"#, Test("age", .atLeast, [18])),
    (#"{"<=": [18, {"var": "age"}, 30]}"#, Test("age", .between, [18, 30])),
    (#"{"<": [18, {"var": "age"}, 30]}"#, Test("age", .betweenExclusive, [18, 30])),
    (#"{"sem_ver": [{"var": "app.version"}, "=", "1.2.0"]}"#, Test("app.version", .versionIs, ["1.2.0"])),
    (#"{"sem_ver": [{"var": "v"}, "!=", "1.2.0"]}"#, Test("v", .versionIsNot, ["1.2.0"])),
    (#"{"sem_ver": [{"var": "v"}, "<", "1.2.0"]}"#, Test("v", .versionBelow, ["1.2.0"])),
    (#"{"sem_ver": [{"var": "v"}, "<=", "1.2.0"]}"#, Test("v", .versionAtMost, ["1.2.0"])),
    (#"{"sem_ver": [{"var": "v"}, ">", "1.2.0"]}"#, Test("v", .versionAbove, ["1.2.0"])),
    (#"{"sem_ver": [{"var": "v"}, ">=", "1.2.0"]}"#, Test("v", .versionAtLeast, ["1.2.0"])),
    (#"{"sem_ver": [{"var": "v"}, "^", "1.2.0"]}"#, Test("v", .versionSameMajor, ["1.2.0"])),
    (#"{"sem_ver": [{"var": "v"}, "~", "1.2.0"]}"#, Test("v", .versionSameMinor, ["1.2.0"])),
    (#"{"!!": [{"var": "email"}]}"#, Test("email", .isSet)),
    (#"{"!": [{"var": "email"}]}"#, Test("email", .isNotSet)),
    (#"{"<": [{"var": "$flagd.timestamp"}, 1800000000]}"#, Test("$flagd.timestamp", .before, [1_800_000_000])),
    (#"{">=": [{"var": "$flagd.timestamp"}, 1800000000]}"#, Test("$flagd.timestamp", .after, [1_800_000_000])),
  ]

  @Test("Each comparison of the format is read, and written as it was", arguments: comparisons)
  func comparison(json: String, test: Test) throws {
    let rule = try EditableRule(#"{"if": [\#(json), "on"]}"#)
    #expect(rule.branches.map(\.condition.content) == [.test(test)])
    let other = try EditableRule(#"{"if": [{"$ref": "beta"}, "on"]}"#).applying([.setTest("0", test)])
    #expect(other.text == rule.text)
    #expect(test.comparison.accepts(test.operands))
  }

  @Test("The table has every comparison")
  func hasAll() {
    #expect(Set(Self.comparisons.map(\.1.comparison)) == Set(EditableRule.Comparison.allCases))
    #expect(Set(EditableRule.Comparison.allCases.map { "\($0.title) \($0.input)" }).count == Self.count)
  }

  private static let count = EditableRule.Comparison.allCases.count

  @Test(
    "Other ways to write a test are read, too",
    arguments: [
      (#"{"var": "email"}"#, "email isSet"), (#"{"!!": {"var": ["email"]}}"#, "email isSet"),
      (#"{"!": {"!!": [{"var": "email"}]}}"#, "email isNotSet"), (#"{"!": {"var": "email"}}"#, "email isNotSet"),
      (#"{"!": [{"==": [{"var": "a"}, 1]}]}"#, "a isNot [1]"),
      (#"{"!": {"===": [{"var": "a"}, 1]}}"#, "a isNotExactly [1]"),
      (#"{"==": ["b", {"var": "a"}]}"#, #"a is ["b"]"#),
      (#"{"\u0069n": [{"var": "a"}, ["\u0062"]]}"#, #"a isOneOf ["b"]"#),
      (#"{">": [{"var": "$flagd.timestamp"}, 5]}"#, "$flagd.timestamp above [5]"),
      (#"{"<": [{"var": "$flagd.timestamp"}, 5.5]}"#, "$flagd.timestamp below [5.5]"),
    ])
  func otherForms(json: String, outline: String) throws {
    #expect(try Self.condition(json).outline == outline)
  }

  @Test(
    "Groups have at least one condition, and none is a negation, also of an or",
    arguments: [
      (#"{"and": [{"var": "a"}, {"or": [{"var": "b"}, {"$ref": "c"}]}]}"#, "all(a isSet; any(b isSet; $c))"),
      (#"{"or": {"var": "a"}}"#, "any(a isSet)"), (#"{"!": {"or": [{"var": "a"}]}}"#, "none(a isSet)"),
      (#"{"!": [{"or": [{"var": "a"}, {"var": "b"}]}]}"#, "none(a isSet; b isSet)"),
      (#"{"!": {"$ref": "c"}}"#, "none($c)"), (#"{"!": {"and": [{"var": "a"}]}}"#, "none(all(a isSet))"),
      (#"{"!": {"<": [{"var": "a"}, 1]}}"#, "none(a below [1])"),
      (#"{"!": {"!": {"!": {"var": "a"}}}}"#, "none(none(a isNotSet))"),
    ])
  func groups(json: String, outline: String) throws {
    #expect(try Self.condition(json).outline == outline)
  }

  @Test(
    "A condition without a form is JSON in its place",
    arguments: [
      "true", "{}", "[]", #"{"and": []}"#, #"{"==": [{"var": "a"}, null]}"#, #"{"==": [{"var": "a"}]}"#,
      #"{"<": [1, {"var": "a"}]}"#, #"{"==": [{"var": ["a", 1]}, 1]}"#, #"{"==": [{"var": ""}, 1]}"#,
      #"{"in": [{"var": "a"}, ["b", ["c"]]]}"#, #"{"in": [{"var": "a"}, ["b"], 1]}"#, #"{"<": [{"var": "a"}, "b"]}"#,
      #"{">": [1, {"var": "a"}, 2]}"#, #"{"sem_ver": [{"var": "a"}, ">>", "1"]}"#,
      #"{"starts_with": [{"var": "a"}, 1]}"#,
      #"{"some": [{"var": "a"}, {"var": ""}]}"#, #"{"var": "a", "var": "b"}"#, #"{"!": [1, 2]}"#,
      #"{"==": [{"var": "a", "var": "b"}, 1]}"#, #"{"==": [{"var": "a"}, 1], "==": [{"var": "a"}, 2]}"#,
      #"{"==": [{"var": "a"}, "\ud800"]}"#, #"{"==": [{"var": "a"}, 1e999]}"#, #"{"if": [true, true]}"#,
    ])
  func json(_ json: String) throws {
    #expect(try Self.condition(json).content == .json(json))
  }

  @Test(
    "Branches after an else belong to the list, and those in a branch are inside it",
    arguments: [
      ("", "else default"), (" {}\n", "else default"), ("null", "else default"), (#"{"if": []}"#, "else default"),
      (#"{"if": [{}]}"#, "else JSON {}"),
      (#"{"if": ["on"]}"#, "else on"), (#"{"if": [{"var": "a"}, "on"]}"#, "if a isSet, then on; else default"),
      (#"{"?:": [{"var": "a"}, true, null]}"#, "if a isSet, then true; else default"),
      (
        #"{"if": [{"var": "a"}, "x", {"var": "b"}, "y", {"?:": [{"var": "c"}, "z", "w"]}]}"#,
        "if a isSet, then x; if b isSet, then y; if c isSet, then z; else w"
      ),
      (
        #"{"if": [{"var": "a"}, {"if": [{"var": "b"}, "x"]}, 1]}"#,
        "if a isSet, then (if b isSet, then x; else default); else JSON 1"
      ),
      (#"{"if": {"var": "a"}}"#, #"else JSON {"if": {"var": "a"}}"#),
      (#"{"if": [1, 2], "if": [3, 4]}"#, #"else JSON {"if": [1, 2], "if": [3, 4]}"#),
    ])
  func branches(json: String, outline: String) throws {
    #expect(try EditableRule(json).outline == outline)
  }

  @Test(
    "Shares are read by the attribute that keeps users together",
    arguments: [
      (#"{"fractional": [["on", 25], ["off", 75]]}"#, "25 on + 75 off"), (#"{"fractional": [["on"]]}"#, "1 on"),
      (#"{"fractional": [{"var": "company"}, ["on", 1]]}"#, "1 on by company for all flags"),
      (#"{"fractional": [{"cat": [{"var": "$flagd.flagKey"}, {"var": "company"}]}, ["on", 1]]}"#, "1 on by company"),
    ])
  func shares(json: String, outline: String) throws {
    #expect(try EditableRule(json).outline == "else \(outline)")
  }

  @Test(
    "Shares that are computed, or have other weights, are JSON",
    arguments: [
      #"{"fractional": []}"#, #"{"fractional": ["on", 1]}"#, #"{"fractional": [["on", -1]]}"#,
      #"{"fractional": [["on", 1.5]]}"#, #"{"fractional": [["on", {"var": "weight"}]]}"#,
      #"{"fractional": [{"cat": ["salt", {"var": "id"}]}, ["on", 1]]}"#, #"{"fractional": [[{"var": "a"}, 1]]}"#,
      #"{"fractional": [["on", 1, 2]]}"#, #"{"fractional": [{"var": "a"}]}"#,
    ])
  func computedShares(json: String) throws {
    #expect(try EditableRule(json).otherwise.content == .json(json))
  }

  @Test("Ids depend on the place alone, and are of letters, digits and dots")
  func ids() throws {
    let rule = try EditableRule(
      #"{"if": [{"and": [{"var": "a"}, {"!": {"$ref": "b"}}]}, {"if": [{"var": "c"}, "x"]}, {"?:": [1, 2]}]}"#)
    let nested = try #require(rule.branches.first)
    guard case .group(_, let conditions) = nested.condition.content,
      case .branches(let branches, let otherwise) = nested.outcome.content
    else { throw FlagError(.general, "expected a group and branches") }
    #expect(
      rule.branches.map(\.id) + conditions.map(\.id) + branches.map(\.id) + rule.branches.map(\.outcome.id)
        == ["0", "1", "0.0", "0.1", "0o0", "0o", "1o"])
    #expect(otherwise.id == "0oe" && rule.otherwise.id == "e")
  }

  @Test("A text that is not JSON is an error with its line and column")
  func refuses() {
    let error = #expect(throws: FlagError.self) { try EditableRule("{\n  \"if\": [1,]}") }
    #expect(error?.code == .parseError && error?.message.hasPrefix("line 2, column 11: ") == true)
  }

  private static func condition(_ json: String) throws -> EditableRule.Condition {
    try #require(try EditableRule(#"{"if": [\#(json), "on"]}"#).branches.first).condition
  }
}
