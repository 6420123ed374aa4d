import FlagDomain

extension Evaluation {
  /// Returns what a list, a condition or a chain of alternatives gives.
  mutating func branchValue(of rule: Rule, in scope: Scope) throws(RuleFailure) -> FlagValue? {
    switch rule {
    case .condition(let parts): try firstResult(of: parts.span, in: scope)
    case .and(let parts): try firstValue(of: parts.span, in: scope, isTruthy: false)
    case .or(let parts): try firstValue(of: parts.span, in: scope, isTruthy: true)
    case .list(let parts): .array(try values(of: parts, in: scope).map { $0 ?? .null })
    default: nil
    }
  }

  private mutating func firstResult(of parts: Span<Rule>, in scope: Scope) throws(RuleFailure) -> FlagValue? {
    var index = 0
    while index + 1 < parts.count {
      if try value(of: parts[index], in: scope).isTruthy { return try value(of: parts[index + 1], in: scope) }
      index += 2
    }
    return index < parts.count ? try value(of: parts[index], in: scope) : .null
  }

  /// Returns the first value that is as asked for, or else the last.
  private mutating func firstValue(
    of parts: Span<Rule>, in scope: Scope, isTruthy: Bool
  ) throws(RuleFailure) -> FlagValue? {
    var last: FlagValue?
    for index in parts.indices {
      last = try value(of: parts[index], in: scope)
      if last.isTruthy == isTruthy { break }
    }
    return last
  }
}
