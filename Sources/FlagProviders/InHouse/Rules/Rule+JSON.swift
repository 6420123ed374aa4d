import FlagDomain

extension Rule: CustomStringConvertible {
  /// The rule as JSON, on one line.
  var description: String { json.description }

  /// The rule as a document would have it, with shared rules inlined.
  var json: FlagValue {
    switch self {
    case .constant(let value): value
    case .undefined: .null
    case .list(let elements): .array(elements.json)
    case .variable(let variable): ["var": variable.json]
    case .computedVariable(let name, let fallback): ["var": .array(([name] + (fallback.map { [$0] } ?? [])).json)]
    case .condition(let parts): ["if": .array(parts.json)]
    case .and(let parts): ["and": .array(parts.json)]
    case .or(let parts): ["or": .array(parts.json)]
    case .unary(let name, let operand): .object([name.rawValue: .array([operand.json])])
    case .binary(let operation):
      .object([operation.name.rawValue: .array([operation.left.json, operation.right.json])])
    case .between(let name, let low, let middle, let high):
      .object([name.rawValue: .array([low.json, middle.json, high.json])])
    case .variadic(let name, let operands): .object([name.rawValue: .array(operands.json)])
    case .iteration(let name, let list, let body): .object([name.rawValue: .array([list.json, body.json])])
    case .reduction(let list, let body, let initial):
      ["reduce": .array([list.json, body.json] + (initial.map { [$0.json] } ?? []))]
    case .version(let test): ["sem_ver": [test.left.json, .string(test.relation.rawValue), test.right.json]]
    case .split(let split): ["fractional": .array((split.subject.map { [$0.json] } ?? []) + split.shares.map(\.json))]
    case .broken(let reason): ["broken": .string(reason)]
    }
  }
}

extension [Rule] {
  fileprivate var json: [FlagValue] { map(\.json) }
}

extension Variable {
  fileprivate var json: FlagValue {
    fallback.map { [.string(description), $0.json] } ?? .string(description)
  }
}

extension VersionTest.Operand {
  fileprivate var json: FlagValue {
    switch self {
    case .version(_, let text): text
    case .rule(let rule): rule.json
    }
  }
}

extension Split.Share {
  fileprivate var json: FlagValue {
    switch weight {
    case .constant(let weight): [result.json, .int(Int128(weight))]
    case .rule(let rule): [result.json, rule.json]
    }
  }
}
