package import FlagDefinitions
package import FlagDomain

/// A rule by the times from which it gives other values, wherever it compares the time.
package struct TimedRule {
  private let rule: FlagValue

  /// The number of times after which no more are looked for.
  private static let maximumTimes = 100

  /// Creates the times of a rule, whose shared rules are in place.
  package init(_ rule: FlagValue) { self.rule = rule }

  /// Creates the times of a flag's rule; nil if a document has no such flag, or if it has no rule.
  ///
  /// - Parameters:
  ///   - key: The flag's key.
  ///   - document: The document.
  ///   - limit: The size in bytes of the rules that are looked at: longer ones have no times.
  package init?(of key: String, in document: any DefinitionDocument, atMost limit: Int = 100_000) {
    guard case .flag(let flag)? = (document as? FlagDocument)?.flags[key], flag.isEnabled, let root = flag.root
    else { return nil }
    rule = flag.program.json(root, atMost: limit)
  }

  /// The times at which a comparison with the time has another result, in seconds since 1970-01-01 UTC, in order.
  package var times: [Int64] {
    var found: Set<Int64> = []
    Self.collect(rule, &found)
    return found.sorted()
  }

  /// Returns whether the rule is another one than a second before.
  package func changes(at seconds: Int64) -> Bool {
    !Self.decided(rule, at: seconds - 1).isIdentical(to: Self.decided(rule, at: seconds))
  }

  /// Returns the rule in words as it is at a time: "if country is es, then 50 % get on, else off".
  package func words(at seconds: Int64) -> String {
    switch Self.decided(rule, at: seconds) {
    case .string(let variant): "all get \(variant)"
    case .null: "the default variant for all"
    case let rule: RuleDescriber.phrase(rule)
    }
  }

  private static func collect(_ rule: FlagValue, _ found: inout Set<Int64>) {
    guard found.count < maximumTimes else { return }
    switch rule {
    case .array(let elements): for element in elements { collect(element, &found) }
    case .object(let fields):
      guard let (name, parts) = rule.operation else { return fields.values.forEach { collect($0, &found) } }
      if Self.comparisons.contains(name), parts.contains(where: \.isTime) {
        let numbers = parts.compactMap(\.comparedNumber).map { $0.rounded(.down) }
        let times = numbers.flatMap { [$0, $0 + 1] }.compactMap(Int64.init(exactly:))
        found.formUnion(
          times.filter { (0..<RolloutSchedule.timeLimit).contains(Int128($0)) && TimedRule(rule).changes(at: $0) })
      } else {
        for (index, part) in parts.enumerated() where name.hasContext(at: index) { collect(part, &found) }
      }
    case .null, .bool, .int, .double, .string: break
    }
  }

  private static let comparisons: Set = ["<", "<=", ">", ">=", "==", "===", "!=", "!=="]

  // MARK: - A rule at a time

  /// Returns a rule at a time, without what is then never reached: what an evaluation can be asked is asked.
  static func decided(_ rule: FlagValue, at now: Int64) -> FlagValue {
    if rule.isTime { return .int(Int128(now)) }
    switch rule {
    case .array(let elements): return .array(elements.map { decided($0, at: now) })
    case .object(let fields):
      guard let (name, arguments) = rule.operation else { return .object(fields.mapValues { decided($0, at: now) }) }
      switch name {
      case "if", "?:": return branches(RuleBranches(arguments), now) { decided($0, at: now) }
      case "and", "or": return firstDeciding(name, arguments, now)
      case "!", "!!":
        guard arguments.count == 1, case .bool(let holds) = condition(arguments[0], at: now) else { break }
        return .bool(holds == (name == "!!"))
      default: break
      }
      let parts = arguments.enumerated().map { name.hasContext(at: $0) ? decided($1, at: now) : $1 }
      if zip(parts, arguments).allSatisfy({ $0.isIdentical(to: $1) }) { return rule }
      let whole = FlagValue.object([name: .array(parts)])
      return parts.allSatisfy(\.isConstant) ? whole.constantOfRule ?? whole : whole
    case .null, .bool, .int, .double, .string: return rule
    }
  }

  /// Returns a condition at a time, of which only matters whether it holds.
  private static func condition(_ rule: FlagValue, at now: Int64) -> FlagValue {
    guard let (name, arguments) = rule.operation else { return decided(rule, at: now).asCondition }
    switch name {
    case "if", "?:": return branches(RuleBranches(arguments), now) { condition($0, at: now) }
    case "and", "or":
      let parts = arguments.map { condition($0, at: now) }
      // What decides the whole, and what changes nothing.
      let (decisive, idle): (FlagValue, FlagValue) = name == "and" ? (false, true) : (true, false)
      if parts.contains(decisive) { return decisive }
      let rest = parts.filter { $0 != idle }
      return rest.isEmpty
        ? .bool(name == "and" && !parts.isEmpty)
        : rest.count == 1 ? rest[0] : .object([name: .array(rest)])
    case "!" where arguments.count == 1:
      let part = condition(arguments[0], at: now)
      return if case .bool(let holds) = part { .bool(!holds) } else { .object([name: .array([part])]) }
    default: return decided(rule, at: now).asCondition
    }
  }

  /// Returns what is left of an `and` or `or` whose value is used.
  private static func firstDeciding(_ name: String, _ arguments: [FlagValue], _ now: Int64) -> FlagValue {
    var left: [FlagValue] = []
    for (index, argument) in arguments.enumerated() {
      let part = decided(argument, at: now)
      guard let holds = part.holds else {
        left.append(part)
        continue
      }
      // The value is that of the part that decides, or else of the last one.
      let isDeciding = holds == (name == "or")
      if isDeciding || index == arguments.count - 1 { left.append(part) }
      if isDeciding { break }
    }
    return left.count == 1 ? left[0] : .object([name: .array(left)])
  }

  /// Returns what is left of the branches of an `if`, with the outcomes as they are at a time.
  private static func branches(
    _ all: RuleBranches, _ now: Int64, _ outcome: (FlagValue) -> FlagValue
  ) -> FlagValue {
    var (left, otherwise): ([FlagValue], FlagValue?) = ([], nil)
    for branch in all.branches {
      let condition = condition(branch.condition, at: now)
      if condition == false { continue }
      if condition == true {
        otherwise = outcome(branch.outcome)
        break
      }
      left += [condition, outcome(branch.outcome)]
    }
    let last = otherwise ?? outcome(all.otherwise)
    if left.isEmpty { return last }
    return ["if": .array(last == .null ? left : left + [last])]
  }
}

