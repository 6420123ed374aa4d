import FlagDomain
import FlagSupport

/// The difference of two rules in words: "es and pt added to country", "on from 10 % to 50 %".
///
/// Parts that correspond are compared with each other, as deep as they have the same form, and any others are said as a
/// whole. Branches correspond by their conditions, or by their places if no branch has moved.
struct RuleChangeDescriber {
  private var phrases: [String] = []

  /// The maximum number of phrases, and of names in one phrase.
  private static let (maximumPhrases, maximumNames) = (20, 8)

  /// Returns the difference of two rules, a phrase for each part; nil stands for no rule.
  static func phrases(from old: FlagValue?, to new: FlagValue?) -> [String] {
    switch (old, new) {
    case (nil, nil): return []
    case (nil, let new?): return ["rule added: \(short(new))"]
    case (let old?, nil): return ["rule removed: \(short(old))"]
    case (let old?, let new?):
      var words = Self()
      words.compare(old, new, depth: 0)
      let rest = words.phrases.count - maximumPhrases
      return words.phrases.prefix(maximumPhrases) + (rest > 0 ? ["and \(rest) more changes of the rule"] : [])
    }
  }

  private mutating func compare(_ old: FlagValue, _ new: FlagValue, depth: Int) {
    if old.isIdentical(to: new) || depth < 12 && areRolloutsCompared(old, new, depth) { return }
    guard depth < 12, let (name, before) = old.operation, let (other, after) = new.operation, name == other,
      isCompared(name, before, after, depth)
    else { return phrases.append(Self.replacement(old, new)) }
  }

  /// Compares the arguments of two operations of one name; returns false if they are to be said as a whole.
  private mutating func isCompared(_ name: String, _ old: [FlagValue], _ new: [FlagValue], _ depth: Int) -> Bool {
    switch name {
    case "if", "?:": branches(old, new, depth)
    case "and", "or": conditions(old, new, depth)
    case "in": return isListCompared(old, new)
    case "fractional": return isSplitCompared(old, new)
    case "!", "!!":
      guard old.count == 1, new.count == 1 else { return false }
      compare(old[0], new[0], depth: depth + 1)
    default: return false
    }
    return true
  }

  // MARK: - Rollouts with times

  /// Compares rules of which one is a rollout with times around another rule; returns false if none is.
  private mutating func areRolloutsCompared(_ old: FlagValue, _ new: FlagValue, _ depth: Int) -> Bool {
    let (before, after) = (ScheduledRule(old, of: "")?.schedule, ScheduledRule(new, of: "")?.schedule)
    func words(_ schedule: RolloutSchedule) -> String { RuleDescriber().steps(of: schedule).joined(separator: ", ") }
    switch (before, after) {
    case (nil, nil): return false
    case (nil, let after?): phrases.append("rollout added: \(words(after))")
    case (_?, nil): phrases.append("rollout removed")
    case (let before?, let after?) where before == after:
      guard let first = old.operation?.arguments.first, first != new.operation?.arguments.first else { break }
      phrases.append("rollout: the users are split anew")
    case (let before?, let after?): phrases.append("rollout: \(words(after)) instead of \(words(before))")
    }
    let (rest, other) = (Self.rest(old, beside: before), Self.rest(new, beside: after))
    outcome(rest, other, "otherwise", depth)
    return true
  }

  /// Returns the rule around which a rollout stands, or the rule itself without one.
  private static func rest(_ rule: FlagValue, beside schedule: RolloutSchedule?) -> FlagValue {
    guard schedule != nil, let parts = rule.operation?.arguments.dropFirst(2) else { return rule }
    return parts.count > 1 ? ["if": .array(Array(parts))] : parts.first ?? .null
  }

  // MARK: - Lists and shares

  private mutating func isListCompared(_ old: [FlagValue], _ new: [FlagValue]) -> Bool {
    guard old.count == 2, new.count == 2, old[0].isIdentical(to: new[0]), let before = old[1].elements,
      let after = new[1].elements
    else { return false }
    let (known, kept) = (Set(before.map(\.description)), Set(after.map(\.description)))
    let subject = Self.short(old[0])
    let (added, removed) = (
      after.filter { !known.contains($0.description) }, before.filter { !kept.contains($0.description) }
    )
    if !added.isEmpty { phrases.append("\(Self.names(added)) added to \(subject)") }
    if !removed.isEmpty { phrases.append("\(Self.names(removed)) removed from \(subject)") }
    if added.isEmpty, removed.isEmpty { phrases.append("the values of \(subject) in another order") }
    return true
  }

