import FlagDomain

extension Evaluation {
  mutating func value(
    of name: IterationOperator, over list: Rule, _ body: Rule, in scope: Scope
  ) throws(FlagError) -> FlagValue? {
    guard case .array(let elements) = try value(of: list, in: scope) else { return name.valueWithoutList }
    switch name {
    case .map: return try .array(map(elements, body))
    case .filter: return try .array(filter(elements, body))
    case .all where elements.isEmpty: return false
    case .all: return .bool(try firstElement(of: elements, body, isTruthy: false) == nil)
    case .none: return .bool(try firstElement(of: elements, body, isTruthy: true) == nil)
    case .some: return .bool(try firstElement(of: elements, body, isTruthy: true) != nil)
    }
  }

  mutating func reduction(
    over list: Rule, _ body: Rule, from initial: Rule?, in scope: Scope
  ) throws(FlagError) -> FlagValue? {
    let elements = try value(of: list, in: scope)
    var result: FlagValue? = if let initial { try value(of: initial, in: scope) } else { .null }
    guard case .array(let elements) = elements else { return result }
    for element in elements {
      result = try value(of: body, in: .reduction(current: element, accumulator: result))
      try checkNesting(of: result, levels: JSONLimits.depth)
    }
    return result
  }
}

extension Evaluation {
  private mutating func map(_ elements: [FlagValue], _ body: Rule) throws(FlagError) -> [FlagValue] {
    var values: [FlagValue] = []
    for element in elements { try values.append(value(of: body, in: .element(element)) ?? .null) }
    return values
  }

  private mutating func filter(_ elements: [FlagValue], _ body: Rule) throws(FlagError) -> [FlagValue] {
    var kept: [FlagValue] = []
    for element in elements where try value(of: body, in: .element(element)).isTruthy { kept.append(element) }
    return kept
  }

  private mutating func firstElement(
    of elements: [FlagValue], _ body: Rule, isTruthy: Bool
  ) throws(FlagError) -> FlagValue? {
    for element in elements where try value(of: body, in: .element(element)).isTruthy == isTruthy { return element }
    return nil
  }

  /// A reduction can put each result into a list around the one before; such a tower must end somewhere.
  private mutating func checkNesting(of value: FlagValue?, levels: Int) throws(FlagError) {
    guard case .array(let elements) = value else { return }
    try charge(elements.count / 4)
    guard levels > 0 else { throw FlagError(.general, "a reduction nests more than \(JSONLimits.depth) levels") }
    for element in elements { try checkNesting(of: element, levels: levels - 1) }
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
