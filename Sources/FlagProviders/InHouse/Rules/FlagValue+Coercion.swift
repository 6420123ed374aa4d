import FlagDomain

/// JavaScript's conversions. Nil is undefined.
extension FlagValue? {
  /// Whether a condition holds: as in JavaScript, and an empty list does not.
  var isTruthy: Bool {
    switch self {
    case nil, .null: false
    case .bool(let value): value
    case .int(let value): value != 0
    case .double(let value): value != 0 && !value.isNaN
    case .string(let value): !value.isEmpty
    case .array(let elements): !elements.isEmpty
    case .object: true
    }
  }

  /// The number that arithmetic takes the value for.
  var number: Double {
    switch self {
    case nil, .object: .nan
    case .null: 0
    case .bool(let value): value ? 1 : 0
    case .int(let value): Double(value)
    case .double(let value): value
    case .string(let value): NumberText.read(value)
    case .array: NumberText.read(text)
    }
  }

  /// The number at the beginning of the value's text.
  var numberPrefix: Double {
    switch self {
    case nil, .null, .bool, .object: .nan
    case .int(let value): Double(value)
    case .double(let value): value
    case .string, .array: NumberText.readPrefix(text)
    }
  }

  /// The text that stands for the value.
  var text: String { text(levels: JSONLimits.textDepth) }

  /// The text, or nothing where the value nests too deep for any text to be of use.
  private func text(levels: Int) -> String {
    switch self {
    case nil: "undefined"
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .int(let value): NumberText.write(Double(value))
    case .double(let value): NumberText.write(value)
    case .string(let value): value
    case .array(let elements) where levels > 0:
      elements.map { $0 == .null ? "" : Self.some($0).text(levels: levels - 1) }.joined(separator: ",")
    case .array: ""
    case .object: "[object Object]"
    }
  }
}

extension FlagValue {
  /// Creates the value of a number that arithmetic gave: whole where that is exact, and zero with its sign.
  init(number: Double) {
    if number.magnitude <= 0x1p53, let whole = Int64(exactly: number), whole != 0 || number.sign == .plus {
      self = .int(Int128(whole))
    } else {
      self = .double(number)
    }
  }
}

extension String {
  /// Returns whether both strings have the same code units; equal characters alone are not enough.
  func isIdentical(to other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    // The buffers are read while the closures run, and not kept. A string without one is compared byte by byte.
    let isEqual = utf8.withContiguousStorageIfAvailable { left in
      other.utf8.withContiguousStorageIfAvailable { right in left.elementsEqual(right) }
    }
    return (isEqual ?? nil) ?? utf8.elementsEqual(other.utf8)
  }
}
