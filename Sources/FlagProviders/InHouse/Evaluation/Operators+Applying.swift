import FlagDomain

extension UnaryOperator {
  /// Returns what the operator makes of a value.
  func apply(to operand: FlagValue?) -> FlagValue? {
    switch self {
    case .not: .bool(!operand.isTruthy)
    case .truth: .bool(operand.isTruthy)
    case .negate: FlagValue(number: -operand.number)
    case .log: operand
    }
  }
}

extension BinaryOperator {
  /// Returns what the operator makes of two values; the operators that need to know more are not among these.
  func apply(to left: FlagValue?, _ right: FlagValue?) -> FlagValue? {
    switch self {
    case .less, .lessOrEqual, .greater, .greaterOrEqual: .bool(left.isOrdered(self, right))
    case .minus where right == nil: UnaryOperator.negate.apply(to: left)
    case .minus: FlagValue(number: left.number - right.number)
    case .divide: FlagValue(number: left.number / right.number)
    case .remainder: FlagValue(number: left.number.truncatingRemainder(dividingBy: right.number))
    case .startsWith: Self.affix(left, right) { $0.utf8.starts(with: $1.utf8) }
    case .endsWith: Self.affix(left, right) { $0.utf8.reversed().starts(with: $1.utf8.reversed()) }
    case .equal, .notEqual, .identical, .notIdentical, .in: nil
    }
  }

  /// Returns whether two values are equal, as the operator understands it; distinct ones never are.
  func compare(_ left: FlagValue?, _ right: FlagValue?, areDistinct: Bool) -> Bool {
    switch self {
    case .equal: !areDistinct && left.isEqual(to: right)
    case .notEqual: areDistinct || !left.isEqual(to: right)
    case .identical: !areDistinct && left.isIdentical(to: right)
    default: areDistinct || !left.isIdentical(to: right)
    }
  }

  private static func affix(
    _ text: FlagValue?, _ affix: FlagValue?, _ holds: (String, String) -> Bool
  ) -> FlagValue {
    guard case .string(let text) = text, case .string(let affix) = affix else { return .null }
    return .bool(holds(text, affix))
  }
}
