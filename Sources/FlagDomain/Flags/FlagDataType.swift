/// The type of a flag's values in terms that do not depend on Swift, for consoles and tools.
public struct FlagDataType: Hashable, Sendable {
  /// The shape of the values as providers store them.
  public enum Kind: Hashable, Sendable {
    /// True or false.
    case boolean
    /// A whole number, within these bounds.
    case integer(ClosedRange<Int128>)
    /// A number.
    case number
    /// A string.
    case text
    /// An array.
    case list
    /// An object, or any other JSON value.
    case object
  }

  /// The shape of the values.
  public let kind: Kind
  /// Whether null is a value of the flag.
  public let isOptional: Bool
  /// The name of the Swift type, as `Optional<Int>`.
  public let name: String
}

extension FeatureFlag {
  /// The type of the flag's values.
  ///
  /// It follows from the Swift type or, if that does not determine it, from the encoded default.
  public var dataType: FlagDataType {
    let wrapped = (Value.self as? any OptionalType.Type)?.wrapped
    let type = wrapped ?? Value.self
    let kind =
      FlagDataType.Kind(of: type) ?? .init(like: FlagValue(describing: defaultValue)) ?? .init(ofRawValueIn: type)
    return FlagDataType(kind: kind ?? .object, isOptional: wrapped != nil, name: "\(Value.self)")
  }
}

extension FlagDataType.Kind {
  fileprivate init?(of type: Any.Type) {
    switch type {
    case is Bool.Type: self = .boolean
    case is String.Type: self = .text
    case let type as any FixedWidthInteger.Type: self = .integer(type.bounds)
    case is any BinaryFloatingPoint.Type: self = .number
    default: return nil
    }
  }

  fileprivate init?(like value: FlagValue) {
    switch value {
    case .null: return nil
    case .bool: self = .boolean
    case .int: self = .integer(Int128.min...Int128.max)
    case .double: self = .number
    case .string: self = .text
    case .array: self = .list
    case .object: self = .object
    }
  }

  fileprivate init?(ofRawValueIn type: Any.Type) {
    guard let type = type as? any RawRepresentable.Type else { return nil }
    func rawValue<Raw: RawRepresentable>(of type: Raw.Type) -> Any.Type { Raw.RawValue.self }
    self.init(of: rawValue(of: type))
  }
}

extension FixedWidthInteger {
  fileprivate static var bounds: ClosedRange<Int128> { Int128(clamping: Self.min)...Int128(clamping: Self.max) }
}

extension FeatureFlag {
  /// All values that the flag can have, if its type lists its cases; otherwise empty.
  ///
  /// The cases are those of a `CaseIterable` type that can be encoded, or of an optional one.
  public var choices: [FlagValue] {
    get throws(FlagError) {
      let type = (Value.self as? any OptionalType.Type)?.wrapped ?? Value.self
      guard let type = type as? any (CaseIterable & Encodable).Type else { return [] }
      return try encodedCases(of: type)
    }
  }

  private func encodedCases<Cases: CaseIterable & Encodable>(
    of type: Cases.Type
  ) throws(FlagError) -> [FlagValue] {
    var values: [FlagValue] = []
    for value in type.allCases { values.append(try FlagValue(encoding: value)) }
    return values
  }
}
