import FlagJSON
import FlagDomain
import Foundation
import TestSupport
import Testing

@testable import FlagDefinitions

@Suite("JsonLogic conformance")
struct JsonLogicConformanceTests {
  @Test("Every rule of the reference suite gives what the suite expects", .needs(.conformance(.jsonLogic)))
  func referenceSuite() throws {
    let cases = try FlagValue(json: ConformanceSuite.jsonLogic.bytes("tests.json")).elements.filter { $0.string == nil }
    #expect(cases.count >= 277)
    for entry in cases {
      let result = try RuleHarness.evaluate(entry[0], on: entry[1])
      #expect(result.isSameJSON(as: entry[2]), "\(entry[0]) on \(entry[1])")
    }
  }

  @Test("Every rule on whose result independent engines agree gives that result")
  func agreement() throws {
    let data = try FlagValue(json: Vectors.bytes("jsonlogic_data.json"))
    let cases = try Vectors.lines("jsonlogic_agree.jsonl")
    #expect(cases.count >= 526)
    for entry in cases {
      let result = try RuleHarness.evaluate(entry["rule"], on: data)
      #expect(result.isSameJSON(as: entry["result"]), "\(entry["rule"]) gave \(result)")
    }
  }

  @Test("Every random rule on whose result two engines agree gives that result")
  func recordedFuzz() throws {
    let cases = try Vectors.lines("jsonlogic_fuzz.jsonl")
    #expect(cases.count >= 500)
    try check(cases)
  }

  @Test("So does every other random rule", .needs(.jsonLogicEngines), arguments: 0..<4)
  func fuzz(seed: Int) async throws {
    let count = Effort.rounds(500, thorough: 5_000, long: 250_000)
    let run = try await onThread {
      try ChildProcess.run(
        VirtualEnvironment.jsonLogic.python, [Vectors.file("fuzz.py").path, "\(seed)", "\(count)"])
    }
    try #require(run.errors == "")
    let cases = try run.output.utf8.split(separator: UInt8(ascii: "\n")).map { try FlagValue(json: Array($0)) }
    #expect(cases.count == count)
    try check(cases)
  }

  private func check(_ cases: [FlagValue]) throws {
    for entry in cases {
      let result = try RuleHarness.evaluate(entry["rule"], on: entry["data"])
      #expect(result.isSameJSON(as: entry["result"]), "\(entry) gave \(result)")
    }
  }

  @Test("Every pair of versions compares as the figures say")
  func versions() throws {
    let cases = try Vectors.lines("semver.jsonl")
    #expect(cases.count >= 1024)
    for entry in cases {
      let result = try RuleHarness.evaluate(
        ["sem_ver": [["var": "a"], entry["op"], ["var": "b"]]], on: ["a": entry["a"], "b": entry["b"]])
      #expect(result == entry["result"], "\(entry)")
    }
  }
}
