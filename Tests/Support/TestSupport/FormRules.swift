package import FlagDomain

/// Makes rules as people write them: branches of tests, groups and shares, with now and then a part that no form has.
package struct FormRules {
  package var random: SeededGenerator
  private var nonsense: RandomRules

  private static let names = ["country", "plan", "age", "app.version", "segments", "targetingKey", "$flagd.timestamp"]
  private static let texts: [FlagValue] = ["es", "pt", "pro", "1.2.0", "ana", "e\u{301}", "a \"b\"", ""]
  private static let numbers: [FlagValue] = [0, 1, 18, -3, 2.5, 1e9, 1_800_000_000]
  private static let variants: [FlagValue] = ["on", "off", "true", true, .null]

  /// Makes the rules of a seed.
  package init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    nonsense = RandomRules(random: SeededGenerator(seed: seed ^ 0x5eed))
  }

  /// A rule as text: with or without spaces and lines, sometimes with members of one name.
  package mutating func text() -> String {
    let rule = oneIn(30) ? nonsense.rule(levels: 4) : rule(levels: 3)
    return written(rule.fields == nil ? ["if": [rule]] : rule)
  }

  /// A rule of at most so many levels of branches.
  package mutating func rule(levels: Int) -> FlagValue {
    guard levels > 0, !oneIn(4) else { return oneIn(2) ? shares() : ["if": [outcome(levels: 0)]] }
    var operands: [FlagValue] = []
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      operands += [condition(levels: 3), outcome(levels: levels - 1)]
    }
    if !oneIn(3) { operands.append(outcome(levels: levels - 1)) }
    return .object([oneIn(6) ? "?:" : "if": .array(operands)])
  }

  /// A user's attributes, with values that rules compare them with.
  package mutating func context() -> EvaluationContext {
    var attributes: [String: FlagValue] = [:]
    for name in Self.names.dropLast() where !oneIn(3) {
      let value = name == "segments" ? .array([pick(Self.texts)]) : oneIn(3) ? pick(Self.numbers) : pick(Self.texts)
      if name == "app.version" { attributes["app"] = ["version": value] } else { attributes[name] = value }
    }
    return EvaluationContext(attributes: attributes)
  }
}

extension FormRules {
  private mutating func outcome(levels: Int) -> FlagValue {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: shares()
    case 1 where levels > 0: rule(levels: levels)
    case 2 where oneIn(3): nonsense.rule(levels: 2)
    default: pick(Self.variants)
    }
  }

  private mutating func shares() -> FlagValue {
    var operands: [FlagValue] = [["on", .int(Int128.random(in: 0...100, using: &random))], ["off", 50]]
    if oneIn(3) { operands.insert(variable(), at: 0) }
    if oneIn(3) { operands.insert(["cat": [["var": "$flagd.flagKey"], variable()]], at: 0) }
    if oneIn(3) { operands.append(["true"]) }
    return ["fractional": .array(operands)]
  }

  private mutating func condition(levels: Int) -> FlagValue {
    switch Int.random(in: 0..<(levels > 0 ? 9 : 6), using: &random) {
    case 0 where oneIn(3): nonsense.rule(levels: 2)
    case 1 where oneIn(2): ["$ref": "beta"]
    case 6, 7: .object([oneIn(2) ? "and" : "or": group(levels: levels - 1)])
    case 8: ["!": alone(oneIn(2) ? ["or": group(levels: levels - 1)] : condition(levels: levels - 1))]
    default: test()
    }
  }

  private mutating func group(levels: Int) -> FlagValue {
    if oneIn(8) { return condition(levels: levels) }
    return .array((0..<Int.random(in: 1...3, using: &random)).map { _ in condition(levels: levels) })
  }

  private mutating func test() -> FlagValue {
    let (name, text, number) = (variable(), pick(Self.texts), pick(Self.numbers))
    switch Int.random(in: 0..<9, using: &random) {
    case 0: return ["in": [name, .array((0..<Int.random(in: 0...4, using: &random)).map { _ in pick(Self.texts) })]]
    case 1: return ["in": [text, name]]
    case 2: return .object([pick(["==", "===", "!=", "!=="]): [name, oneIn(2) ? text : number]])
    case 3: return .object([pick(["<", "<=", ">", ">="]): [name, number]])
    case 4: return .object([pick(["<", "<="]): [number, name, pick(Self.numbers)]])
    case 5: return .object([pick(["starts_with", "ends_with"]): [name, text]])
    case 6: return ["sem_ver": [name, .string(pick(["=", "!=", "<", "<=", ">", ">=", "^", "~"])), "1.2.0"]]
    case 7: return oneIn(3) ? name : .object([pick(["!", "!!"]): alone(name)])
    default: return ["!": alone(["in": [name, [text]]])]
    }
  }

  private mutating func variable() -> FlagValue { ["var": alone(.string(pick(Self.names)))] }

  /// A single operand, in an array or not.
  private mutating func alone(_ value: FlagValue) -> FlagValue { oneIn(2) ? value : .array([value]) }

  private mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: 0..<values.count, using: &random)]
  }
}

extension FormRules {
  /// Returns a value as text in a random layout.
  private mutating func written(_ value: FlagValue) -> String {
    let spaces = pick([[""], [" "], ["\n", " ", "  ", "", "\t", "\r\n"], ["\n  "]])
    return write(value, spaces)
  }

  private mutating func write(_ value: FlagValue, _ spaces: [String]) -> String {
    switch value {
    case .array(let elements):
      let parts = elements.map { pick(spaces) + write($0, spaces) }
      return "[\(parts.joined(separator: ","))\(pick(spaces))]"
    case .object(let fields):
      var parts = fields.sorted { $0.key < $1.key }.map {
        "\(FlagValue.string($0)):\(pick(spaces))\(write($1, spaces))"
      }
      if let first = parts.first, oneIn(150) { parts.append(first) }
      return "{\(parts.map { pick(spaces) + $0 }.joined(separator: ","))\(pick(spaces))}"
    default: return "\(value)"
    }
  }
}
