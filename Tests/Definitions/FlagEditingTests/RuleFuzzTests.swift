import FlagDefinitions
import FlagDomain
import FlagJSON
import TestSupport
import Testing

@testable import FlagEditing

@Suite("Random rules in forms", .computing)
struct RuleFuzzTests {
  @Test("A rule that no one would write keeps its bytes", arguments: 0..<2)
  func nonsense(seed: UInt64) throws {
    var rules = RandomRules(random: SeededGenerator(seed: seed))
    for _ in 0..<Effort.rounds(150, thorough: 600, long: 10_000) {
      let rule = try EditableRule("\(rules.rule(levels: 4))")
      #expect(try rule.applying(rule.presentValues).text == rule.text)
    }
  }

  @Test("Setting every part to its present value keeps the bytes", arguments: 0..<2)
  func presentValues(seed: UInt64) throws {
    var rules = FormRules(seed: seed)
    var (forms, others) = (0, 0)
    for _ in 0..<Effort.rounds(150, thorough: 600, long: 10_000) {
      let rule = try EditableRule(rules.text())
      let edits = rule.presentValues
      #expect(try rule.applying(edits) == rule, "\(rule.text)")
      others += edits.count { if case .setConditionJSON = $0 { true } else { false } }
      forms += edits.count
    }
    #expect(others * 5 < forms, "\(others) of \(forms) parts are JSON")
  }

  @Test("An edit of one part changes nothing outside of its bytes, nor the rest of the view", arguments: 0..<2)
  func oneEdit(seed: UInt64) throws {
    var rules = FormRules(seed: seed)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<Effort.rounds(100, thorough: 300, long: 10_000) {
      let rule = try EditableRule(rules.text())
      guard let edit = rule.randomEdit(using: &random) else { continue }
      let new = try rule.applying([edit])
      #expect(new.has(edit, insteadOfPartOf: rule), "\(edit): \(rule.text) -> \(new.text)")
      let (old, path) = (Array(rule.text.utf8), try RuleParts(rule).path(of: edit))
      guard !new.text.isEmpty, path.count > 0, let range = try JSONEditor(old).range(of: path) else { continue }
      let text = Array(new.text.utf8)
      #expect(text.starts(with: old[..<range.lowerBound]), "\(edit): \(rule.text) -> \(new.text)")
      #expect(text.reversed().starts(with: old[range.upperBound...].reversed()), "\(edit): \(rule.text) -> \(new.text)")
    }
  }

  @Test("What is added and removed again leaves the rule's answers as they were", arguments: 0..<2)
  func addsAndRemoves(seed: UInt64) throws {
    var rules = FormRules(seed: seed)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<Effort.rounds(40, thorough: 120, long: 10_000) {
      let rule = try EditableRule(rules.text())
      let (adding, removing) = rule.randomAddition(using: &random)
      let added = try rule.applying([adding])
      let removed = try added.applying([removing])
      let (before, after) = (try Document(rule), try Document(removed))
      for _ in 0..<10 {
        let context = rules.context()
        #expect(before.answer(in: context) == after.answer(in: context), "\(rule.text) -> \(removed.text)")
      }
    }
  }

  @Test("Any edits one after another give a rule, and a branch that is moved back leaves the bytes", arguments: 0..<2)
  func sequences(seed: UInt64) throws {
    var rules = FormRules(seed: seed)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<Effort.rounds(20, thorough: 50, long: 2_500) {
      var rule = try EditableRule(rules.text())
      for _ in 0..<8 {
        guard let edit = rule.randomStructuralEdit(using: &random) else { continue }
        let new = try rule.applying([edit])
        #expect(new.isObject, "\(edit): \(rule.text) -> \(new.text)")
        rule = new
      }
      guard let id = RuleParts(rule).chains.keys.sorted().randomElement(using: &random) else { continue }
      let chain = try RuleParts(rule).chain(id)
      let places = Array(chain.indices)
      guard let start = places.randomElement(using: &random), let end = places.randomElement(using: &random) else {
        continue
      }
      let moved = try rule.applying([.moveBranch(chain[start].id, by: end - start)])
      let back = try moved.applying([.moveBranch(chain[end].id, by: start - end)])
      #expect(back == rule)
    }
  }
}

/// A document with a rule, and its answers.
private struct Document {
  private let document: FlagDocument

  init(_ rule: EditableRule) throws {
    let targeting = rule.text.allSatisfy(\.isWhitespace) ? "{}" : rule.text
    document = try FlagDocument(
      parsing: Array(
        """
        {"flags": {"f": {"state": "ENABLED", "variants": {"on": 1, "off": 2, "true": 3}, "defaultVariant": "off",
          "targeting": \(targeting)}}, "$evaluators": {"beta": {"in": ["beta", {"var": "segments"}]}}}
        """.utf8))
  }

  func answer(in context: EvaluationContext) -> String {
    do throws(FlagError) {
      return try document.evaluate("f", in: context, at: 1_800_000_000)?.variant ?? "none"
    } catch {
      return "\(error.code)"
    }
  }
}

extension EditableRule {
  fileprivate var isObject: Bool {
    do throws(FlagError) {
      return text.isEmpty ? true : try FlagValue.reading(json: text).fields != nil
    } catch {
      return false
    }
  }

  /// The edits that set each part to what it is.
  fileprivate var presentValues: [RuleEdit] {
    let parts = RuleParts(self)
    return parts.conditions.values.map { $0.condition.edit(to: $0.condition.content) }
      + parts.outcomes.values.map { .setOutcome($0.id, $0.content) }
  }

