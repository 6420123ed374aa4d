import FlagDefinitions
import FlagDomain
import TestSupport
import Testing

@testable import FlagConsole
@testable import FlagConsoleEditor
@testable import FlagEditing

@Suite("Suggestions for rules")
struct RuleSuggestionTests {
  @Test("Attributes, values and shared conditions are those of rules and of users, the general ones first")
  func collects() throws {
    let document = """
      {"flags": {
        "a": {"targeting": {"if": [{"and": [{"in": [{"var": "countryCode"}, ["es", "pt", "es"]]},
            {"sem_ver": [{"var": "app.version"}, ">=", "1.2.0"]}, {"in": ["beta", {"var": ["segments"]}]}]}, "on",
          {"fractional": [{"var": "company"}, ["on", 1]]}]}},
        "b": {"targeting": {"if": [{"<=": [18, {"var": "age"}, 30]}, "x", {"==": [{"var": "plan"}, "pro"]}, "y"]},
          "metadata": {"var": "none"}},
        "c": 1, "d": {"targeting": {"==": [{"var": "broken"}, 1e999]}}},
       "$evaluators": {"pros": {"==": [{"var": "plan"}, "team"]}, "\\ud800": 1, "beta": {"var": "isBeta"}}}
      """
    let user = FlagUser(
      id: "ana", countryCode: "fr", segments: ["vip"], attributes: ["plan": "free"], contexts: ["device": ["os": "iOS"]]
    )
    let fixture = try ConsoleFixture(editing: {
      $0.ownUsers = [["targetingKey": "bo", "address": ["city": "Lima", "zip": .null]]]
    })
    let editor = try fixture.console.session().existingEditor
    let suggestions = editor.suggestions(for: try StoredDefinitions(parsing: Array(document.utf8)), and: [user])
    #expect(
      suggestions.attributes.map { "\($0.name) \(FlagValue.array($0.values))" } == [
        #"targetingKey ["ana","bo"]"#, #"countryCode ["es","pt","fr"]"#, #"segments ["beta","vip"]"#,
        "$flagd.timestamp []",
        #"address.city ["Lima"]"#, "address.zip []", "age [18,30]", #"app.version ["1.2.0"]"#, "company []",
        #"device.os ["iOS"]"#, "isBeta []",
        #"plan ["pro","team","free"]"#,
      ])
    #expect(suggestions.evaluators == ["beta", "pros"])
  }

  @Test("There are at most 200 attributes with 50 values each")
  func bounds() throws {
    let fixture = try ConsoleFixture()
    let values = (0..<60).map(String.init).joined(separator: ",")
    let tests = (0..<300).map { #"{"in": [{"var": "a\#($0)"}, [\#(values)]]}"# }.joined(separator: ",")
    let document = #"{"flags": {"a": {"targeting": {"or": [\#(tests)]}}}}"#
    let found = fixture.editor.suggestions(for: try StoredDefinitions(parsing: Array(document.utf8)))
    #expect(found.attributes.count == 200 && found.attributes.dropFirst(4).allSatisfy { $0.values.count == 50 })
    #expect(found.attributes.contains { $0.name == "a0" })
  }

  @Test("A rule of one operator with thousands of operands is searched in time in proportion to them")
  func isLinear() {
    func search(_ count: Int) {
      let operands = repeatElement(#"{"var": "a"}"#, count: count).joined(separator: ",")
      let document = #"{"flags": {"a": {"targeting": {"+": [\#(operands)]}}}}"#
      let found = RuleSuggestions(text: Array(document.utf8), users: [])
      #expect(found.attributes.last?.name == "a")
    }
    #expect(processorTimeRatio(below: 20, of: { search(10_000) }, to: { search(1000) }) < 20)
  }

  @Test("A document is searched again if it has another version")
  func caches() throws {
    let editor = try ConsoleFixture().editor
    func names(_ attribute: String) throws -> [String] {
      let text = #"{"flags": {"a": {"targeting": {"if": [{"var": "\#(attribute)"}, "on"]}}}}"#
      return editor.suggestions(for: try StoredDefinitions(parsing: Array(text.utf8))).attributes.map(\.name)
    }
    let first = try names("x")
    #expect(first.last == "x")
    #expect(try names("x") == first && names("y").last == "y")
  }
}
