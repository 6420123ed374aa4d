extension FlagValue: FlagValueConvertible {
  /// Creates the same value.
  public init(flagValue: FlagValue) { self = flagValue }

  /// The value itself.
  public var flagValue: FlagValue { self }
}

extension FlagValue: Codable {
  /// Creates a value from any decoder, trying the shapes in turn; without recursion of its own.
  public init(from decoder: any Decoder) throws {
    guard let level = try DecodedLevel(decoder) else {
      self = try Self(scalarIn: decoder.singleValueContainer())
      return
    }
    var levels = [level]
    while true {
      let last = levels.count - 1
      if let level = try levels[last].next() {
        levels.append(level)
      } else if last > 0 {
        levels[last - 1].add(levels.removeLast().value)
      } else {
        self = levels[0].value
        return
      }
    }
  }

  fileprivate init(scalarIn container: any SingleValueDecodingContainer) throws {
    // If no shape matches, the error is that of the last one.
    if container.decodeNil() {
      self = .null
    } else if let value = try shape({ try container.decode(Bool.self) }) {
      self = .bool(value)
    } else if let value = number({ try container.decode(Int64.self) }) {
      self = .int(Int128(value))
    } else if let value = number({ try container.decode(UInt64.self) }) {
      self = .int(Int128(value))
    } else if let value = number({ try container.decode(Int128.self) }) {
      self = .int(value)
    } else if let value = number({ try container.decode(Double.self) }) {
      self = .double(value)
    } else {
      self = .string(try container.decode(String.self))
    }
  }

  /// Writes the value to any encoder, a whole number as the narrowest 64-bit integer that holds it; without recursion
  /// of its own.
  public func encode(to encoder: any Encoder) throws {
    var levels: [EncodedLevel] = []
    switch self {
    case .object(let fields):
      levels.append(.fields(encoder.container(keyedBy: AnyCodingKey.self), fields.makeIterator()))
    case .array(let elements): levels.append(.elements(encoder.unkeyedContainer(), elements.makeIterator()))
    default:
      var container = encoder.singleValueContainer()
      try encodeScalar(into: &container)
    }
    while var level = levels.popLast() {
      while let inner = try level.next() {
        levels.append(level)
        level = inner
      }
    }
  }

  private func encodeScalar(into container: inout any SingleValueEncodingContainer) throws {
    switch self {
    case .bool(let value): try container.encode(value)
    case .double(let value, _): try container.encode(value)
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

/// Returns the result of a closure; nil if the decoder reports that the value has another shape.
///
/// Any other error is the decoder's own, such as that of its input, and is thrown.
private func shape<Value>(_ read: () throws -> Value) throws -> Value? {
  do {
    return try read()
  } catch is DecodingError {
    return nil
  }
}

/// Returns the result of a closure; nil if the value is no such number.
///
/// Foundation throws errors of several kinds for numbers that do not fit. What else is wrong with the input is an error
/// of the last shape, too.
private func number<Value>(_ read: () throws -> Value) -> Value? {
  do { return try read() } catch { return nil }
}

/// An array or object that is being read, and the parts read so far.
private struct DecodedLevel {
  private var fields: KeyedDecodingContainer<AnyCodingKey>?
  private var elements: (any UnkeyedDecodingContainer)?
  /// The remaining fields; the last of them is being read.
  private var names: [AnyCodingKey] = []
  private var members: [String: FlagValue] = [:]
  private var values: [FlagValue] = []

  /// A value without parts, which is decoded without trying other shapes.
  private struct Scalar: Decodable {
    let value: FlagValue
    init(from decoder: any Decoder) throws { value = try FlagValue(scalarIn: decoder.singleValueContainer()) }
  }

  /// Begins an array or object; nil if the value is neither.
  init?(_ decoder: any Decoder) throws {
    if let fields = try shape({ try decoder.container(keyedBy: AnyCodingKey.self) }) {
      self.init(fields)
    } else if let elements = try shape({ try decoder.unkeyedContainer() }) {
      self.init(elements)
    } else {
      return nil
    }
  }

  private init(_ fields: KeyedDecodingContainer<AnyCodingKey>) {
    self.fields = fields
    names = fields.allKeys
  }

  private init(_ elements: any UnkeyedDecodingContainer) { self.elements = elements }

  var value: FlagValue { fields == nil ? .array(values) : .object(members) }

  mutating func add(_ part: FlagValue) {
    if fields == nil { values.append(part) } else { members[names.removeLast().stringValue] = part }
  }

  /// Reads parts up to the next array or object, and begins it; nil at the end.
  mutating func next() throws -> DecodedLevel? {
    while let fields, let name = names.last {
      if let scalar = try shape({ try fields.decode(Scalar.self, forKey: name) }) {
        add(scalar.value)
      } else if let inner = try shape({ try fields.nestedContainer(keyedBy: AnyCodingKey.self, forKey: name) }) {
        return DecodedLevel(inner)
      } else if let inner = try shape({ try fields.nestedUnkeyedContainer(forKey: name) }) {
        return DecodedLevel(inner)
      } else {
        add(try fields.decode(Scalar.self, forKey: name).value)  // the error
      }
    }
    while var rest = elements, !rest.isAtEnd {
      defer { elements = rest }
      if let scalar = try shape({ try rest.decode(Scalar.self) }) {
        add(scalar.value)
      } else if let inner = try shape({ try rest.nestedContainer(keyedBy: AnyCodingKey.self) }) {
        return DecodedLevel(inner)
      } else if let inner = try shape({ try rest.nestedUnkeyedContainer() }) {
        return DecodedLevel(inner)
      } else {
        add(try rest.decode(Scalar.self).value)  // the error
      }
    }
    return nil
  }
}

/// An array or object that is being written, and the parts left to write.
private enum EncodedLevel {
  case fields(KeyedEncodingContainer<AnyCodingKey>, Dictionary<String, FlagValue>.Iterator)
  case elements(any UnkeyedEncodingContainer, IndexingIterator<[FlagValue]>)

  /// Writes parts up to the next array or object, and begins it; nil at the end.
  mutating func next() throws -> EncodedLevel? {
    switch self {
    case .fields(var container, var fields):
      defer { self = .fields(container, fields) }
      while let (name, value) = fields.next() {
        switch value {
        case .array(let inner):
          return .elements(container.nestedUnkeyedContainer(forKey: .field(name)), inner.makeIterator())
        case .object(let inner):
          return .fields(
            container.nestedContainer(keyedBy: AnyCodingKey.self, forKey: .field(name)), inner.makeIterator())
        default: try container.encode(value, forKey: .field(name))
        }
      }
    case .elements(var container, var elements):
      defer { self = .elements(container, elements) }
      while let value = elements.next() {
        switch value {
        case .array(let inner): return .elements(container.nestedUnkeyedContainer(), inner.makeIterator())
        case .object(let inner):
          return .fields(container.nestedContainer(keyedBy: AnyCodingKey.self), inner.makeIterator())
        default: try container.encode(value)
        }
      }
    }
    return nil
  }
}
