import FlagDomain
import FlagReview
import Foundation
import TestSupport
import Testing

@testable import FlagDefinitions

@Suite("Random documents and contexts", .computing)
struct FuzzTests {
  @Test("Random rules give the same answer each time, with a trace and without", arguments: 0..<4)
  func rules(seed: UInt64) throws {
    var rules = RandomRules(random: SeededGenerator(seed: seed))
    for _ in 0..<Effort.rounds(100, thorough: 250, long: 40_000) {
      let rule = rules.rule(levels: 5)
      guard case .object = rule else { continue }
      let document = try FlagDocument(
        rule: "\(rule)", evaluators: #"{"beta": {"in": ["beta", {"var": "list"}]}, "loop": {"!": {"$ref": "loop"}}}"#)
      for _ in 0..<5 {
        let context = rules.context()
        let first = Outcome(of: "flag", in: document, for: context)
        let second = Outcome(of: "flag", in: document, for: context)
        #expect(first == second, "\(rule)")
        let explanation = document.explain("flag", in: context, at: 1)
        #expect(first == Outcome(answer: explanation.answer, error: explanation.error), "\(rule)")
      }
    }
  }

  @Test("Damaged documents are read, or refused with diagnostics that have a place", arguments: 0..<4)
  func documents(seed: UInt64) {
    var random = SeededGenerator(seed: 1000 + seed)
    let context = EvaluationContext(attributes: ["targetingKey": "u", "country": "es"])
    for _ in 0..<Effort.rounds(400, thorough: 1_000, long: 50_000) {
      let data = Data(Damage.apply(to: Array(Damage.document.utf8), using: &random))
      let text = String(decoding: data, as: UTF8.self)
      do {
        let document = try FlagDocument(parsing: data)
        for key in document.keys { _ = Outcome(of: key, in: document, for: context) }
        #expect(document.changedKeys(from: document).isEmpty, "\(text)")
      } catch {
        #expect(error.diagnostics.count == 1 && error.diagnostics.allSatisfy { $0.line > 0 }, "\(text)")
        #expect(FlagDocument.diagnostics(in: data) == error.diagnostics, "\(text)")
      }
    }
  }
}

/// The outcome of an evaluation.
private struct Outcome: Equatable {
  var answer: FlagAnswer?
  var error: FlagError?

  init(answer: FlagAnswer?, error: FlagError?) {
    self.answer = answer
    self.error = error
  }

  init(of key: String, in document: FlagDocument, for context: EvaluationContext) {
    do {
      answer = try document.evaluate(key, in: context, at: 1)
    } catch {
      self.error = error
    }
  }
}

/// Ways to break a text.
private enum Damage {
  static let document = """
    {"flags": {"one": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off",
      "targeting": {"if": [{"in": [{"var": "country"}, ["es", "pt"]]}, "on", {"$ref": "split"}]},
      "metadata": {"owner": "gr\\u00f6wth", "n": 1.5e3}},
     "two": {"state": "DISABLED", "variants": {"a": [1, 2.5, -3], "b": {"c": null}}}},
     "$evaluators": {"split": {"fractional": [["on", 50], ["off", 50]]}}, "metadata": {"version": "7"}}
    """

  private static let pieces = [
    "", "\"", "\\", "{", "}", "[", "]", ",", ":", "null", "-", "1e999", "\\ud800", "\u{feff}", "\u{0}", "🙂", " ",
    "{\"$ref\":\"split\"}", "\"flags\":", String(repeating: "[", count: 300), "0.1234567890123456789", "\n",
  ]

  static func apply(to bytes: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let start = Int.random(in: 0...bytes.count, using: &random)
      let end = min(bytes.count, start + Int.random(in: 0...8, using: &random))
      switch Int.random(in: 0..<3, using: &random) {
      case 0: bytes.replaceSubrange(start..<end, with: Array((pieces.randomElement(using: &random) ?? "").utf8))
      case 1: bytes.insert(UInt8.random(in: 0...255, using: &random), at: start)
      default: bytes.insert(contentsOf: bytes[start..<end], at: Int.random(in: 0...bytes.count, using: &random))
      }
    }
    return bytes
  }
}
