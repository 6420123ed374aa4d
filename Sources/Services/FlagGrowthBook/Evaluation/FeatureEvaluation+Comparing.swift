import FlagDefinitions
import FlagDomain

/// Comparisons of a value with the constants of a condition: values of different types never match.
extension FeatureEvaluation {
  mutating func equals(
    _ node: ConditionNode, _ value: FlagValue, in payload: Payload
  ) throws(EvaluationFailure) -> Bool {
    let operand = Int(node.operand)
    switch (node.kind, value) {
    case (.text, .string(let text)): return text.isIdentical(to: payload.conditions.texts[operand])
    case (.textIgnoringCase, .string(let text)):
      try charge(text.utf8.count)
      return text.lowercased().isIdentical(to: payload.conditions.texts[operand])
    case (.isNull, .null): return true
    case (.identical, _): return value.isSameScalar(as: payload.conditions.values[operand])
    case (.sameJSON, _):
      try charge(Int(node.count))
      return value.hasSameJSON(as: payload.conditions.values[operand])
    default: return false
    }
  }

  mutating func isIn(
    _ node: ConditionNode, _ value: FlagValue, in payload: Payload
  ) throws(EvaluationFailure) -> Bool {
    guard case .array(let elements) = value else { return try isOneIn(node, value, in: payload) }
    try charge(elements.count)
    for element in elements where try isOneIn(node, element, in: payload) { return true }
    return false
  }

  private mutating func isOneIn(
    _ node: ConditionNode, _ value: FlagValue, in payload: Payload
  ) throws(EvaluationFailure) -> Bool {
    guard node.kind == .isInIgnoringCase, case .string(let text) = value else {
      return payload.conditions.sets[Int(node.operand)].contains(value)
    }
    try charge(text.utf8.count)
    return payload.conditions.sets[Int(node.operand)].contains(text.lowercased())
  }

  mutating func isOrdered(
    _ node: ConditionNode, _ value: FlagValue, in payload: Payload
  ) throws(EvaluationFailure) -> Bool {
    guard case .string(let text) = value, case .string(let bound) = payload.conditions.values[Int(node.operand)] else {
      return node.holds(value.numberOrder(to: payload.conditions.values[Int(node.operand)]))
    }
    try charge(min(text.utf8.count, bound.utf8.count))
    return node.holds(text.order(to: bound))
  }

  mutating func isVersion(
    _ node: ConditionNode, _ value: FlagValue, in payload: Payload
  ) throws(EvaluationFailure) -> Bool {
    if case .string(let text) = value { try charge(text.utf8.count) }
    return node.holds(payload.conditions.versions[Int(node.operand)].order(of: value))
  }
}

extension ConditionNode {
  /// Returns whether the comparison `count` holds for an order; false for none.
  fileprivate func holds(_ order: Int?) -> Bool {
    guard let order, let comparison = Comparison(rawValue: count) else { return false }
    return comparison.holds(order)
  }
}

extension FlagValue {
  fileprivate func isSameScalar(as other: FlagValue) -> Bool {
    switch (self, other) {
    case (.string(let left), .string(let right)): left.isIdentical(to: right)
    case (.bool(let left), .bool(let right)): left == right
    case (.null, .null): true
    default: numberOrder(to: other) == 0
    }
  }

  /// Returns whether two values have the same JSON, but for the order of members and the form of numbers.
  fileprivate func hasSameJSON(as other: FlagValue) -> Bool {
    var pairs = [(self, other)]
    while let pair = pairs.popLast() {
      switch pair {
      case (.array(let left), .array(let right)):
        guard left.count == right.count else { return false }
        pairs.append(contentsOf: zip(left, right))
      case (.object(let left), .object(let right)):
        guard left.count == right.count else { return false }
        for (name, value) in left {
          guard let other = right.member(name) else { return false }
          pairs.append((value, other))
        }
      default: if !pair.0.isSameScalar(as: pair.1) { return false }
      }
    }
    return true
  }
}
