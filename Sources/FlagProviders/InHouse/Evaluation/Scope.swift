import FlagDomain

/// The data that a rule's variables name.
///
/// Where a value is nil, it is what JavaScript calls undefined.
enum Scope {
  /// The whole context, as the evaluation has it.
  case context
  /// An element of the list that an operator goes through.
  case element(FlagValue)
  /// An element of a list, and what a reduction made of those before it.
  case reduction(current: FlagValue, accumulator: FlagValue?)
}

extension Scope {
  /// The name under which reductions show the element.
  static let current = "current"
  /// The name under which reductions show what they have so far.
  static let accumulator = "accumulator"
}

extension FlagValue {
  /// The part of a value that a name stands for in JavaScript, or nil.
  func property(_ name: String) -> FlagValue? {
    switch self {
    case .object(let fields): fields[name]
    case .array(let elements): name == "length" ? .int(Int128(elements.count)) : elements.element(at: name)
    case .string(let text): name == "length" ? .int(Int128(text.utf16.count)) : text.character(at: name)
    case .null, .bool, .int, .double: nil
    }
  }
}

extension [FlagValue] {
  fileprivate func element(at name: String) -> FlagValue? {
    guard let index = Int(index: name), indices.contains(index) else { return nil }
    return self[index]
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
    guard let value = Int(name), value >= 0, String(value).isIdentical(to: name) else { return nil }
    self = value
  }
}
