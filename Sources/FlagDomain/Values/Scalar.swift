/// A type that is represented by a boolean, a number or a string.
protocol Scalar {
  /// Creates the value, or returns nil if the flag value is of another type or does not fit exactly.
  init?(exactly value: FlagValue)

  /// The value as providers store it, or nil if it is out of range.
  var scalar: FlagValue? { get }
}

extension Bool: Scalar {
  init?(exactly value: FlagValue) {
    guard case .bool(let bool) = value else { return nil }
    self = bool
  }

  var scalar: FlagValue? { .bool(self) }
}

extension String: Scalar {
  init?(exactly value: FlagValue) {
    guard case .string(let text) = value else { return nil }
    self = text
  }

  var scalar: FlagValue? { .string(self) }
}

extension Scalar where Self: FixedWidthInteger {
  init?(exactly value: FlagValue) {
    switch value {
    case .int(let number): self.init(exactly: number)
    case .double(let number): self.init(exactly: number)
    default: return nil
    }
  }

  var scalar: FlagValue? { Int128(exactly: self).map(FlagValue.int) }
}

extension Int: Scalar {}
extension Int8: Scalar {}
extension Int16: Scalar {}
extension Int32: Scalar {}
extension Int64: Scalar {}
extension Int128: Scalar {}
extension UInt: Scalar {}
extension UInt8: Scalar {}
extension UInt16: Scalar {}
extension UInt32: Scalar {}
extension UInt64: Scalar {}
extension UInt128: Scalar {}

extension Double: Scalar {
  init?(exactly value: FlagValue) {
    switch value {
    case .int(let number): self.init(exactly: number)
    case .double(let number): self = number
    default: return nil
    }
  }

  var scalar: FlagValue? { .double(self) }
}

extension Float: Scalar {
  /// Creates the nearest value to a fraction, as a literal does; one that is out of range does not fit.
  init?(exactly value: FlagValue) {
    switch value {
    case .int(let number): self.init(exactly: number)
    case .double(let number):
      self.init(number)
      guard isFinite == number.isFinite else { return nil }
    default: return nil
    }
  }

  var scalar: FlagValue? { .double(Double(self)) }
}

extension FlagValue {
  /// The value, with `true`, `false` and JSON numerals converted, and other text unchanged.
  var withTextAsScalar: FlagValue {
    guard case .string(let text) = self else { return self }
    switch text {
    case "true": return true
    case "false": return false
    default: return FlagValue(numeral: text) ?? self
    }
  }

  /// Creates a number from text of JSON's grammar (RFC 8259 section 6), or returns nil.
  private init?(numeral text: String) {
    var rest = Substring(text).utf8
    func digits() -> Bool {
      let count = rest.prefix { (48...57).contains($0) }.count
      rest = rest.dropFirst(count)
      return count > 0
    }
    func skip(_ characters: String) -> Bool {
      guard let first = rest.first, characters.utf8.contains(first) else { return false }
      rest = rest.dropFirst()
      return true
    }
    _ = skip("-")
    let isZero = skip("0")
    guard isZero || digits() else { return nil }
    if rest.isEmpty, let number = Int128(text) {
      self = .int(number)
      return
    }
    if skip("."), !digits() { return nil }
    if skip("eE") {
      _ = skip("+-")
      guard digits() else { return nil }
    }
    guard rest.isEmpty, let number = Double(text), number.isFinite else { return nil }
    self = .double(number)
  }
}
