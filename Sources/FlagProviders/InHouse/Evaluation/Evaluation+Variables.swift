import FlagDomain

extension Evaluation {
  /// Returns what a variable gives: its value, or that of its fallback.
  mutating func variableValue(of rule: Rule, in scope: Scope) throws(RuleFailure) -> FlagValue? {
    switch rule {
    case .variable(let variable):
      if let value = value(of: variable, in: scope) { return value }
      return try fallbackValue(of: variable.fallback, in: scope)
    case .computedVariable(let name, let fallback):
      if let value = value(namedBy: try value(of: name, in: scope), in: scope) { return value }
      return try fallbackValue(of: fallback, in: scope)
    default: return nil
    }
  }

  private mutating func fallbackValue(of rule: Rule?, in scope: Scope) throws(RuleFailure) -> FlagValue {
    guard let rule else { return .null }
    return try value(of: rule, in: scope) ?? .null
  }

  /// Returns what a variable names, or nil where the data has no such part.
  func value(of variable: Variable, in scope: Scope) -> FlagValue? {
    guard let first = variable.first else { return whole(scope) }
    var value = property(first, variable.attribute, of: scope)
    if variable.rest.isEmpty { return value }
    for name in variable.rest {
      guard let part = value?.property(name) else { return nil }
      value = part
    }
    return value
  }

  /// Returns what a computed name stands for: as in JavaScript, null and nothing are the whole data.
  func value(namedBy name: FlagValue?, in scope: Scope) -> FlagValue? {
    let isWhole = name == nil || name == .null
    return value(of: Variable(isWhole ? "" : name.text), in: scope)
  }

  private func property(_ name: String, _ attribute: ContextAttribute?, of scope: Scope) -> FlagValue? {
    switch scope {
    case .context: if let attribute { context[attribute] } else { reserved }
    case .element(let value): value.property(name)
    case .reduction(let current, _) where name == Scope.current: current
    case .reduction(_, let accumulator) where name == Scope.accumulator: accumulator
    case .reduction: nil
    }
  }

  private func whole(_ scope: Scope) -> FlagValue? {
    switch scope {
    case .context: .object(context.values.merging([Variable.Reserved.name: reserved]) { _, ours in ours })
    case .element(let value): value
    case .reduction(let current, let accumulator):
      .object([Scope.current: current, Scope.accumulator: accumulator ?? .null])
    }
  }

  private var reserved: FlagValue {
    [
      Variable.Reserved.flagKey: .string(flagKey),
      Variable.Reserved.timestamp: .int(Int128(seconds)),
    ]
  }
}

extension Evaluation {
  /// Returns the names among the operands, or among the elements of the first, for which the data has nothing.
  mutating func missing(_ names: [FlagValue], in scope: Scope) throws(RuleFailure) -> [FlagValue] {
    try charge(names.count)
    return names.filter { name in
      switch value(namedBy: name, in: scope) {
      case nil, .null: true
      case .string(let text): text.isEmpty
      default: false
      }
    }
  }
}
