import FlagDomain

/// The data that a rule's variables name.
///
/// Where a value is nil, it is what JavaScript calls undefined.
enum Scope {
  /// The whole context, as the evaluation has it.
  case context
  /// An element of the array that an operator goes through.
  case element(FlagValue)
  /// An element of an array, and what a reduction made of those before it.
  case reduction(current: FlagValue, accumulator: FlagValue?)
}

extension Scope {
  static let current = "current"
  static let accumulator = "accumulator"
}

extension Evaluation {
  /// Returns the part of a value that a name means in JavaScript, or nil.
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
      // Counting in UTF-16 goes through the whole text.
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
  /// Reads the place of an element: digits, with no zero too many.
  fileprivate init?(index name: String) {
    guard name.utf8.count < 20, let value = Int(name), value >= 0, String(value).isIdentical(to: name) else {
      return nil
    }
    self = value
  }
}
