import FlagDomain

/// The data that a rule's variables refer to.
///
/// A nil value is JavaScript's undefined.
enum Scope {
  /// The whole evaluation context.
  case context
  /// An element of the array that an operator iterates over.
  case element(FlagValue)
  /// An element of an array, and a reduction's result for the elements before it.
  case reduction(current: FlagValue, accumulator: FlagValue?)

  static let current = "current"
  static let accumulator = "accumulator"

  var isContext: Bool { if case .context = self { true } else { false } }
}

extension Evaluation {
  /// Returns the property of a value by its name, as in JavaScript, or nil.
  mutating func property(_ name: String, of value: FlagValue) throws(RuleFailure) -> FlagValue? {
    switch value {
    case .object(let members):
      try chargeName(name)
      return members.member(name)
    case .array(let elements):
      if name.isIdentical(to: "length") { return .int(Int128(elements.count)) }
      guard let index = Int(index: name), elements.indices.contains(index) else { return nil }
      return elements[index]
    case .string(let text):
      // Counting in UTF-16 scans the whole text.
      try charge(text.utf8.count)
      return name.isIdentical(to: "length") ? .int(Int128(text.utf16.count)) : text.character(at: name)
    case .null, .bool, .int, .double: return nil
    }
  }
}

extension String {
  fileprivate func character(at name: String) -> FlagValue? {
    let units = utf16.dropFirst(Int(index: name) ?? .max).prefix(1)
    guard !units.isEmpty else { return nil }
    return .string(String(decoding: units, as: UTF16.self))
  }
}

extension Int {
  /// Parses the index of an element: digits without leading zeros.
  fileprivate init?(index name: String) {
    guard name.utf8.count < 20, let value = Int(name), value >= 0, String(value).isIdentical(to: name) else {
      return nil
    }
    self = value
  }
}
