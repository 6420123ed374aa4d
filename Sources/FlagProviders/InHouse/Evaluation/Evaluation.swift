import FlagDomain

/// One evaluation of one flag's rule.
///
/// Where a value is nil, it is what JavaScript calls undefined.
struct Evaluation<Observer: RuleObserver> {
  let flagKey: String
  let context: EvaluationContext
  let seconds: Int64
  let bucketing: Bucketing
  var observer: Observer
  private var stepsLeft = EvaluationLimits.steps

  init(
    of flagKey: String, in context: EvaluationContext, at seconds: Int64, bucketing: Bucketing, observer: Observer
  ) {
    self.flagKey = flagKey
    self.context = context
    self.seconds = seconds
    self.bucketing = bucketing
    self.observer = observer
  }
}

/// How far an evaluation may go before it is given up.
enum EvaluationLimits {
  /// The most steps; one step is an operation, or a small piece of a long one.
  static let steps = 10_000_000
}

extension Evaluation {
  /// Returns what a rule gives.
  mutating func value(of rule: Rule, in scope: Scope) throws(FlagError) -> FlagValue? {
    try charge(1)
    observer.willEvaluate(rule)
    let value = try unobservedValue(of: rule, in: scope)
    observer.didEvaluate(to: value)
    return value
  }

  /// Counts steps, and gives up when there are too many.
  mutating func charge(_ steps: Int) throws(FlagError) {
    stepsLeft -= steps
    if stepsLeft < 0 { throw FlagError(.general, "the rule takes more than \(EvaluationLimits.steps) steps") }
  }

  private mutating func unobservedValue(of rule: Rule, in scope: Scope) throws(FlagError) -> FlagValue? {
    switch rule {
    case .constant(let value): value
    case .undefined: nil
    case .broken(let reason): throw FlagError(.parseError, reason)
    case .variable(let variable, let fallback):
      try value(of: variable, in: scope).or(fallback, in: scope, of: &self)
    case .computedVariable(let name, let fallback):
      try value(namedBy: value(of: name, in: scope), in: scope).or(fallback, in: scope, of: &self)
    case .list(let elements): try list(of: elements, in: scope)
    case .condition(let parts): try firstResult(of: parts, in: scope)
    case .and(let parts): try firstValue(of: parts, in: scope) { !$0.isTruthy }
    case .or(let parts): try firstValue(of: parts, in: scope) { $0.isTruthy }
    case .unary(let name, let operand): apply(name, to: try value(of: operand, in: scope))
    case .binary(let name, let left, let right): try value(of: name, left, right, in: scope)
    case .between(let name, let low, let middle, let high):
      try value(of: name, low, middle, high, in: scope)
    case .variadic(let name, let operands): try value(of: name, operands, in: scope)
    case .iteration(let name, let list, let body): try value(of: name, over: list, body, in: scope)
    case .reduction(let list, let body, let initial): try reduction(over: list, body, from: initial, in: scope)
    case .version(let test): try value(of: test, in: scope)
    case .split(let split): try value(of: split, in: scope)
    }
  }
}

extension Evaluation {
  private mutating func list(of elements: [Rule], in scope: Scope) throws(FlagError) -> FlagValue? {
    var values: [FlagValue] = []
    values.reserveCapacity(elements.count)
    for element in elements { try values.append(value(of: element, in: scope) ?? .null) }
    return .array(values)
  }

  private mutating func firstResult(of parts: [Rule], in scope: Scope) throws(FlagError) -> FlagValue? {
    var index = 0
    while index + 1 < parts.count {
      if try value(of: parts[index], in: scope).isTruthy { return try value(of: parts[index + 1], in: scope) }
      index += 2
    }
    return index < parts.count ? try value(of: parts[index], in: scope) : .null
  }

  private mutating func firstValue(
    of parts: [Rule], in scope: Scope, where isWanted: (FlagValue?) -> Bool
  ) throws(FlagError) -> FlagValue? {
    var last: FlagValue?
    for part in parts {
      last = try value(of: part, in: scope)
      if isWanted(last) { break }
    }
    return last
  }
}

extension FlagValue? {
  /// The value, or where there is none what the fallback gives.
  fileprivate func or<Observer>(
    _ fallback: Rule?, in scope: Scope, of evaluation: inout Evaluation<Observer>
  ) throws(FlagError) -> FlagValue? {
    if let self { return self }
    guard let fallback else { return .null }
    return try evaluation.value(of: fallback, in: scope) ?? .null
  }
}
