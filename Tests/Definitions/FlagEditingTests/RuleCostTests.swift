import FlagDomain
import FlagEditing
import TestSupport
import Testing

@Suite("Rules that ask for as much as they can", .computing)
struct RuleCostTests {
  @Test(
    "A rule that is nested more deeply than rules may be is JSON there, as it is written",
    arguments: [
      (#"{"if": [{"!": ["#, #"]}, "on"]}"#), (#"{"and": ["#, "]}"), (#"{"if": [1, 2, "#, "]}"), (#"{"if": [1, "#, "]}"),
      ("[", "]"), (#"{"a": "#, "}"), (#"{"!": "#, "}"),
    ])
  func depth(opening: String, closing: String) throws {
    let text = String(repeating: opening, count: 1000) + "1" + String(repeating: closing, count: 1000)
    let rule = try EditableRule(text)
    #expect(rule.text == text)
    #expect(try rule.applying([.addBranch(before: nil)]).branches.count == rule.branches.count + 1)
  }

  @Test(
    "Reading and editing take time in proportion to the text",
    arguments: ["group", "list", "branches", "JSON", "lines"])
  func isLinear(kind: String) {
    func read(_ count: Int) {
      do throws(FlagError) {
        let rule = try EditableRule(Self.rule(kind, count: count))
        _ = try rule.applying([.setOutcome("0o", .variant("x")), .moveBranch("0", by: count), .removeBranch("0")])
      } catch {
        Issue.record(error)
      }
    }
    #expect(processorTimeRatio(below: 20, of: { read(1200) }, to: { read(120) }) < 20)
  }

  private static func rule(_ kind: String, count: Int) -> String {
    func list(_ element: String) -> String { repeatElement(element, count: count).joined(separator: ",") }
    return switch kind {
    case "group": #"{"if": [{"and": [\#(list(#"{"var": "a"}"#))]}, "on"]}"#
    case "list": #"{"if": [{"in": [{"var": "a"}, [\#(list("1"))]]}, "on"]}"#
    case "branches": #"{"if": [\#(list(#"{"in": [{"var": "a"}, [1, 2]]}, "on""#))]}"#
    case "JSON": #"{"if": [\#(list(#"{"+": [1, 2]}, {"-": [3]}"#))]}"#
    default: #"{"if": [{"+": [\#(list("[\n[1],[2]]"))]}, "on"]}"#
    }
  }
}
