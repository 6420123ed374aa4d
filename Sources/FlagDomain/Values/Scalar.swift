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
    case .double(let number, nil): self.init(exactlyWritten: number)
    case .double(_, let numeral?):
      guard let whole = numeral.whole(as: Self.self) else { return nil }
      self = whole
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
  /// Creates the nearest value to a fraction; one that is out of range does not fit.
  init?(exactly value: FlagValue) {
    switch value {
    case .int(let number): self.init(exactly: number)
    case .double(let number, let numeral):
      guard numeral == nil || number.isFinite else { return nil }
      self = number
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
    case .double(let number, let numeral):
      self = numeral.flatMap { Float($0.text) } ?? Float(number)
      guard isFinite || numeral == nil && !number.isFinite else { return nil }
    default: return nil
    }
  }

  var scalar: FlagValue? { .double(Double(self)) }
}

extension FlagValue {
  /// The number, if it is an integer; in whatever form it is written.
  package var wholeNumber: Int128? { Int128(exactly: self) }

  /// The value, with `true`, `yes` and `1`, `false`, `no` and `0` in any case converted, and other text unchanged.
  var withTextAsBoolean: FlagValue {
    guard case .string(let text) = self else { return self }
    switch text.lowercased() {
    case "true", "yes", "1": return true
    case "false", "no", "0": return false
    default: return self
    }
  }

  /// The value, with `true`, `false` and JSON numerals converted, and other text unchanged.
  var withTextAsScalar: FlagValue {
    guard case .string(let text) = self else { return self }
    switch text {
    case "true": return true
    case "false": return false
    default: return FlagValue(numeral: text) ?? self
    }
  }
}
