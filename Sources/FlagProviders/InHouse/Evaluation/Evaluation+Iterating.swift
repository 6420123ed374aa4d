import FlagDomain

extension Evaluation {
  /// Returns what an operator makes of the elements of a list.
  mutating func iterationValue(of rule: Rule, in scope: Scope) throws(RuleFailure) -> FlagValue? {
    switch rule {
    case .iteration(let name, let list, let body):
      guard case .array(let elements) = try value(of: list, in: scope) else { return name.valueWithoutList }
      return try value(of: name, over: elements, body)
    case .reduction(let list, let body, let initial):
      let list = try value(of: list, in: scope)
      let start = try value(of: initial ?? .constant(.null), in: scope)
      guard case .array(let elements) = list else { return start }
      return try reduce(elements, body, from: start)
    default: return nil
    }
  }

  private mutating func value(
    of name: IterationOperator, over elements: [FlagValue], _ body: Rule
  ) throws(RuleFailure) -> FlagValue? {
    switch name {
    case .map: return try map(elements, body)
    case .filter: return try filter(elements, body)
    case .all where elements.isEmpty: return .bool(false)
    case .all: return .bool(try !hasElement(in: elements, body, isTruthy: false))
    case .none: return .bool(try !hasElement(in: elements, body, isTruthy: true))
    case .some: return .bool(try hasElement(in: elements, body, isTruthy: true))
    }
  }

  private mutating func reduce(
    _ elements: [FlagValue], _ body: Rule, from initial: FlagValue?
  ) throws(RuleFailure) -> FlagValue? {
    var result = initial
    for element in elements {
      result = try value(of: body, in: .reduction(current: element, accumulator: result))
      try checkNesting(of: result)
    }
    return result
  }
}

extension Evaluation {
  private mutating func map(_ elements: [FlagValue], _ body: Rule) throws(RuleFailure) -> FlagValue {
    var values: [FlagValue] = []
    for element in elements { try values.append(value(of: body, in: .element(element)) ?? .null) }
    return .array(values)
  }

  private mutating func filter(_ elements: [FlagValue], _ body: Rule) throws(RuleFailure) -> FlagValue {
    var kept: [FlagValue] = []
    for element in elements where try value(of: body, in: .element(element)).isTruthy { kept.append(element) }
    return .array(kept)
  }

  private mutating func hasElement(
    in elements: [FlagValue], _ body: Rule, isTruthy: Bool
  ) throws(RuleFailure) -> Bool {
    for element in elements where try value(of: body, in: .element(element)).isTruthy == isTruthy { return true }
    return false
  }

  /// A reduction can put each result into a list around the one before; such a tower must end somewhere.
  private mutating func checkNesting(of value: FlagValue?) throws(RuleFailure) {
    guard case .array(let elements) = value else { return }
    var count = 0
    let nestsTooDeep = elements.nest(deeperThan: JSONLimits.textDepth, &count)
    try charge(count / 4)
    if nestsTooDeep { throw RuleFailure.failed("a reduction nests more than \(JSONLimits.textDepth) levels") }
  }
}

extension [FlagValue] {
  /// Returns whether lists in these nest deeper than so many levels, and counts what it looks at.
  fileprivate func nest(deeperThan levels: Int, _ count: inout Int) -> Bool {
    count += self.count
    guard levels > 0 else { return true }
    for case .array(let elements) in self where elements.nest(deeperThan: levels - 1, &count) { return true }
    return false
  }
}

extension IterationOperator {
  /// What the operator gives where it finds no list.
  fileprivate var valueWithoutList: FlagValue {
    switch self {
    case .map, .filter: .array([])
    case .none: .bool(true)
    case .all, .some: .bool(false)
    }
  }
}
