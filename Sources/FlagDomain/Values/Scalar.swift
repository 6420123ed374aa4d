/// A type that is represented by a boolean, a number or a string.
protocol Scalar {
  /// Creates the value, or returns nil if the flag value is of another type or does not fit exactly.
  init?(exactly value: FlagValue)

  /// The value as providers store it, or nil if it is out of range.
  var scalar: FlagValue? { get }
}

extension Scalar where Self: FlagAttribute {
  var scalar: FlagValue? { attributeValue }
}

extension Bool: FlagAttribute, Scalar {
  /// The boolean.
  public var attributeValue: FlagValue { .bool(self) }

  init?(exactly value: FlagValue) {
    guard case .bool(let bool) = value else { return nil }
    self = bool
  }
}

extension String: FlagAttribute, Scalar {
  /// The string.
  public var attributeValue: FlagValue { .string(self) }

  init?(exactly value: FlagValue) {
    guard case .string(let text) = value else { return nil }
    self = text
  }
}

extension Scalar where Self: FixedWidthInteger {
  init?(exactly value: FlagValue) {
    switch value {
    case .int(let number): self.init(exactly: number)
    case .double(let number, let numeral):
      guard let whole = numeral.map(\.whole) ?? WholeNumber(exactlyWritten: number) else { return nil }
      self.init(exactly: whole)
    default: return nil
    }
  }
}

extension Int: FlagAttribute, Scalar {}
extension Int8: FlagAttribute, Scalar {}
extension Int16: FlagAttribute, Scalar {}
extension Int32: FlagAttribute, Scalar {}
extension Int64: FlagAttribute, Scalar {}
extension Int128: FlagAttribute, Scalar {}
extension UInt: FlagAttribute, Scalar {}
extension UInt8: FlagAttribute, Scalar {}
extension UInt16: FlagAttribute, Scalar {}
extension UInt32: FlagAttribute, Scalar {}
extension UInt64: FlagAttribute, Scalar {}
extension UInt128: Scalar {
  var scalar: FlagValue? { Int128(exactly: self).map(FlagValue.int) }
}

extension Double: FlagAttribute, Scalar {
  /// The number.
  public var attributeValue: FlagValue { .double(self) }

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
}

extension Float: FlagAttribute, Scalar {
  /// The number.
  public var attributeValue: FlagValue { .double(Double(self)) }

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
