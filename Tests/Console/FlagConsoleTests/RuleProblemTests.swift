import FlagConsole
import FlagConsoleEditor
import FlagDefinitions
import FlagDomain
import FlagEditing
import Testing

@Suite("Problems at their lines of a rule")
struct RuleProblemTests {
  @Test(
    "A problem has the line and column of the rule's text, wherever the rule stands in the document",
    arguments: [
      ("{\"if\": [\n  true,\n  \"blue\"\n]}", [3, 3]), ("{\"if\": [\n  true\n  \"on\"\n]}", [3, 3]),
      ("{\"nope\": [1]}", [1, 1]), ("[]", [1, 1]), ("{\"if\": [true, \"on\"]}", []), ("", []), ("{", [1, 2]),
    ])
  func locates(rule: String, place: [Int]) throws {
    let fixture = try ConsoleFixture()
    var draft = try fixture.editor.draft(of: "new-profile")
    draft.rule = rule.replacing("\n", with: "\r\n")
    let review = try fixture.editor.review(draft)
    let problems = try fixture.editor.ruleProblems(of: draft, review.problem, review.diagnostics)
    #expect(problems.prefix(1).flatMap { [$0.line, $0.column] } == place)
    #expect(problems.allSatisfy { !$0.message.hasPrefix("line ") })
  }

  @Test("A problem of another part of the flag is none of the rule")
  func leavesOut() throws {
    let document = #"{"flags": {"f": {"state": "ENABLED", "variants": {"on": true}, "defaultVariant": "off"}}}"#
    let fixture = try ConsoleFixture(document: document)
    var draft = try fixture.editor.draft(of: "f")
    draft.rule = #"{"if": [true, "on"]}"#
    let review = try fixture.editor.review(draft)
    #expect(!review.diagnostics.isEmpty)
    #expect(try fixture.editor.ruleProblems(of: draft, review.problem, review.diagnostics).isEmpty)
  }
}
