import FlagDefinitions
import FlagDomain
import FlagEditing
import Testing

@Suite("The shares of a split, edited")
struct SplitEditingTests {
  @Test(
    "Equal shares have equal weights, with the sum that was there if it can be shared",
    arguments: [
      ([10, 90], [50, 50]), ([1, 1, 1], [1, 1, 1]), ([10, 20, 70], [1, 1, 1]), ([30, 30, 30], [30, 30, 30]),
      ([5, 0, 10], [5, 5, 5]), ([0, 0], [1, 1]), ([1, 2], [1, 1]),
    ])
  func equalizes(weights: [Int], expected: [Int]) throws {
    let shares = zip(["a", "b", "c"], weights).map { #"["\#($0)",  \#($1)]"# }.joined(separator: ",")
    var draft = try Self.draft(#"{"fractional": [\#(shares)]}"#)
    try draft.equalizeShares(ofSplit: 0)
    #expect(draft.splits[0].entries.map(\.weight) == expected)
    #expect(draft.rule.hasPrefix(#"{"fractional": [["a",  \#(expected[0])],["b",  "#), "the layout stays")
  }

  @Test(
    "The attribute that keeps users together is set, and everything else stays as it is written",
    arguments: [
      (#"[["a",1], ["b",1]]"#, "", "company", #"[\#(salted("company")), ["a",1], ["b",1]]"#),
      (#"[{"var":"company"} ,["a",1]]"#, "company", "team", #"[{"var": "team"} ,["a",1]]"#),
      (#"[{"var": "company"}, ["a",1]]"#, "company", "", #"[["a",1]]"#),
      (#"[{"var": "company"}, ["a",1]]"#, "company", "user id", #"[["a",1]]"#),
      (#"[\#(salted("c")), ["a",1]]"#, "c", "d", #"[\#(salted("d")), ["a",1]]"#),
      (#"[{"cat":["x",{"var":"c"}]}, ["a"]]"#, #"{"cat":["x",{"var":"c"}]}"#, "d", #"[\#(salted("d")), ["a"]]"#),
      (#"[["a",1]]"#, "", #"{"var": ["x", 1]}"#, #"[{"var": ["x", 1]}, ["a",1]]"#),
      (#"[["a",1]]"#, "", "targetingKey", #"[["a",1]]"#),
      (#"[["a",1]]"#, "", "q\"", #"[\#(salted("q\\\"")), ["a",1]]"#),
    ])
  func sticks(arguments: String, was: String, text: String, expected: String) throws {
    var draft = try Self.draft(#"{"fractional": \#(arguments)}"#)
    #expect(draft.splits[0].stickiness == was)
    try draft.setStickiness(was, ofSplit: 0)
    #expect(draft.rule == #"{"fractional": \#(arguments)}"#)
    try draft.setStickiness(text, ofSplit: 0)
    #expect(draft.rule == #"{"fractional": \#(expected)}"#)
  }

  @Test("A variant is added without users, and removed with its share")
  func addsAndRemoves() throws {
    let rule = #"{"if": [true, {"fractional": [{"var": "x"}, ["a", 1],["b", 3]]}, {"fractional": [["c", 1]]}]}"#
    var draft = try Self.draft(rule)
    try draft.addShare(of: "c", toSplit: 0)
    #expect(draft.rule == rule.replacing(#"["b", 3]"#, with: #"["b", 3],["c", 0]"#))
    try draft.removeShare(1, fromSplit: 0)
    #expect(draft.rule == rule.replacing(#"["b", 3]"#, with: #"["c", 0]"#))
  }

  @Test(
    "An edit that cannot be is refused, and the rule stays",
    arguments: [
      (Edit { try $0.addShare(of: "a", toSplit: 0) }, "expected a variant that is in no share yet, found a"),
      (Edit { try $0.addShare(of: "z", toSplit: 0) }, "expected a variant that is in no share yet, found z"),
      (Edit { try $0.removeShare(0, fromSplit: 0) }, "expected at least one share in a split"),
      (Edit { try $0.removeShare(7, fromSplit: 0) }, "expected a share of the split"),
      (Edit { try $0.equalizeShares(ofSplit: 3) }, "expected a split of the rule"),
      (Edit { try $0.setStickiness("{\"var\"", ofSplit: 0) }, "same users by: line 1, column 7: "),
    ])
  func refuses(edit: Edit, message: String) throws {
    var draft = try Self.draft(#"{"fractional": [["a", 1]]}"#)
    let before = draft
    let error = #expect(throws: FlagError.self) { try edit.apply(&draft) }
    #expect(error?.message.hasPrefix(message) == true && draft == before)
  }

  @Test("A rule is laid out; one that is not JSON says where")
  func laysOut() throws {
    var draft = try Self.draft("")
    try draft.layOutRule()
    #expect(draft.rule == "")
    draft.rule = "{\"if\":[true,\"a\"]}"
    try draft.layOutRule()
    #expect(draft.rule == #"{"if": [true, "a"]}"#)
    draft.rule = "{\n,}"
    #expect(throws: FlagError.self) { try draft.layOutRule() }
  }

  struct Edit: Sendable {
    let apply: @Sendable (inout DefinitionDraft) throws -> Void

    init(_ apply: @escaping @Sendable (inout DefinitionDraft) throws -> Void) { self.apply = apply }
  }

  /// An attribute with the flag's key.
  private static func salted(_ name: String) -> String {
    #"{"cat": [{"var": "$flagd.flagKey"}, {"var": "\#(name)"}]}"#
  }

  private static func draft(_ rule: String) throws -> DefinitionDraft {
    let targeting = rule.isEmpty ? "" : #", "targeting": \#(rule)"#
    let text = #"{"flags": {"f": {"state": "ENABLED", "variants": {"a": 1, "b": 2, "c": 3}\#(targeting)}}}"#
    return try DefinitionDraft("f", in: StoredDefinitions(parsing: Array(text.utf8)))
  }
}
