import FlagDefinitions
import FlagDomain

extension FeatureEvaluation {
  /// The object whose members a condition reads.
  enum Subject {
    case context
    /// An element of an array.
    case value(FlagValue)
    /// An object with the value of another feature as its member `value`.
    case parent(FlagValue)
  }

  /// Returns whether a condition holds.
  mutating func holds(
    _ number: UInt32, for subject: borrowing Subject, in payload: Payload
  ) throws(EvaluationFailure) -> Bool {
    try charge()
    let node = payload.conditions.nodes[Int(number)]
    switch node.kind {
    case .all:
      for child in node.children where try !holds(payload.conditions.children[child], for: subject, in: payload) {
        return false
      }
      return true
    case .any:
      for child in node.children where try holds(payload.conditions.children[child], for: subject, in: payload) {
        return true
      }
      return node.count == 0
    case .not: return try !holds(node.operand, for: subject, in: payload)
    case .attribute:
      return try passes(node.count, value(ofPath: Int(node.operand), for: subject, in: payload) ?? .null, in: payload)
    case .belongsToGroup: return try belongs(toGroup: Int(node.operand), subject, in: payload)
    case .always: return true
    default: return false
    }
  }

  private mutating func belongs(
    toGroup number: Int, _ subject: borrowing Subject, in payload: Payload
  ) throws(EvaluationFailure) -> Bool {
    if let message = payload.conditions.brokenGroups[number] { throw .broken(message: message) }
    let group = payload.conditions.groups[number]
    guard groupLevels + group.levels <= Self.maximumGroupLevels else { throw .tooManyGroups }
    groupLevels += group.levels
    defer { groupLevels -= group.levels }
    return try holds(group.node, for: subject, in: payload)
  }

  /// Returns whether a value passes a test.
  private mutating func passes(
    _ number: UInt32, _ value: FlagValue, in payload: Payload
  ) throws(EvaluationFailure) -> Bool {
    try charge()
    let node = payload.conditions.nodes[Int(number)]
    switch node.kind {
    case .all:
      for child in node.children where try !passes(payload.conditions.children[child], value, in: payload) {
        return false
      }
      return true
    case .not: return try !passes(node.operand, value, in: payload)
    case .text, .textIgnoringCase, .isNull, .sameJSON, .identical: return try equals(node, value, in: payload)
    case .isIn, .isInIgnoringCase: return try isIn(node, value, in: payload)
    case .isInGroup:
      if let message = payload.conditions.brokenGroups[Int(node.operand)] { throw .broken(message: message) }
      return try passes(payload.conditions.groups[Int(node.operand)].node, value, in: payload)
    case .ordered: return try isOrdered(node, value, in: payload)
    case .version: return try isVersion(node, value, in: payload)
    case .pattern:
      guard case .string(let text) = value else { return false }
      return try find(node.operand, in: text, of: payload)
    case .type: return payload.conditions.texts[Int(node.operand)] == value.javaScriptType
    case .size, .elementPasses, .elementFulfils, .containsAll: return try passesElements(node, value, in: payload)
    case .always: return true
    case .any, .attribute, .belongsToGroup, .never: return false
    }
  }

  private mutating func passesElements(
    _ node: ConditionNode, _ value: FlagValue, in payload: Payload
  ) throws(EvaluationFailure) -> Bool {
    guard case .array(let elements) = value else { return false }
    switch node.kind {
    case .size: return try passes(node.operand, .int(Int128(elements.count)), in: payload)
    case .elementPasses:
      for element in elements where element != .null {
        if try passes(node.operand, element, in: payload) { return true }
      }
      return false
    case .elementFulfils:
      for element in elements where element != .null {
        if try holds(node.operand, for: .value(element), in: payload) { return true }
      }
      return false
    default:
      for child in node.children {
        var isFound = false
        for element in elements where try passes(payload.conditions.children[child], element, in: payload) {
          isFound = true
          break
        }
        if !isFound { return false }
      }
      return true
    }
  }

  /// Returns the value at a path, or nil if there is none.
  private func value(ofPath number: Int, for subject: borrowing Subject, in payload: Payload) -> FlagValue? {
    let first: FlagValue?
    switch copy subject {
    case .context: first = contextValue(ofPath: number, in: payload)
    case .value(let value): first = value.javaScriptMember(payload.conditions.paths[number].first.name)
    case .parent(let value): first = payload.conditions.paths[number].first.name == "value" ? value : FlagValue?.none
    }
    if payload.conditions.paths[number].rest.isEmpty { return first }
    var value = first
    for name in payload.conditions.paths[number].rest {
      guard let inner = value?.javaScriptMember(name) else { return nil }
      value = inner
    }
    return value
  }

  // MARK: Comparing

  // Comparisons of a value with the constants of a condition: values of different types never match.

  private mutating func equals(
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

  private mutating func isIn(
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

  private mutating func isOrdered(
    _ node: ConditionNode, _ value: FlagValue, in payload: Payload
  ) throws(EvaluationFailure) -> Bool {
    guard case .string(let text) = value, case .string(let bound) = payload.conditions.values[Int(node.operand)] else {
      return node.holds(value.numberOrder(to: payload.conditions.values[Int(node.operand)]))
    }
    try charge(min(text.utf8.count, bound.utf8.count))
    return node.holds(text.order(to: bound))
  }

  private mutating func isVersion(
    _ node: ConditionNode, _ value: FlagValue, in payload: Payload
  ) throws(EvaluationFailure) -> Bool {
    if case .string(let text) = value { try charge(text.utf8.count) }
    return node.holds(payload.conditions.versions[Int(node.operand)].order(of: value))
  }
}

extension ConditionNode {
  /// The numbers of the children.
  fileprivate var children: Range<Int> { Int(operand)..<Int(operand) + Int(count) }

  /// Returns whether the comparison `count` holds for an order; false for none.
  fileprivate func holds(_ order: Int?) -> Bool {
    guard let order, let comparison = Comparison(rawValue: count) else { return false }
    return comparison.holds(order)
  }
}

extension FlagValue {
  /// The type as JavaScript SDKs name it.
  fileprivate var javaScriptType: String {
    switch self {
    case .int, .double: "number"
    default: typeName
    }
  }

  /// Returns a member of an object, or an element or the length of an array; nil if there is none.
  fileprivate func javaScriptMember(_ name: String) -> FlagValue? {
    switch self {
    case .object(let members): return members.member(name)
    case .array(let elements):
      if name == "length" { return .int(Int128(elements.count)) }
      guard let index = Int(name), elements.indices.contains(index), String(index) == name else { return nil }
      return elements[index]
    case .null, .bool, .int, .double, .string: return nil
    }
  }

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
    matches(other) { $0.isSameScalar(as: $1) }
  }

  /// The number, if it is a whole one.
  private var whole: Int128? {
    switch self {
    case .int(let number): number
    case .double(let number, _): Int128(exactly: number)
    case .null, .bool, .string, .array, .object: nil
    }
  }

  /// Returns a number below, at or above zero if this number is less than, equal to or greater than another one.
  fileprivate func numberOrder(to other: FlagValue) -> Int? {
    guard let left = number, let right = other.number, !left.isNaN, !right.isNaN else { return nil }
    if left != right { return left < right ? -1 : 1 }
    guard let left = whole, let right = other.whole, left != right else { return 0 }
    return left < right ? -1 : 1
  }
}
