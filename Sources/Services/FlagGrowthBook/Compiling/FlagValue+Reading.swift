import FlagDefinitions
import FlagDomain

extension FlagValue? {
  /// The value, unless it is null.
  var present: FlagValue? { if case .null? = self { nil } else { self } }
}

extension FlagValue {
  var wholeNumber: Int? { number.flatMap { Int(exactly: $0) } }

  /// The numbers, if the value is an array of nothing else.
  var numbers: [Double]? {
    guard case .array(let elements) = self else { return nil }
    let numbers = elements.compactMap(\.number)
    return numbers.count == elements.count ? numbers : nil
  }

  var range: BucketRange? {
    guard let numbers, numbers.count == 2 else { return nil }
    return BucketRange(start: numbers[0], end: numbers[1])
  }
}

extension [String: FlagValue] {
  /// Returns a member that is a string, and not an empty one.
  func text(_ name: String) -> String? {
    guard case .string(let text)? = self[name], !text.isEmpty else { return nil }
    return text
  }

  func number(_ name: String) -> Double? { self[name]?.number }

  func version(_ name: String) -> Int? { self[name]?.wholeNumber }

  /// The version of a hash; nil for none, and for 0.
  ///
  /// No hash has the version -1, which stands for every number that is no integer.
  var hashVersion: Int? {
    guard let number = number("hashVersion"), number != 0 else { return nil }
    return Int(exactly: number) ?? -1
  }
}
