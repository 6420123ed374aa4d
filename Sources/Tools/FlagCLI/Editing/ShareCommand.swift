import FlagDomain
import FlagEditing
import FlagJSON
import FlagSupport

struct ShareCommand: ChangeCommand {
  var change = ChangeOptions()
  var operands: [String] = []
  private var shares: [(variant: String, percent: String)] = []
  private var attributes: [String: FlagValue] = [:]
  private var beginning: Int64?

  static var options: [Option<Self>] {
    Option(
      "--where", .attributes("USERS"),
      """
      the users, by attributes that they all have, such as country=es,plan=pro (default: all for
      whom no condition of the rule holds)
      """, \.attributes)
    Option("--from", .time, "the time from which they have it (default: now)", \.beginning)
    ChangeOptions.options.of(\.change)
  }

  static let summary = "Gives variants of a flag to shares of the users; the rest of them gets the default variant."
  static let usage = "share FLAG VARIANT=PERCENT... [--where USERS] [option ...]"
  static let example = "share new-page on=10 --where country=es --from 2027-01-18"
  static let notes = """
    Users keep their variant while its share grows. What the rule has for other users stays. The same command with
    another number changes the shares of the same users. For a share that grows by itself, see flagctl help schedule.
    """

  mutating func finish(_ operands: Operands) throws(UsageError) {
    self.operands = [try operands.required(0, "a FLAG"), try operands.required(1, "a VARIANT=PERCENT")]
    for word in operands.words.dropFirst() {
      guard let pair = Pair(word) else {
        throw UsageError("expected a variant and its percentage, such as on=10, found \(word.excerpt)")
      }
      shares.append((pair.first, pair.second))
    }
    if Set(shares.map(\.variant)).count < shares.count { throw UsageError("each variant has one share, found two") }
    try change.check()
  }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    let times = [beginning].compactMap(\.self)
    return try change.run("shares of \(key)", of: key, times: times, on: terminal) { draft throws(FlagError) in
      var rule = try EditableRule(draft.rule)
      var outcome = rule.otherwise
      if let condition = try condition {
        let tests = try EditableRule(#"{"if": [\#(condition), null]}"#).branches.first?.condition.tests
        if let branch = rule.branches.first(where: { tests != nil && $0.condition.tests == tests }) {
          outcome = branch.outcome
        } else {
          rule = try rule.applying([.addBranch(before: rule.branches.first?.id ?? rule.otherwise.id)])
          rule = try rule.applying([.setConditionJSON(rule.branches[0].id, condition)])
          outcome = rule.branches[0].outcome
        }
      }
      try setShares(of: outcome, in: rule, &draft)
    }
  }

  /// The condition of the users as JSON; nil for all.
  private var condition: String? {
    get throws(FlagError) {
      var tests: [FlagValue] = beginning.map { [[">=": [["var": "$flagd.timestamp"], .int(Int128($0))]]] } ?? []
      for (name, value) in attributes.inOrder {
        let variable: FlagValue = ["var": .string(name)]
        tests += value.elements.map { $0.map { ["in": [$0, variable]] } } ?? [["==": [variable, value]]]
      }
      if tests.isEmpty { return nil }
      let condition = tests.count == 1 ? tests[0] : ["and": .array(tests)]
      return try JSONFormatter.laidOut(try condition.jsonString(), width: .max)
    }
  }

  /// Sets the shares of an outcome; variants stay in their order, so that users keep theirs.
  private func setShares(
    of outcome: EditableRule.Outcome, in rule: EditableRule, _ draft: inout DefinitionDraft
  ) throws(FlagError) {
    for share in shares { try draft.check(share.variant) }
    let others = draft.variants.filter { name in !shares.contains { $0.variant == name } }
    let rest = draft.defaultVariant.flatMap { others.contains($0) ? $0 : nil } ?? (others.count == 1 ? others[0] : nil)
    var new = EditableRule.Shares([])
    switch outcome.content {
    case .variant, .defaultVariant: break
    case .shares(let old):
      guard Set(old.entries.map(\.variant)).count == old.entries.count else {
        throw FlagError(.general, "expected shares that have each variant once, found one twice: see flagctl console")
      }
      new = old
    case .branches, .json:
      throw FlagError(.general, "expected a variant or shares for these users, found more: see flagctl console")
    }
    let names = shares.map(\.variant) + [rest].compactMap(\.self)
    new.entries.removeAll { !names.contains($0.variant) }
    let known = Set(new.entries.map(\.variant))
    new.entries += names.filter { !known.contains($0) }.map { EditableRule.Shares.Entry($0, 0) }
    draft.rule = try rule.applying([.setOutcome(outcome.id, .shares(new))]).text
    guard let number = draft.splits.firstIndex(where: outcome.isSplit) else { return }
    let percents = Dictionary(uniqueKeysWithValues: shares.map { ($0.variant, $0.percent) })
    try draft.setShares(new.entries.map { percents[$0.variant] }, ofSplit: number)
    let entries = draft.splits[number].entries
    if let only = entries.first(where: { $0.weight > 0 }), entries.count(where: { $0.weight > 0 }) == 1 {
      draft.rule = try rule.applying([.setOutcome(outcome.id, .variant(only.variant))]).text
    } else if let index = entries.firstIndex(where: { $0.variant == rest && $0.weight == 0 }) {
      try draft.removeShare(index, fromSplit: number)
    }
  }
}

extension EditableRule.Condition {
  /// The tests that all hold; nil if it is anything else.
  fileprivate var tests: [EditableRule.Test]? {
    switch content {
    case .test(let test): [test]
    case .group(.all, let parts): parts.allSatisfy { $0.tests?.count == 1 } ? parts.compactMap { $0.tests?[0] } : nil
    default: nil
    }
  }
}
