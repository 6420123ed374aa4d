import FlagDomain

extension Evaluation {
  func apply(_ name: UnaryOperator, to operand: FlagValue?) -> FlagValue? {
    switch name {
    case .not: .bool(!operand.isTruthy)
    case .truth: .bool(operand.isTruthy)
    case .negate: FlagValue(number: -operand.number)
    case .log: operand
    }
  }

  mutating func value(
    of name: BinaryOperator, _ leftRule: Rule, _ rightRule: Rule, in scope: Scope
  ) throws(FlagError) -> FlagValue? {
    let left = try value(of: leftRule, in: scope)
    let right = try value(of: rightRule, in: scope)
    // Lists and records that the rule itself makes are no one else's, however alike they are.
    let areDistinct = left.hasParts && right.hasParts && (leftRule.makesNewList || rightRule.makesNewList)
    switch name {
    case .equal: return .bool(!areDistinct && left.isEqual(to: right))
    case .notEqual: return .bool(areDistinct || !left.isEqual(to: right))
    case .identical: return .bool(!areDistinct && left.isIdentical(to: right))
    case .notIdentical: return .bool(areDistinct || !left.isIdentical(to: right))
    case .less, .lessOrEqual, .greater, .greaterOrEqual: return .bool(left.isOrdered(name, right))
    case .minus where right == nil: return apply(.negate, to: left)
    case .minus: return FlagValue(number: left.number - right.number)
    case .divide: return FlagValue(number: left.number / right.number)
    case .remainder: return FlagValue(number: left.number.truncatingRemainder(dividingBy: right.number))
    case .in: return .bool(try contains(left, in: right) && !(left.hasParts && leftRule.makesNewList))
    case .startsWith: return affix(left, right) { $0.utf8.starts(with: $1.utf8) }
    case .endsWith: return affix(left, right) { $0.utf8.reversed().starts(with: $1.utf8.reversed()) }
    }
  }

  mutating func value(
    of name: BinaryOperator, _ low: Rule, _ middle: Rule, _ high: Rule, in scope: Scope
  ) throws(FlagError) -> FlagValue? {
    let low = try value(of: low, in: scope)
    let middle = try value(of: middle, in: scope)
    let high = try value(of: high, in: scope)
    return .bool(low.isOrdered(name, middle) && (high == nil || middle.isOrdered(name, high)))
  }
}

extension Evaluation {
  private mutating func contains(_ needle: FlagValue?, in haystack: FlagValue?) throws(FlagError) -> Bool {
    switch haystack {
    case .array(let elements):
      try charge(elements.count / 8)
      return elements.contains { needle.isIdentical(to: $0) }
    case .string(let text):
      try charge(text.utf8.count / 8)
      return !text.isEmpty && text.hasPart(needle.text)
    default: return false
    }
  }

  private func affix(
    _ text: FlagValue?, _ affix: FlagValue?, _ holds: (String, String) -> Bool
  ) -> FlagValue? {
    guard case .string(let text) = text, case .string(let affix) = affix else { return .null }
    return .bool(holds(text, affix))
  }
}

extension Rule {
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

extension FlagValue? {
  fileprivate var hasParts: Bool {
    switch self {
    case .array, .object: true
    default: false
    }
  }
}
