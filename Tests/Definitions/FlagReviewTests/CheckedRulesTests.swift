import FlagDefinitions
import FlagDomain
import FlagJSON
import Foundation
import TestSupport
import Testing

@testable import FlagReview

@Suite("What checking says of rules, and what they give", .computing)
struct CheckedRulesTests {
  @Test("A rule without errors whose results are all known never fails, and gives no others", arguments: 0..<4)
  func soundness(seed: UInt64) throws {
    var rules = WellFormedRules(random: SeededGenerator(seed: seed))
    var checked = 0
    let rounds = Effort.rounds(80, thorough: 500, long: 15_000)
    for _ in 0..<rounds {
      let rule = rules.rule(levels: 3)
      guard case .object = rule else { continue }
      let evaluators = ["name": rules.rule(levels: 2), "test": rules.rule(levels: 2)]
      let text = """
        {"flags": {"flag": {"state": "ENABLED", "variants": {"on": 1, "off": 2, "true": 3, "false": 4}, "targeting": \(rule)}},
         "$evaluators": \(FlagValue.object(evaluators))}
        """
      guard isClosed(rule, evaluators), !hasErrors(text) else { continue }
      checked += 1
      let document = try FlagDocument(parsing: Data(text.utf8))
      for _ in 0..<5 {
        let context = rules.context()
        #expect(throws: Never.self, "\(text)") { try document.evaluate("flag", in: context, at: 1) }
      }
    }
    #expect(checked > rounds / 15, "there is something to find")
  }

  @Test("What checking says is the same each time", arguments: 0..<4)
  func determinism(seed: UInt64) {
    var rules = WellFormedRules(random: SeededGenerator(seed: seed))
    for _ in 0..<Effort.rounds(20, thorough: 50) {
      let flags = (0..<6).map { "\"f\($0)\": {\"variants\": {\"on\": 1}, \"targeting\": \(rules.rule(levels: 3))}" }
      let evaluators: FlagValue = ["name": rules.rule(levels: 3), "test": rules.rule(levels: 3)]
      let data = Data("{\"flags\": {\(flags.joined(separator: ","))}, \"$evaluators\": \(evaluators)}".utf8)
      #expect(FlagDocument.diagnostics(in: data) == FlagDocument.diagnostics(in: data))
    }
  }

  /// Whether all results of a rule are known, including those of shared rules.
  private func isClosed(_ rule: FlagValue, _ evaluators: [String: FlagValue]) -> Bool {
    var subjects = BucketingIndex()
    let index = EvaluatorIndex(evaluators, subjects: &subjects)
    let results = RuleResults(of: rule, at: .root)
    return !results.isOpen && !results.references.contains { index.facts(of: $0.name).isOpen }
  }

  private func hasErrors(_ text: String) -> Bool {
    FlagDocument.diagnostics(in: Data(text.utf8)).contains { $0.severity == .error }
  }
}

/// Makes rules as the format's schema wants them, of names that may not be there.
private struct WellFormedRules {
  var random: SeededGenerator

  private static let operators: [(name: String, operands: ClosedRange<Int>)] = [
    ("if", 1...5), ("and", 1...3), ("or", 1...3), ("==", 2...2), ("!", 1...1), ("in", 2...2), ("cat", 1...2),
    ("<", 2...3), ("starts_with", 2...2), ("if", 3...3), ("or", 2...2),
  ]

  private static let leaves: [FlagValue] = ["on", "off", "on", "off", "on", "off", "true", true, .null, false, "z", ""]

  mutating func rule(levels: Int) -> FlagValue {
    guard levels > 0 else { return Self.leaves.randomElement(using: &random) ?? .null }
    switch Int.random(in: 0..<12, using: &random) {
    case 0: return ["var": ["a", "b", "$flagd.flagKey"].randomElement(using: &random).map(FlagValue.string) ?? .null]
    case 1: return ["$ref": ["name", "test"].randomElement(using: &random).map(FlagValue.string) ?? .null]
    case 2: return ["fractional": .array((0..<2).map { _ in [rule(levels: levels - 1), 1] })]
    case 3, 4: return Self.leaves.randomElement(using: &random) ?? .null
    default:
      guard let (name, operands) = Self.operators.randomElement(using: &random) else { return .null }
      let count = Int.random(in: operands, using: &random)
      return .object([name: .array((0..<count).map { _ in rule(levels: levels - 1) })])
    }
  }

  mutating func context() -> EvaluationContext {
    var attributes: [String: FlagValue] = ["targetingKey": .string("\(Int.random(in: 0..<100, using: &random))")]
    for name in ["a", "b"] where Bool.random(using: &random) {
      attributes[name] = Self.leaves.randomElement(using: &random) ?? nil
    }
    return EvaluationContext(attributes: attributes)
  }
}
