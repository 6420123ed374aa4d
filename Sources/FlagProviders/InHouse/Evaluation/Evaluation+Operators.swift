import FlagDomain

extension Evaluation {
  /// Returns what an operator makes of the values of its operands.
  mutating func operatorValue(of rule: Rule, in scope: Scope) throws(RuleFailure) -> FlagValue? {
    switch rule {
    case .unary(let name, let operand): return name.apply(to: try value(of: operand, in: scope))
    case .binary(let operation): return try value(of: operation, in: scope)
    case .between(let name, let low, let middle, let high):
      return try isBetween(name, values(of: [low, middle, high], in: scope))
    case .variadic(let name, let operands): return try apply(name, to: values(of: operands, in: scope), in: scope)
    default: return nil
    }
  }

  private mutating func value(
    of operation: BinaryOperation, in scope: Scope
  ) throws(RuleFailure) -> FlagValue? {
    let left = try value(of: operation.left, in: scope)
    let right = try value(of: operation.right, in: scope)
    switch operation.name {
    case .equal, .notEqual, .identical, .notIdentical:
      // Lists and records that the rule itself makes are no one else's, however alike they are.
      let areDistinct = left.hasParts && right.hasParts && operation.makesNewList
      return .bool(operation.name.compare(left, right, areDistinct: areDistinct))
    case .in: return .bool(try contains(left, isNew: left.hasParts && operation.left.makesNewList, in: right))
    default: return operation.name.apply(to: left, right)
    }
  }

  private func isBetween(_ name: BinaryOperator, _ values: [FlagValue?]) -> FlagValue {
    .bool(values[0].isOrdered(name, values[1]) && (values[2] == nil || values[1].isOrdered(name, values[2])))
  }

  private mutating func contains(
    _ needle: FlagValue?, isNew: Bool, in haystack: FlagValue?
  ) throws(RuleFailure) -> Bool {
    switch haystack {
    case .array(let elements):
      try charge(elements.count / 8)
      return !isNew && elements.contains(needle)
    case .string(let text):
      try charge(text.utf8.count / 8)
      return !text.isEmpty && text.hasPart(needle.text)
    default: return false
    }
  }
}

extension BinaryOperation {
  fileprivate var makesNewList: Bool { left.makesNewList || right.makesNewList }
}

extension Rule {
  /// Whether what the rule gives is, or may be, a list or record of its own making.
  fileprivate var makesNewList: Bool {
    switch self {
    case .constant(.array), .constant(.object), .list, .iteration(.map, _, _), .iteration(.filter, _, _),
      .variadic(.merge, _), .variadic(.missing, _), .variadic(.missingSome, _):
      true
    case .condition(let parts), .and(let parts), .or(let parts): parts.contains(where: \.makesNewList)
    case .unary(.log, let operand): operand.makesNewList
    default: false
    }
  }
}

extension [FlagValue] {
  fileprivate func contains(_ needle: FlagValue?) -> Bool {
    if case .string(let text) = needle { return contains { $0.isText(text) } }
    return contains { needle.isIdentical(to: $0) }
  }
}

extension FlagValue {
  fileprivate func isText(_ text: String) -> Bool {
    if case .string(let own) = self { own.isIdentical(to: text) } else { false }
  }
}

extension FlagValue? {
  fileprivate var hasParts: Bool {
    switch self {
    case .array, .object: true
    default: false
    }
  }
}
