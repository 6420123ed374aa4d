import FlagDomain
import FlagEditing
import Testing

@Suite("Edits of rules")
struct RuleEditTests {
  typealias Test = EditableRule.Test

  private static let list = #"{"if": [{"in": [{"var": "country"}, ["es", "pt"]]}, "on", {"var": "beta"}, "off"]}"#
  private static let group = #"{"if": [{"and": [{"var": "a"}, {"var": "b"}]}, "on"]}"#
  private static let none = #"{"if": [{"!": {"$ref": "a"}}, "on"]}"#

  @Test(
    "A value that is set changes in its place",
    arguments: [
      (list, .setTest("0", Test("country", .isOneOf, ["es", "pt", "fr"])), #"["es", "pt"]"#, #"["es", "pt", "fr"]"#),
      (list, .setTest("0", Test("country", .isOneOf, ["pt"])), #"["es", "pt"]"#, #"["pt"]"#),
      (list, .setTest("0", Test("country", .isOneOf)), #"["es", "pt"]"#, "[]"),
      (list, .setTest("0", Test("plan", .isOneOf, ["es", "pt"])), "country", "plan"),
      (
        list, .setTest("0", Test("country", .isNoneOf, ["es", "pt"])), #"{"in": [{"var": "country"}, ["es", "pt"]]}"#,
        #"{"!": {"in": [{"var": "country"}, ["es", "pt"]]}}"#
      ),
      (
        list, .setTest("0", Test("plan", .is, ["es"])), #"{"in": [{"var": "country"}, ["es", "pt"]]}"#,
        #"{"==": [{"var": "plan"}, "es"]}"#
      ),
      (
        #"{"if": [{"!": [{"in": [ {"var":"a"}, [ 1 ] ]}]}, 2]}"#, .setTest("0", Test("a", .isOneOf, [2])),
        #"{"!": [{"in": [ {"var":"a"}, [ 1 ] ]}]}"#, #"{"in": [ {"var":"a"}, [ 2 ] ]}"#
      ),
      (
        #"{"if": [{"in": [ {"var":"a"}, [ 1 ] ]}, 2]}"#, .setTest("0", Test("a", .isNoneOf, [1, 2])),
        #"{"in": [ {"var":"a"}, [ 1 ] ]}"#, #"{"!": {"in": [ {"var":"a"}, [ 1, 2 ] ]}}"#
      ),
      (list, .setTest("1", Test("beta", .is, [true])), #"{"var": "beta"}"#, #"{"==": [{"var": "beta"}, true]}"#),
      (list, .setTest("1", Test("beta", .isSet)), "", ""),
      (list, .setShared("1", "testers"), #"{"var": "beta"}"#, #"{"$ref": "testers"}"#),
      (list, .setConditionJSON("1", " {\r\n\"some\": [1]\r\n}\n"), #"{"var": "beta"}"#, "{\n\"some\": [1]\n}"),
      (list, .setConditionJSON("1", #"{ "var": "beta" }"#), "", ""),
      (list, .setOutcome("0o", .variant("off")), #""on""#, #""off""#),
      (list, .setOutcome("0o", .defaultVariant), #""on""#, "null"),
      (list, .setOutcome("e", .variant("on")), #""off"]}"#, #""off", "on"]}"#),
      (list, .setOutcome("e", .json("1")), #""off"]}"#, #""off", 1]}"#),
      (list, .setOutcome("e", .defaultVariant), "", ""),
      (
        list, .setOutcome("0o", .shares(.init([.init("on", 1), .init("off", 9)]))), #""on""#,
        #"{"fractional": [["on", 1], ["off", 9]]}"#
      ),
      (
        list, .setOutcome("0o", .shares(.init([.init("on", 1)], bucketBy: "company"))), #""on""#,
        #"{"fractional": [{"cat": [{"var": "$flagd.flagKey"}, {"var": "company"}]}, ["on", 1]]}"#
      ),
      (group, .setGroup("0", .any), "and", "or"), (group, .setGroup("0", .all), "", ""),
      (
        group, .setGroup("0", .none), #"{"and": [{"var": "a"}, {"var": "b"}]}"#,
        #"{"!": [{"or": [{"var": "a"}, {"var": "b"}]}]}"#
      ),
      (none, .setGroup("0", .any), #"{"!": {"$ref": "a"}}"#, #"{"or": [{"$ref": "a"}]}"#),
      (none, .setGroup("0", .all), #"{"!": {"$ref": "a"}}"#, #"{"and": [{"$ref": "a"}]}"#),
      (
        #"{"if": [{"!": [{"or": [1, 2]}]}, "on"]}"#, .setGroup("0", .all), #"{"!": [{"or": [1, 2]}]}"#,
        #"{"and": [1, 2]}"#
      ),
      (#"{"if": [{"!": {"or": [1]}}, "on"]}"#, .setGroup("0", .any), #"{"!": {"or": [1]}}"#, #"{"or": [1]}"#),
      (none, .setTest("0.0", Test("a", .isSet)), #"{"$ref": "a"}"#, #"{"or": [{"!!": [{"var": "a"}]}]}"#),
    ] as [(String, RuleEdit, String, String)])
  func sets(text: String, edit: RuleEdit, old: String, new: String) throws {
    #expect(try EditableRule(text).applying([edit]).text == (old.isEmpty ? text : text.replacing(old, with: new)))
  }

  private static let nobody = #"{"in": [{"var": "targetingKey"}, []]}"#

  @Test(
    "A condition is added to a group, and removed from it",
    arguments: [
      (group, .addCondition(inside: "0"), #"{"and": [{"var": "a"}, {"var": "b"}, NOBODY]}"#),
      (group, .addCondition(inside: "0.1"), #"{"and": [{"var": "a"}, {"and": [{"var": "b"}, NOBODY]}]}"#),
      (group, .addGroup(inside: "0"), #"{"and": [{"var": "a"}, {"var": "b"}, {"or": [NOBODY]}]}"#),
      (group, .addGroup(inside: "0.0"), #"{"and": [{"and": [{"var": "a"}, {"or": [NOBODY]}]}, {"var": "b"}]}"#),
      (none, .addCondition(inside: "0"), #"{"!": {"or": [{"$ref": "a"}, NOBODY]}}"#),
      (none, .addGroup(inside: "0"), #"{"!": {"or": [{"$ref": "a"}, {"and": [NOBODY]}]}}"#),
      (#"{"if": [{"or": {"var": "a"}}, "on"]}"#, .addCondition(inside: "0"), #"{"or": [{"var": "a"}, NOBODY]}"#),
      (#"{"if": [true, "on"]}"#, .addCondition(inside: "0"), #"{"and": [true, NOBODY]}"#),
      (group, .removeCondition("0.0"), #"{"var": "b"}"#), (group, .removeCondition("0.1"), #"{"var": "a"}"#),
      (
        #"{"if": [{"or": [{"and": [{"var": "a"}]}, {"$ref": "b"}]}, "on"]}"#, .removeCondition("0.0.0"),
        #"{"$ref": "b"}"#
      ),
      (#"{"if": [{"or": [1, 2, 3]}, "on"]}"#, .removeCondition("0.1"), #"{"or": [1, 3]}"#),
      (#"{"if": [{"!": {"or": [1, 2]}}, "on"]}"#, .removeCondition("0.0"), #"{"!": {"or": [2]}}"#),
    ] as [(String, RuleEdit, String)])
  func conditions(text: String, edit: RuleEdit, condition: String) throws {
    let expected = condition.replacing("NOBODY", with: Self.nobody)
    #expect(try EditableRule(text).applying([edit]).text == #"{"if": [\#(expected), "on"]}"#)
  }

  @Test(
    "Branches are added, removed and moved, also across lists inside one another",
    arguments: [
      ("", .addBranch(before: nil), #"{"if": [NOBODY, null]}"#),
      ("{}", .addBranch(before: "e"), #"{"if": [NOBODY, null]}"#),
      (#"{"if": ["on"]}"#, .addBranch(before: nil), #"{"if": [NOBODY, null, "on"]}"#),
      (#"{"fractional": [["on"]]}"#, .addBranch(before: nil), #"{"if": [NOBODY, null, {"fractional": [["on"]]}]}"#),
      (#"{"if": [1, "a", 2, "b"]}"#, .addBranch(before: nil), #"{"if": [1, "a", 2, "b", NOBODY, null]}"#),
      (#"{"if": [1, "a", 2, "b"]}"#, .addBranch(before: "1"), #"{"if": [1, "a", NOBODY, null, 2, "b"]}"#),
      (#"{"if": [1, "a", "b"]}"#, .addBranch(before: "0o"), #"{"if": [1, {"if": [NOBODY, null, "a"]}, "b"]}"#),
      (#"{"if": [1, {"if": [2, "a"]}]}"#, .addBranch(before: "0o"), #"{"if": [1, {"if": [2, "a", NOBODY, null]}]}"#),
      (#"{"if": [1, null]}"#, .addBranch(before: "0o"), #"{"if": [1, {"if": [NOBODY, null]}]}"#),
      (
        #"{"if": [1, "a", {"if": [2, "b", "c"]}]}"#, .addBranch(before: nil),
        #"{"if": [1, "a", {"if": [2, "b", NOBODY, null, "c"]}]}"#
      ),
      (#"{"if": [1, "a", 2, "b"]}"#, .removeBranch("0"), #"{"if": [2, "b"]}"#),
      (#"{"if": [1, "a", 2, "b", "c"]}"#, .removeBranch("1"), #"{"if": [1, "a", "c"]}"#),
      (#"{"if": [1, "a", "b"]}"#, .removeBranch("0"), #"{"if": ["b"]}"#),
      (#"{"if": [1, "a", {}]}"#, .removeBranch("0"), #"{"if": [{}]}"#),
      (#"{"if": [1, "a"]}"#, .removeBranch("0"), ""),
      (#"{"if": [1, "a", {"fractional": [["on"]]}]}"#, .removeBranch("0"), #"{"fractional": [["on"]]}"#),
      (#"{"if": [1, "a", {"if": [2, "b", "c"]}]}"#, .removeBranch("1"), #"{"if": [1, "a", "c"]}"#),
      (#"{"if": [1, "a", {"if": [2, "b", "c"]}]}"#, .removeBranch("0"), #"{"if": [2, "b", "c"]}"#),
      (#"{"if": [1, {"if": [2, "b"]}]}"#, .removeBranch("0o0"), #"{"if": [1, null]}"#),
      (#"{"if": [1, "a", 2, "b", 3, "c"]}"#, .moveBranch("0", by: 2), #"{"if": [2, "b", 3, "c", 1, "a"]}"#),
      (#"{"if": [1, "a", 2, "b", 3, "c"]}"#, .moveBranch("2", by: -1), #"{"if": [1, "a", 3, "c", 2, "b"]}"#),
      (#"{"if": [1, "a", 2, "b"]}"#, .moveBranch("0", by: .max), #"{"if": [2, "b", 1, "a"]}"#),
      (#"{"if": [1, "a", 2, "b"]}"#, .moveBranch("0", by: .min), #"{"if": [1, "a", 2, "b"]}"#),
      (
        #"{"if": [1, "a", {"?:": [2, "b", "c"]}]}"#, .moveBranch("1", by: -1),
        #"{"if": [2, "b", {"?:": [1, "a", "c"]}]}"#
      ),
    ] as [(String, RuleEdit, String)])
  func branches(text: String, edit: RuleEdit, expected: String) throws {
    #expect(try EditableRule(text).applying([edit]).text == expected.replacing("NOBODY", with: Self.nobody))
  }

  @Test(
    "The outcome of a rule without branches is an object, as documents require",
    arguments: [
      ("", .variant("on"), #"{"if": ["on"]}"#), (" ", .defaultVariant, " "), ("", .json("null"), ""),
      (#"{"if": ["on"]}"#, .defaultVariant, ""),
      (#"{"fractional": [["on"]]}"#, .variant("off"), #"{"if": ["off"]}"#),
      (#"{"fractional": [["on"]]}"#, .defaultVariant, ""),
      ("", .shares(.init([.init("on", 1)])), #"{"fractional": [["on", 1]]}"#), ("", .json("[]"), #"{"if": [[]]}"#),
    ] as [(String, EditableRule.Outcome.Content, String)])
  func rootOutcomes(text: String, content: EditableRule.Outcome.Content, expected: String) throws {
    #expect(try EditableRule(text).applying([.setOutcome("e", content)]).text == expected)
  }

  @Test("Edits come together, and what comes in has the spaces and the lines of its surroundings")
  func together() throws {
    let rule = try EditableRule(
      """
      {
        "if": [
          {"!": {"or": [{"in":[{"var":"country"}, [
            "es",
            "pt"
          ]]}, {"==": [{"var": "plan"}, "pro"]}]}},
          {"fractional": [["on", 10], ["off", 90]]}
        ]
      }
      """)
    let new = try rule.applying([
      .setGroup("0", .all), .setTest("0.0", Test("country", .isOneOf, ["es", "pt", "fr"])),
      .setOutcome("0o", .shares(.init([.init("on", 50), .init("off", 50)]))), .setOutcome("e", .variant("off")),
      .setTest("0.1", Test("plan", .isNot, ["pro"])), .addCondition(inside: "0"),
    ])
    #expect(
      new.text == """
        {
          "if": [
            {"and": [{"in":[{"var":"country"}, [
              "es",
              "pt",
              "fr"
            ]]}, {"!=": [{"var": "plan"}, "pro"]}, {"in": [{"var": "targetingKey"}, []]}]},
            {"fractional": [["on", 50], ["off", 50]]},
            "off"
          ]
        }
        """)
  }

  @Test("What comes into a rule without spaces has none")
  func compact() throws {
    let rule = try EditableRule(#"{"if":[{"var":"a"},"on"]}"#)
    #expect(
      try rule.applying([.setTest("0", Test("age", .between, [1, 2.5])), .addCondition(inside: "0")]).text
        == #"{"if":[{"and":[{"<=":[1,{"var":"age"},2.5]},{"in":[{"var":"targetingKey"},[]]}]},"on"]}"#)
  }

  @Test(
    "What does not suit is refused with what was expected",
    arguments: [
      (.setTest("7", Test("a", .isSet)), "expected the id of a condition, found “7”"),
      (.setOutcome("0", .defaultVariant), "expected the id of an outcome, found “0”"),
      (.moveBranch("0.0", by: 1), "expected the id of a branch, found “0.0”"),
      (.addBranch(before: "0.0"), "expected the id of an outcome, found “0.0”"),
      (.setGroup("1", .any), "expected the id of a group, found “1”"),
      (.setTest("0", Test("", .isSet)), "expected the name of an attribute, found nothing"),
      (.setTest("0", Test("age", .below, ["18"])), #"age is below: expected a number, found the string "18""#),
      (.setTest("0", Test("age", .between, [1])), "age is between: expected two numbers, found the integer 1"),
      (.setTest("0", Test("age", .is)), "age is: expected a text, a number, or true or false, found nothing"),
      (.setShared("0", ""), "expected the name of a shared condition, found nothing"),
      (
        .setConditionJSON("0", "{"),
        "line 1, column 2: expected a name in quotation marks, found the end of the document"
      ),
      (.removeCondition("1"), "expected a condition of a group: a branch is removed as a whole"),
      (.setOutcome("e", .shares(.init([]))), "expected shares, each with a weight of zero or more"),
    ] as [(RuleEdit, String)])
  func refuses(edit: RuleEdit, message: String) throws {
    let rule = try EditableRule(#"{"if": [{"and": [{"var": "a"}, true]}, "on", {"var": "b"}, "off"]}"#)
    let error = #expect(throws: FlagError.self) { try rule.applying([edit]) }
    #expect(error?.message == message)
  }

  @Test("An outcome that is a rule of its own is made by adding branches, and not set")
  func refusesBranches() throws {
    let rule = try EditableRule(#"{"if": [{"var": "b"}, "off"]}"#)
    let error = #expect(throws: FlagError.self) {
      try rule.applying([.setOutcome("e", .branches([], otherwise: rule.otherwise))])
    }
    #expect(error?.message == "expected an outcome without branches")
  }
}