  private mutating func isSplitCompared(_ old: [FlagValue], _ new: [FlagValue]) -> Bool {
    guard let before = WeightedSplit(arguments: old), let after = WeightedSplit(arguments: new), before.sum > 0,
      after.sum > 0, Set(before.entries.map(\.variant)).count == before.entries.count,
      Set(after.entries.map(\.variant)).count == after.entries.count
    else { return false }
    let (key, newKey) = (Self.subject(of: old), Self.subject(of: new))
    if key != newKey { phrases.append("shares by \(newKey) instead of \(key)") }
    func weight(_ variant: String, _ split: WeightedSplit) -> Int {
      split.entries.first { $0.variant == variant }?.weight ?? 0
    }
    let variants = before.entries.map(\.variant)
    let all = variants + after.entries.map(\.variant).filter { !variants.contains($0) }
    let count = phrases.count
    for variant in all.prefix(100) {
      let (old, new) = (weight(variant, before), weight(variant, after))
      guard Int128(old) * Int128(after.sum) != Int128(new) * Int128(before.sum) else { continue }
      phrases.append("\(variant.excerpt) \(Self.shares((old, before.sum), (new, after.sum)))")
    }
    if phrases.count == count, key == newKey { phrases.append("the shares are written differently") }
    return true
  }

  /// Returns two different shares in words, with as many decimal places as tell them apart.
  private static func shares(_ old: (part: Int, sum: Int), _ new: (part: Int, sum: Int)) -> String {
    let rounded = [old, new].map { $0.part.percent(of: $0.sum) }
    let typed = [old, new].map { "\(RuleExplanation.percentNumber($0.part, of: $0.sum)) %" }
    for texts in [rounded, typed] where texts[0] != texts[1] { return "from \(texts[0]) to \(texts[1])" }
    return "\(rounded[0]), with another weight"
  }

  /// Returns what decides on a user's share, in words.
  private static func subject(of split: [FlagValue]) -> String {
    guard let first = split.first, first.elements == nil else { return "user id" }
    return short(first)
  }

  // MARK: - Conditions and branches

  private mutating func conditions(_ old: [FlagValue], _ new: [FlagValue], _ depth: Int) {
    let (removed, added) = Self.unmatched(old, new)
    if removed.count == 1, added.count == 1 { return compare(removed[0], added[0], depth: depth + 1) }
    for condition in added { phrases.append("condition added: \(Self.short(condition))") }
    for condition in removed { phrases.append("condition removed: \(Self.short(condition))") }
    if added.isEmpty, removed.isEmpty { phrases.append("the conditions in another order") }
  }

  private static func unmatched(_ old: [FlagValue], _ new: [FlagValue]) -> ([FlagValue], [FlagValue]) {
    let (known, kept) = (Set(old.map(\.description)), Set(new.map(\.description)))
    return (old.filter { !kept.contains($0.description) }, new.filter { !known.contains($0.description) })
  }

  private mutating func branches(_ old: [FlagValue], _ new: [FlagValue], _ depth: Int) {
    var (before, after) = (RuleBranches(old), RuleBranches(new))
    RuleBranches.dropMatching(&before.branches, &after.branches)
    // The old places of each condition, the first one last.
    var known: [String: [Int]] = [:]
    for (index, branch) in before.branches.enumerated().reversed() {
      known["\(branch.condition)", default: []].append(index)
    }
    let places = after.branches.map { known["\($0.condition)"]?.popLast() }
    let areInPlace = places.enumerated().allSatisfy { $1 == nil || $1 == $0 }
    if areInPlace, before.branches.count == after.branches.count {
      for (one, other) in zip(before.branches, after.branches) { branch(one, other, depth) }
    } else {
      moved(before.branches, after.branches, places, depth)
    }
    outcome(before.otherwise, after.otherwise, "otherwise", depth)
  }

