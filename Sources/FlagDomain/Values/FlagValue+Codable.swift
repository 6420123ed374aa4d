extension FlagValue: FlagValueConvertible {
  /// Creates the same value.
  public init(flagValue: FlagValue) { self = flagValue }

  /// The value itself.
  public var flagValue: FlagValue { self }
}

extension FlagValue: Codable {
  /// Creates a value from any decoder, trying the shapes in turn; without recursion of its own.
  public init(from decoder: any Decoder) throws {
    var decoder = decoder
    var levels: [DecodedLevel] = []
    while true {
      var value: FlagValue?
      if let level = try DecodedLevel(decoder) {
        levels.append(level)
      } else {
        value = try FlagValue(scalarIn: decoder.singleValueContainer())
      }
      // Ends the arrays and objects whose last part this is, up to one that has another part.
      while let last = levels.indices.last {
        if let value { levels[last].add(value) }
        if let part = try levels[last].next() {
          decoder = part
          break
        }
        value = levels.removeLast().value
      }
      if levels.isEmpty, let value {
        self = value
        return
      }
    }
  }

  private init(scalarIn container: any SingleValueDecodingContainer) throws {
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
  private let fields: KeyedDecodingContainer<AnyCodingKey>?
  private var elements: (any UnkeyedDecodingContainer)?
  /// The remaining fields; the last of them is being read.
  private var names: [AnyCodingKey]
  private var members: [String: FlagValue] = [:]
  private var values: [FlagValue] = []

  /// Begins an array or object; nil if the value is neither.
  init?(_ decoder: any Decoder) throws {
    fields = try shape { try decoder.container(keyedBy: AnyCodingKey.self) }
    elements = fields == nil ? try shape { try decoder.unkeyedContainer() } : nil
    names = fields?.allKeys ?? []
    if fields == nil, elements == nil { return nil }
  }

  var value: FlagValue { fields == nil ? .array(values) : .object(members) }

  /// Adds the part whose decoder was returned last.
  mutating func add(_ part: FlagValue) {
    if fields == nil { values.append(part) } else { members[names.removeLast().stringValue] = part }
  }

  /// Returns the decoder of the next part; nil at the end.
  mutating func next() throws -> (any Decoder)? {
    if let fields { return try names.last.map(fields.superDecoder) }
    guard elements?.isAtEnd == false else { return nil }
    return try elements?.superDecoder()
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
