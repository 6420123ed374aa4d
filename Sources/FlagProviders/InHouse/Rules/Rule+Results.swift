import FlagDomain

extension Rule {
  /// The names of the variants that the rule can choose; nil where that hangs on the data.
  var possibleResults: Set<String>? {
    switch self {
    case .constant(.string(let name)): [name]
    case .constant(.bool(let value)): [String(value)]
    case .constant, .undefined, .broken: []
    case .unary(.not, _), .unary(.truth, _), .between, .version, .iteration(.all, _, _), .iteration(.none, _, _),
      .iteration(.some, _, _):
      ["true", "false"]
    case .binary(let operation): operation.name.givesBoolean ? ["true", "false"] : nil
    case .unary(.log, let operand): operand.possibleResults
    case .condition(let parts): Self.possibleResults(of: parts.results)
    case .and(let parts), .or(let parts): Self.possibleResults(of: parts)
    case .split(let split): Self.possibleResults(of: split.shares.map(\.result))
    default: nil
    }
  }

  private static func possibleResults(of rules: [Rule]) -> Set<String>? {
    rules.reduce([]) { names, rule in
      guard let names, let more = rule.possibleResults else { return nil }
      return names.union(more)
    }
  }
}

extension [Rule] {
  /// The results among a condition's parts: every second one, and the last where it has no condition.
  fileprivate var results: [Rule] {
    enumerated().filter { $0.offset % 2 == 1 || $0.offset == count - 1 }.map(\.element)
  }
}

extension BinaryOperator {
  fileprivate var givesBoolean: Bool {
    switch self {
    case .minus, .divide, .remainder: false
    default: true
    }
  }
}