  /// Compares branches of which some were added, removed or moved, given the old places of the new ones.
  private mutating func moved(
    _ before: [RuleBranches.Branch], _ after: [RuleBranches.Branch], _ places: [Int?], _ depth: Int
  ) {
    for (branch, place) in zip(after, places) {
      if let place {
        self.branch(before[place], branch, depth)
      } else {
        phrases.append("added: if \(Self.short(branch.condition)), then \(Self.short(branch.outcome))")
      }
    }
    let (order, kept) = (places.compactMap { $0 }, Set(places))
    for (index, branch) in before.enumerated() where !kept.contains(index) {
      phrases.append("removed: if \(Self.short(branch.condition)), then \(Self.short(branch.outcome))")
    }
    if zip(order, order.dropFirst()).contains(where: >) { phrases.append("the branches in another order") }
  }

  private mutating func branch(_ old: RuleBranches.Branch, _ new: RuleBranches.Branch, _ depth: Int) {
    compare(old.condition, new.condition, depth: depth + 1)
    outcome(old.outcome, new.outcome, "if \(Self.short(new.condition))", depth)
  }

  private mutating func outcome(_ old: FlagValue, _ new: FlagValue, _ place: String, _ depth: Int) {
    if old.isIdentical(to: new) { return }
    if let (name, _) = old.operation, name == new.operation?.name { return compare(old, new, depth: depth + 1) }
    phrases.append("\(place): \(Self.outcome(new)) instead of \(Self.outcome(old))")
  }

  // MARK: - Words

  private static func outcome(_ value: FlagValue) -> String {
    value == .null ? "the default variant" : short(value)
  }

  private static func replacement(_ old: FlagValue, _ new: FlagValue) -> String {
    let (before, after) = (short(old), short(new))
    // What only the text of the rules tells apart is in its lines.
    return before == after ? "\(after), written differently" : "\(after) instead of \(before)"
  }

  private static func short(_ rule: FlagValue) -> String {
    let words = RuleDescriber.phrase(rule)
    return words.utf8.count <= 200 ? words : "\(String(words.unicodeScalars.prefix(160)))…"
  }

  private static func names(_ values: [FlagValue]) -> String {
    let names = values.prefix(maximumNames).map { RuleDescriber.phrase($0).excerpt }
    let rest = values.count - names.count
    return (rest > 0 ? names + ["\(rest) more"] : names).joinedByAnd
  }
}

/// The branches of an `if`: conditions with outcomes, and the outcome if none holds.
struct RuleBranches {
  struct Branch {
    let condition: FlagValue
    let outcome: FlagValue
  }

  var branches: [Branch] = []
  var otherwise = FlagValue.null

  init(_ arguments: [FlagValue]) {
    for index in stride(from: 0, to: arguments.count - 1, by: 2) {
      branches.append(Branch(condition: arguments[index], outcome: arguments[index + 1]))
    }
    if arguments.count % 2 == 1, let last = arguments.last { otherwise = last }
  }

  /// Removes the branches that both lists begin with, and those that both end with.
  static func dropMatching(_ old: inout [Branch], _ new: inout [Branch]) {
    let start = zip(old, new).prefix { $0.isIdentical(to: $1) }.count
    (old, new) = (Array(old.dropFirst(start)), Array(new.dropFirst(start)))
    let end = zip(old.reversed(), new.reversed()).prefix { $0.isIdentical(to: $1) }.count
    (old, new) = (old.dropLast(end), new.dropLast(end))
  }
}

extension RuleBranches.Branch {
  func isIdentical(to other: Self) -> Bool {
    condition.isIdentical(to: other.condition) && outcome.isIdentical(to: other.outcome)
  }
}

extension FlagValue {
  /// The name and the arguments of an operation; nil if the value is none.
  var operation: (name: String, arguments: [FlagValue])? {
    guard let fields, fields.count == 1, let (name, argument) = fields.first else { return nil }
    return (name, argument.elements ?? [argument])
  }
}

extension [String] {
  /// The texts as an enumeration: "a, b and c".
  var joinedByAnd: String {
    count < 2 ? joined() : "\(dropLast().joined(separator: ", ")) and \(self[count - 1])"
  }
}
