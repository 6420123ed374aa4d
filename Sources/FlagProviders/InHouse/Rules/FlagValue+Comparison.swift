import FlagDomain

/// JavaScript's comparisons. Nil is undefined.
extension FlagValue? {
  /// Returns whether both values have the same type and are equal, as `===` does.
  ///
  /// JavaScript tells lists and records apart by identity. Values have none here: those of equal parts are the same.
  func isIdentical(to other: Self) -> Bool {
    switch (self, other) {
    case (.string(let left), .string(let right)): left.isIdentical(to: right)
    case (.bool(let left), .bool(let right)): left == right
    case (.int, .int), (.int, .double), (.double, .int), (.double, .double): number == other.number
    case (.array, .array), (.object, .object), (.null, .null), (nil, nil): self == other
    default: false
    }
  }

  /// Returns whether the values are equal after JavaScript's conversions, as `==` does.
  func isEqual(to other: Self) -> Bool {
    switch (self, other) {
    case (nil, nil), (nil, .null), (.null, nil), (.null, .null): true
    case (nil, _), (.null, _), (_, nil), (_, .null): false
    case (.string(let left), .string(let right)): left.isIdentical(to: right)
    case (.array, .array), (.object, .object): self == other
    case (.array, .object), (.object, .array): false
    case (.array, .string), (.object, .string), (.string, .array), (.string, .object):
      text.isIdentical(to: other.text)
    default: number == other.number
    }
  }

  /// Returns whether a comparison holds: of text by code units, of everything else as numbers.
  func isOrdered(_ relation: BinaryOperator, _ other: Self) -> Bool {
    if isTextual, other.isTextual { return relation.holds(text.order(to: other.text), 0) }
    return relation.holds(number, other.number)
  }

  private var isTextual: Bool {
    switch self {
    case .string, .array, .object: true
    default: false
    }
  }
}

extension BinaryOperator {
  /// Returns whether the comparison holds between two numbers; none does for what is not a number.
  fileprivate func holds<Number: Comparable>(_ left: Number, _ right: Number) -> Bool {
    switch self {
    case .less: left < right
    case .lessOrEqual: left <= right
    case .greater: left > right
    case .greaterOrEqual: left >= right
    default: false
    }
  }
}

extension String {
  /// Returns a number below, at or above zero, as this string's UTF-16 comes before, with or after the other's.
  fileprivate func order(to other: String) -> Int {
    if utf16.elementsEqual(other.utf16) { return 0 }
    return utf16.lexicographicallyPrecedes(other.utf16) ? -1 : 1
  }
}
