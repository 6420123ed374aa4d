package import FlagDomain

/// Makes rules, values and contexts that no one would write.
package struct RandomRules {
  package var random: SeededGenerator

  /// Makes the rules and values of a seed.
  package init(random: SeededGenerator) { self.random = random }

  private static let operators = [
    "==", "===", "!=", "!==", "<", "<=", ">", ">=", "!", "!!", "+", "-", "*", "/", "%", "min", "max", "cat", "substr",
    "in", "merge", "if", "?:", "and", "or", "map", "filter", "all", "none", "some", "reduce", "missing", "missing_some",
    "log", "var", "starts_with", "ends_with", "sem_ver", "fractional", "$ref", "nonsense",
  ]

  private static let leaves: [FlagValue] = [
    .null, true, false, 0, -1, 1, 2.5, -0.0, 1e300, 1e-7, .int(Int128.max), .int(Int128(Int64.min)), .double(.nan),
    .double(.infinity), "", "on", "off", "true", "1", " 0x1F ", "1.2.3", "v1.0.0-rc.1+b", "^", "e\u{301}", "\u{e9}",
    "🙂", "list", "list.0", "text.length", "user.name", "$flagd.timestamp", "$flagd", "beta", "loop", "missing", "\u{0}",
    [], [1, 2, 3], ["on", 1], [:], ["a": 1, "b": [2]],
  ]

  /// A rule, or a value, of at most so many levels.
  package mutating func rule(levels: Int) -> FlagValue {
    guard levels > 0, let name = Self.operators.randomElement(using: &random) else { return leaf() }
    switch Int.random(in: 0..<10, using: &random) {
    case 0: return leaf()
    case 1: return .array(operands(levels: levels))
    case 2: return .object([name: rule(levels: levels - 1)])
    default: return .object([name: .array(operands(levels: levels))])
    }
  }

  /// A context with values for the names that rules use.
  package mutating func context() -> EvaluationContext {
    let names = ["list", "text", "user", "targetingKey", "on", "$flagd", "length"]
    var attributes: [String: FlagValue] = [
      "list": [1, "2", .null, [3]], "text": "a🙂e\u{301}", "user": ["name": "ann"],
    ]
    for name in names where Bool.random(using: &random) { attributes[name] = leaf() }
    return EvaluationContext(attributes: attributes)
  }

  private mutating func operands(levels: Int) -> [FlagValue] {
    (0..<Int.random(in: 0...4, using: &random)).map { _ in rule(levels: levels - 1) }
  }

  private mutating func leaf() -> FlagValue { Self.leaves.randomElement(using: &random) ?? .null }
}
