import FlagDefinitions
import FlagDomain

/// Comparisons of a value with the constants of a condition, with JavaScript's conversions.
extension FeatureEvaluation {
  mutating func equals(
    _ node: ConditionNode, _ value: FlagValue, in payload: Payload
  ) throws(EvaluationFailure) -> Bool {
    let operand = Int(node.operand)
    switch node.kind {
    case .text:
      if case .string(let text) = value { return text.isIdentical(to: payload.conditions.texts[operand]) }
      return try text(of: value).isIdentical(to: payload.conditions.texts[operand])
    case .textIgnoringCase: return try text(of: value).lowercased().isIdentical(to: payload.conditions.texts[operand])
    case .number: return try number(of: value) == payload.conditions.numbers[operand]
    case .isTrue: return Optional(value).isTruthyInJavaScript
    case .isFalse: return value != .null && !Optional(value).isTruthyInJavaScript
    case .isNull: if case .null = value { return true } else { return false }
    case .identical: return isIdentical(value, payload.conditions.values[operand])
    default:
      try charge(Int(node.count))
      return value.hasSameJSON(as: payload.conditions.values[operand])
    }
  }

  private func isIdentical(_ left: FlagValue, _ right: FlagValue) -> Bool {
    switch (left, right) {
    case (.string(let left), .string(let right)): left.isIdentical(to: right)
    case (.bool(let left), .bool(let right)): left == right
    case (.null, .null): true
    case (.int(let left), .int(let right)): left == right
    case (.double(let left, _), .double(let right, _)): left == right
    case (.int(let left), .double(let right, _)), (.double(let right, _), .int(let left)):
      Double(closestTo: left) == right
    default: false
    }
  }

  mutating func isIn(
    _ node: ConditionNode, _ value: FlagValue, in payload: Payload
  ) throws(EvaluationFailure) -> Bool {
    let operand = Int(node.operand)
    guard case .array(let elements) = value else {
      return try isIn(operand, value, of: node.kind, in: payload)
    }
    try charge(elements.count)
    for element in elements where try isIn(operand, element, of: node.kind, in: payload) { return true }
    return false
  }

  private mutating func isIn(
    _ operand: Int, _ value: FlagValue, of kind: ConditionNode.Kind, in payload: Payload
  ) throws(EvaluationFailure) -> Bool {
    switch kind {
    case .isInGroup: return payload.conditions.groups[operand].contains(value)
    case .isInIgnoringCase:
      guard case .string(let text) = value else { return payload.conditions.sets[operand].contains(value) }
      try charge(text.utf8.count)
      return payload.conditions.sets[operand].contains(text.lowercased())
    default: return payload.conditions.sets[operand].contains(value)
    }
  }

  mutating func isOrdered(
    _ node: ConditionNode, _ value: FlagValue, in payload: Payload
  ) throws(EvaluationFailure) -> Bool {
    let operand = Int(node.operand)
    if let bound = payload.conditions.bounds[operand].text, value.isTextInJavaScript {
      let text = try text(of: value)
      try charge(min(text.utf8.count, bound.utf8.count))
      return node.kind.holds(text.order(to: bound), 0)
    }
    return node.kind.holds(try number(of: value), payload.conditions.bounds[operand].number)
  }

  mutating func isVersion(
    _ node: ConditionNode, _ value: FlagValue, in payload: Payload
  ) throws(EvaluationFailure) -> Bool {
    if case .string(let text) = value { try charge(text.utf8.count) }
    let order = payload.conditions.versions[Int(node.operand)].order(of: value)
    switch node.kind {
    case .versionIsEqual: return order == 0
    case .versionIsLess: return order < 0
    default: return order <= 0
    }
  }
}

extension FeatureEvaluation {
  /// The maximum nesting of an array that is converted to text; deeper elements are omitted.
  private static let textLevels = 64

  /// Returns a value as text, as JavaScript converts it; the length is charged.
  mutating func text(of value: FlagValue) throws(EvaluationFailure) -> String {
    var text = ""
    if case .array(let elements) = value {
      try append(elements, to: &text, levels: Self.textLevels)
    } else {
      text = value.scalarText ?? ""
      try charge(text.utf8.count / 16)
    }
    return text
  }

  private mutating func append(
    _ elements: [FlagValue], to text: inout String, levels: Int
  ) throws(EvaluationFailure) {
    guard levels > 0 else { return }
    try charge(elements.count)
    for (index, element) in elements.enumerated() {
      if index > 0 { text += "," }
      if case .array(let elements) = element {
        try append(elements, to: &text, levels: levels - 1)
      } else if element != .null, let part = element.scalarText {
        try charge(part.utf8.count)
        text += part
      }
    }
  }

  /// Returns a value as a number, as JavaScript converts it.
  mutating func number(of value: FlagValue) throws(EvaluationFailure) -> Double {
    switch value {
    case .null: return 0
    case .bool(let value): return value ? 1 : 0
    case .int(let value): return Double(closestTo: value)
    case .double(let value, _): return value
    case .object: return .nan
    case .string, .array:
      let text = try text(of: value)
      try charge(text.utf8.count)
      return NumberText.read(text)
    }
  }
}

extension ConditionNode.Kind {
  fileprivate func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
    switch self {
    case .less: left < right
    case .lessOrEqual: left <= right
    case .greater: left > right
    default: left >= right
    }
  }
}

extension FlagValue {
  /// Whether JavaScript converts the value to text before it compares it.
  var isTextInJavaScript: Bool {
    switch self {
    case .string, .array, .object: true
    case .null, .bool, .int, .double: false
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
      case (.int, .double), (.double, .int): if pair.0.scalarText != pair.1.scalarText { return false }
      default: if pair.0 != pair.1 { return false }
      }
    }
    return true
  }
}
