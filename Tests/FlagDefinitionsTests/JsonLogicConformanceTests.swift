import FlagJSON
import FlagDomain
import Testing

@testable import FlagDefinitions

@Suite("JsonLogic conformance", .enabled(if: Conformance.isAvailable, Conformance.absence))
struct JsonLogicConformanceTests {
  @Test("Every rule of the reference suite gives what the suite expects")
  func referenceSuite() throws {
    let cases = try FlagValue(json: Conformance.bytes("jsonlogic/tests.json")).elements.filter { $0.string == nil }
    #expect(cases.count >= 277)
    for entry in cases {
      let result = try RuleHarness.evaluate(entry[0], on: entry[1])
      #expect(result.isSameJSON(as: entry[2]), "\(entry[0]) on \(entry[1])")
    }
  }

  @Test("Every rule on whose result independent engines agree gives that result")
  func agreement() throws {
    let data = try FlagValue(json: Conformance.bytes("vectors/jsonlogic_data.json"))
    let cases = try Conformance.lines("vectors/jsonlogic_agree.jsonl")
    #expect(cases.count >= 526)
    for entry in cases {
      let result = try RuleHarness.evaluate(entry["rule"], on: data)
      #expect(result.isSameJSON(as: entry["result"]), "\(entry["rule"]) gave \(result)")
    }
  }

  @Test("Every pair of versions compares as the figures say")
  func versions() throws {
    let cases = try Conformance.lines("vectors/semver.jsonl")
    #expect(cases.count >= 1024)
    for entry in cases {
      let result = try RuleHarness.evaluate(
        ["sem_ver": [["var": "a"], entry["op"], ["var": "b"]]], on: ["a": entry["a"], "b": entry["b"]])
      #expect(result == entry["result"], "\(entry)")
    }
  }
}
