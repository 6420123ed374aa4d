import FlagDomain

extension FlagValue {
  /// The number, if it is a whole one.
  private var whole: Int128? {
    switch self {
    case .int(let number): number
    case .double(let number, _): Int128(exactly: number)
    case .null, .bool, .string, .array, .object: nil
    }
  }

  /// Returns a number below, at or above zero if this number is less than, equal to or greater than another one.
  func numberOrder(to other: FlagValue) -> Int? {
    guard let left = number, let right = other.number, !left.isNaN, !right.isNaN else { return nil }
    if left != right { return left < right ? -1 : 1 }
    guard let left = whole, let right = other.whole, left != right else { return 0 }
    return left < right ? -1 : 1
  }
}
