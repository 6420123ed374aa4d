package import FlagDomain

/// JavaScript's conversions; nil is undefined.
extension FlagValue? {
  /// Whether the value is truthy: as in JavaScript, except that an empty array is not.
  package var isTruthy: Bool {
    switch self {
    case nil, .null: false
    case .bool(let value): value
    case .int(let value): value != 0
    case .double(let value, _): value != 0 && !value.isNaN
    case .string(let value): !value.isEmpty
    case .array(let elements): !elements.isEmpty
    case .object: true
    }
  }

  /// Whether the value is an array or an object.
  var hasParts: Bool { self?.hasParts ?? false }

  /// Whether JavaScript converts the value to text before it compares it.
  var isTextual: Bool {
    switch self {
    case .string, .array, .object: true
    case nil, .null, .bool, .int, .double: false
    }
  }
}

extension FlagValue {
  /// The number, as JavaScript has it; nil for another type.
  package var number: Double? {
    switch self {
    case .int(let number): Double(closestTo: number)
    case .double(let number, _): number
    case .null, .bool, .string, .array, .object: nil
    }
  }

  package var scalarText: String? {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .int(let value): NumberText.write(Double(closestTo: value))
    case .double(let value, _): NumberText.write(value)
    case .string(let value): value
    case .array: nil
    case .object: "[object Object]"
    }
  }

  /// Creates a value from an arithmetic result: an integer if that is exact; a negative zero keeps its sign.
  init(number: Double) {
    if number.magnitude <= 0x1p53, let whole = Int64(exactly: number), whole != 0 || number.sign == .plus {
      self = .int(Int128(whole))
    } else {
      self = .double(number)
    }
  }

  /// The name of the variant that the value selects as the result of a rule; nil for null, 0, arrays and objects.
  package var variantName: String? {
    switch self {
    case .int(0), .double(0, _): nil
    case .string, .bool, .int, .double: scalarText
    case .null, .array, .object: nil
    }
  }

  /// The version that the value denotes, as a string: a string, or a number such as 1.2.
  package var versionText: String? {
    switch self {
    case .string, .int, .double: scalarText
    case .null, .bool, .array, .object: nil
    }
  }

  /// The weight that the value denotes: an integer; a negative one counts as 0.
  package var weight: UInt64? {
    // Larger weights make any sum too large, so they need not be distinguished.
    let most = Self.maximumWeight + 1
    return switch self {
    case .int(let value): UInt64(min(max(value, 0), Int128(most)))
    case .double(let value, _) where value.rounded() == value && value.isFinite:
      UInt64(min(max(value, 0), Double(most)))
    case .null, .bool, .double, .string, .array, .object: nil
    }
  }

  /// The result and the weight that the value denotes as a share of a split; nil if it is none.
  var share: (result: FlagValue, weight: UInt64)? {
    guard case .array(let parts) = self, (1...2).contains(parts.count),
      let weight = parts.count == 2 ? parts[1].weight : 1
    else { return nil }
    return (parts[0], weight)
  }

  package static let maximumWeight = UInt64(Int32.max)
}

extension Double {
  /// Creates the number closest to an integer.
  ///
  /// The standard library's 128-bit conversion is as slow as several steps of a rule, and most numbers fit in 64 bits.
  package init(closestTo number: Int128) {
    let low = Int64(truncatingIfNeeded: number)
    self = Int128(low) == number ? Double(low) : Double(number)
  }
}