  fileprivate func randomEdit(using random: inout SeededGenerator) -> RuleEdit? {
    let parts = RuleParts(self)
    if Bool.random(using: &random), let id = parts.outcomes.keys.sorted().randomElement(using: &random) {
      let contents: [Outcome.Content] = [
        .variant("on"), .variant("x"), .defaultVariant, .shares(Shares([.init("on", 1), .init("off", 2)])),
        .shares(Shares([.init("on", 7)], bucketBy: "company")), .json("[1, {\n  \"a\": 1}]"),
      ]
      return contents.randomElement(using: &random).map { .setOutcome(id, $0) }
    }
    guard let id = parts.conditions.keys.sorted().randomElement(using: &random) else { return nil }
    if case .group? = parts.conditions[id]?.condition.content, Bool.random(using: &random) {
      return Condition.Group.allCases.randomElement(using: &random).map { .setGroup(id, $0) }
    }
    if Int.random(in: 0..<6, using: &random) == 0 { return .setShared(id, "other") }
    if Int.random(in: 0..<6, using: &random) == 0 { return .setConditionJSON(id, "{\"some\":\n[[1], true]}") }
    return RuleReadingTests.comparisons.randomElement(using: &random).map { .setTest(id, $0.1) }
  }

  /// Returns an edit that adds something, and the one that removes it.
  fileprivate func randomAddition(using random: inout SeededGenerator) -> (adding: RuleEdit, removing: RuleEdit) {
    let parts = RuleParts(self)
    if Bool.random(using: &random), let id = parts.conditions.keys.sorted().randomElement(using: &random) {
      var count = 1
      if case .group(_, let conditions)? = parts.conditions[id]?.condition.content { count = conditions.count }
      let isGroup = Bool.random(using: &random)
      return (isGroup ? .addGroup(inside: id) : .addCondition(inside: id), .removeCondition("\(id).\(count)"))
    }
    if Bool.random(using: &random), let id = parts.chains.keys.sorted().randomElement(using: &random) {
      return (.addBranch(before: id), .removeBranch(id))
    }
    if let id = parts.outcomes.keys.filter({ $0 != "e" }).sorted().randomElement(using: &random),
      Bool.random(using: &random)
    {
      if case .branches(let branches, _)? = parts.outcomes[id]?.content {
        return (.addBranch(before: id), .removeBranch("\(id)\(branches.count)"))
      }
      guard id.hasSuffix("e") else { return (.addBranch(before: id), .removeBranch("\(id)0")) }
    }
    return (.addBranch(before: nil), .removeBranch("\(branches.count)"))
  }

  fileprivate func randomStructuralEdit(using random: inout SeededGenerator) -> RuleEdit? {
    let parts = RuleParts(self)
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      let id = parts.conditions.keys.sorted().randomElement(using: &random)
      return id.flatMap { parts.isAlone($0) ? nil : .removeCondition($0) }
    case 1: if let id = parts.chains.keys.sorted().randomElement(using: &random) { return .removeBranch(id) }
    case 2:
      if let id = parts.chains.keys.sorted().randomElement(using: &random) {
        return .moveBranch(id, by: Int.random(in: -2...2, using: &random))
      }
    default: break
    }
    return randomAddition(using: &random).adding
  }
}

extension EditableRule {
  /// Returns whether an edit's part has the edit's value, and the parts beside it are those of an older rule.
  fileprivate func has(_ edit: RuleEdit, insteadOfPartOf old: EditableRule) -> Bool {
    let parts = RuleParts(self)
    let id: String
    switch edit {
    case .setTest(let test, let value):
      id = test
      guard let content = parts.conditions[id]?.condition.content, content.test?.json == value.json else {
        return false
      }
    case .setShared(let name, _): id = name
    case .setConditionJSON(let json, _): id = json
    case .setGroup(let group, let kind):
      id = group
      guard case .group(kind, _)? = parts.conditions[id]?.condition.content else { return false }
    case .setOutcome(let outcome, _): id = outcome
    default: return false
    }
    let number = id == "e" ? nil : Int(id.prefix { $0.isNumber })
    let isSame = zip(branches, old.branches).enumerated().allSatisfy { $0 == number || $1.0 == $1.1 }
    return isSame && (id.hasSuffix("e") || branches.count == old.branches.count)
  }
}

extension EditableRule.Condition {
  fileprivate func edit(to content: Content) -> RuleEdit {
    switch content {
    case .test(let test): .setTest(id, test)
    case .group(let kind, _): .setGroup(id, kind)
    case .shared(let name): .setShared(id, name)
    case .json(let text): .setConditionJSON(id, text)
    }
  }
}

extension EditableRule.Condition.Content {
  fileprivate var test: EditableRule.Test? { if case .test(let test) = self { test } else { nil } }
}

extension RuleParts {
  /// Whether a branch has no other condition.
  fileprivate func isAlone(_ id: String) -> Bool {
    guard let group = conditions[id]?.group, case .group(_, let conditions) = group.content else { return true }
    return conditions.count == 1 && isAlone(group.id)
  }

  fileprivate func path(of edit: RuleEdit) throws(FlagError) -> DocumentPath {
    switch edit {
    case .setTest(let id, _), .setShared(let id, _), .setConditionJSON(let id, _), .setGroup(let id, _):
      try condition(id).condition.path
    case .setOutcome(let id, _): try outcome(id).path
    default: .root
    }
  }
}
