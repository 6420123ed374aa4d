package import FlagDefinitions
package import FlagDomain

/// A rule by the times from which it gives other values, wherever it compares the time.
package struct TimedRule {
  private let rule: FlagValue

  /// The number of times after which no more are looked for.
  private static let maximumTimes = 200

  /// Creates the times of a rule, whose shared rules are in place.
  package init(_ rule: FlagValue) { self.rule = rule }

  /// Creates the times of a flag's rule; nil if a document has no such flag, or if it has no rule.
  ///
  /// - Parameters:
  ///   - key: The flag's key.
  ///   - document: The document.
  ///   - limit: The size in bytes of the rules that are looked at: longer ones have no times.
  package init?(of key: String, in document: any DefinitionDocument, atMost limit: Int = 20_000) {
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
      if let (name, parts) = rule.operation, parts.contains(where: \.isTime) {
        for case .int(let number) in parts where (0..<RolloutSchedule.timeLimit).contains(number) {
          let times = [Int64(number), Int64(number) + 1]
          found.formUnion(times.filter { compared(name, parts, $0 - 1) != compared(name, parts, $0) })
        }
      } else {
        for field in fields.values { collect(field, &found) }
      }
    case .null, .bool, .int, .double, .string: break
    }
  }

  // MARK: - A rule at a time

  /// Returns a rule whose comparisons with the time are decided, without the branches that are then never taken.
  static func decided(_ rule: FlagValue, at now: Int64) -> FlagValue {
    switch rule {
    case .array(let elements): return .array(elements.map { decided($0, at: now) })
    case .object(let fields):
      guard let (name, arguments) = rule.operation else { return .object(fields.mapValues { decided($0, at: now) }) }
      if let isTrue = compared(name, arguments, now) { return .bool(isTrue) }
      let parts = arguments.map { decided($0, at: now) }
      if parts == arguments { return rule }
      return simplified(name, parts) ?? .object([name: .array(parts)])
    case .null, .bool, .int, .double, .string: return rule
    }
  }

  /// Returns the result of a comparison of the time with numbers; nil if it is none.
  private static func compared(_ name: String, _ parts: [FlagValue], _ now: Int64) -> Bool? {
    guard parts.contains(where: \.isTime), parts.count == 2 || parts.count == 3 && ["<", "<="].contains(name)
    else { return nil }
    var numbers: [Int128] = []
    for part in parts {
      if part.isTime { numbers.append(Int128(now)) } else if case .int(let number) = part { numbers.append(number) }
    }
    guard numbers.count == parts.count else { return nil }
    let pairs = zip(numbers, numbers.dropFirst())
    switch name {
    case "<": return pairs.allSatisfy(<)
    case "<=": return pairs.allSatisfy(<=)
    case ">": return pairs.allSatisfy(>)
    case ">=": return pairs.allSatisfy(>=)
    case "==", "===": return pairs.allSatisfy(==)
    case "!=", "!==": return pairs.allSatisfy(!=)
    default: return nil
    }
  }

  /// Returns what is left of an operation some of whose parts are decided; nil if nothing can be left out.
  private static func simplified(_ name: String, _ parts: [FlagValue]) -> FlagValue? {
    switch name {
    case "!" where parts.count == 1:
      if case .bool(let isTrue) = parts[0] { return .bool(!isTrue) }
      return nil
    case "and", "or":
      // What decides the whole, and what changes nothing.
      let (decisive, idle): (FlagValue, FlagValue) = name == "and" ? (false, true) : (true, false)
      if parts.contains(decisive) { return decisive }
      let rest = parts.filter { $0 != idle }
      return rest.isEmpty ? idle : rest.count == 1 ? rest[0] : .object([name: .array(rest)])
    case "==", "===":
      guard parts.count == 2, parts.allSatisfy({ $0.fields == nil && $0.elements == nil }) else { return nil }
      return .bool(parts[0] == parts[1])
    case "if", "?:": return branches(RuleBranches(parts))
    default: return nil
    }
  }

  private static func branches(_ all: RuleBranches) -> FlagValue {
    var (left, otherwise): ([FlagValue], FlagValue) = ([], all.otherwise)
    for branch in all.branches where branch.condition != false {
      if branch.condition == true {
        otherwise = branch.outcome
        break
      }
      left += [branch.condition, branch.outcome]
    }
    if left.isEmpty { return otherwise }
    return ["if": .array(otherwise == .null ? left : left + [otherwise])]
  }
}

extension FlagValue {
  /// Whether this is the time that evaluators provide to rules.
  fileprivate var isTime: Bool {
    guard let (name, parts) = operation, name == "var" else { return false }
    return parts.first == .string("$flagd.timestamp")
  }
}
