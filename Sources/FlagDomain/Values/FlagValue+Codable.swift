extension FlagValue: FlagValueConvertible {
  /// Creates the same value.
  public init(flagValue: FlagValue) { self = flagValue }

  /// The value itself.
  public var flagValue: FlagValue { self }
}

extension FlagValue: Codable {
  /// Creates a value from any decoder, trying the shapes in turn.
  public init(from decoder: any Decoder) throws {
    if let fields = try? decoder.container(keyedBy: Place.self) {  // not a record: a shape to rule out, no error
      self = .object(
        try Dictionary(
          uniqueKeysWithValues: fields.allKeys.map { ($0.stringValue, try fields.decode(FlagValue.self, forKey: $0)) }))
    } else if var elements = try? decoder.unkeyedContainer() {  // not a list: as above
      var values: [FlagValue] = []
      while !elements.isAtEnd { values.append(try elements.decode(FlagValue.self)) }
      self = .array(values)
    } else {
      self = try Self(scalarIn: decoder.singleValueContainer())
    }
  }

  private init(scalarIn container: any SingleValueDecodingContainer) throws {
    // Each failure below rules a shape out; the last one is the error.
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .int(Int128(value))
    } else if let value = try? container.decode(UInt64.self) {
      self = .int(Int128(value))
    } else if let value = try? container.decode(Double.self) {
      self = .double(value)
    } else {
      self = .string(try container.decode(String.self))
    }
  }

  /// Writes the value to any encoder, a whole number as the narrowest 64-bit integer that holds it.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .object(let fields):
      var container = encoder.container(keyedBy: Place.self)
      for (name, value) in fields { try container.encode(value, forKey: .field(name)) }
    case .array(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    default:
      var container = encoder.singleValueContainer()
      try encodeScalar(into: &container)
    }
  }

  private func encodeScalar(into container: inout any SingleValueEncodingContainer) throws {
    switch self {
    case .bool(let value): try container.encode(value)
    case .double(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .int(let value):
      if let value = Int64(exactly: value) {
        try container.encode(value)
      } else if let value = UInt64(exactly: value) {
        try container.encode(value)
      } else {
        try container.encode(value)
      }
    case .null, .array, .object: try container.encodeNil()
    }
  }
}
