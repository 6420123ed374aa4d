extension Rule {
  /// Whether what the rule gives may depend on the time.
  var dependsOnTime: Bool { readsTime(fromContext: true) }

  /// The time is a part of the context alone, and not of the elements that operators go through.
  private func readsTime(fromContext: Bool) -> Bool {
    switch self {
    case .variable(let variable):
      fromContext && variable.includesTime || variable.fallback?.readsTime(fromContext: fromContext) == true
    case .computedVariable: fromContext || parts.contains { $0.readsTime(fromContext: false) }
    case .iteration(_, let list, let body):
      list.readsTime(fromContext: fromContext) || body.readsTime(fromContext: false)
    case .reduction(let list, let body, let initial):
      list.readsTime(fromContext: fromContext) || body.readsTime(fromContext: false)
        || initial?.readsTime(fromContext: fromContext) == true
    default: parts.contains { $0.readsTime(fromContext: fromContext) }
    }
  }
}

extension Rule {
  /// The rules that this one is made of.
  var parts: [Rule] {
    switch self {
    case .constant, .undefined, .broken: []
    case .variable(let variable): variable.fallback.map { [$0] } ?? []
    case .computedVariable(let name, let fallback): [name] + (fallback.map { [$0] } ?? [])
    case .list(let parts), .condition(let parts), .and(let parts), .or(let parts), .variadic(_, let parts): parts
    case .unary(_, let operand): [operand]
    case .binary(let operation): [operation.left, operation.right]
    case .between(_, let low, let middle, let high): [low, middle, high]
    case .iteration(_, let list, let body): [list, body]
    case .reduction(let list, let body, let initial): [list, body] + (initial.map { [$0] } ?? [])
    case .version(let test): test.rules
    case .split(let split): split.rules
    }
  }
}

extension VersionTest {
  fileprivate var rules: [Rule] {
    [left, right].compactMap { if case .rule(let rule) = $0 { rule } else { nil } }
  }
}

extension Split {
  fileprivate var rules: [Rule] {
    (subject.map { [$0] } ?? [])
      + shares.flatMap { if case .rule(let weight) = $0.weight { [weight, $0.result] } else { [$0.result] } }
  }
}