extension String {
  /// Whether an operator of this name asks a part for the context, and not for an element of an array.
  fileprivate func hasContext(at index: Int) -> Bool {
    switch self {
    case "map", "filter", "all", "none", "some", "reduce": index != 1
    default: true
    }
  }
}

extension FlagValue {
  /// Whether this is the time that evaluators provide to rules.
  fileprivate var isTime: Bool {
    guard let (name, parts) = operation, name == "var" else { return false }
    return parts.first == .string("$flagd.timestamp")
  }

  /// Whether this is no part of a rule that depends on the context.
  fileprivate var isConstant: Bool { elements?.allSatisfy(\.isScalar) ?? isScalar }

  /// The number that a constant is when it is compared with one.
  fileprivate var comparedNumber: Double? {
    guard isScalar else { return nil }
    return switch FlagValue.object(["+": [self]]).constantOfRule {
    case .int(let number): Double(number)
    case .double(let number, _) where number.isFinite: number
    default: nil
    }
  }

  /// Whether a constant counts as true; nil for what depends on the context.
  fileprivate var holds: Bool? {
    guard isConstant else { return nil }
    return if case .bool(let holds) = FlagValue.object(["!!": [self]]).constantOfRule { holds } else { nil }
  }

  fileprivate var asCondition: FlagValue { holds.map(FlagValue.bool) ?? self }
}
