struct ValueDecoder: Decoder {
  let value: FlagValue
  let codingPath: [any CodingKey]
  let textReader: TextReader?
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    let decoder = try structured()
    guard case .object(let fields) = decoder.value else { throw mismatch([String: FlagValue].self, "an object") }
    return KeyedDecodingContainer(Fields(fields: fields, decoder: decoder))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let decoder = try structured()
    guard case .array(let elements) = decoder.value else { throw mismatch([FlagValue].self, "an array") }
    return Elements(elements: elements, decoder: decoder)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension ValueDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { value == .null }

  /// Decodes a type.
  ///
  /// It is on the stack once for each level of a value, so code for types without parts is separate.
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if type is any Scalar.Type { return try scalar(type) }
    if type is any FlagValueConvertible.Type { return try converted(to: type) }
    if type is any NamedByRawValues.Type { return try named(type) }
    return try type.init(from: self)
  }

  private func named<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let result = try (type as? any NamedByRawValues.Type)?.read(from: self) as? Value
    return try result ?? type.init(from: self)
  }

  private func scalar<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let typed =
      switch type {
      case is String.Type: value
      case is Bool.Type where textReader != nil: value.withTextAsBoolean
      default: typed
      }
    guard let scalar = type as? any Scalar.Type, let result = scalar.init(exactly: typed) as? Value else {
      throw mismatch(type, "\(type)")
    }
    return result
  }

  private func converted<Value: Decodable>(to type: Value.Type) throws -> Value {
    var result: (any FlagValueConvertible)?
    do throws(FlagError) {
      result = try (type as? any FlagValueConvertible.Type)?.init(flagValue: value)
    } catch {
      throw DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: error.message))
    }
    guard let result = result as? Value else { throw mismatch(type, "\(type)") }
    return result
  }
}

extension ValueDecoder {
  func inside(_ value: FlagValue, at key: any CodingKey) -> Self {
    Self(value: value, codingPath: codingPath + [key], textReader: textReader)
  }

  func mismatch(_ type: Any.Type, _ expected: String) -> DecodingError {
    let context = DecodingError.Context(
      codingPath: codingPath, debugDescription: "expected \(expected), found \(value.excerpt)")
    return .typeMismatch(type, context)
  }

  /// The value; if values are all strings, one that represents a boolean or number is converted.
  private var typed: FlagValue { textReader == nil ? value : value.withTextAsScalar }

  /// Returns the decoder; if values are all strings, that of the array or object in the string.
  func structured() throws -> Self {
    guard let textReader, case .string(let text) = value else { return self }
    return Self(value: try textReader(text), codingPath: codingPath, textReader: nil)
  }
}

extension FlagValue {
  /// The value's type and beginning, for messages.
  fileprivate var excerpt: String {
    guard self != .null else { return "null" }
    let text = "\(typeName) \(self.text(atMost: 400))"
    return text.count > 40 ? text.prefix(40) + "…" : text
  }
}

extension ValueDecoder {
  struct Fields<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let fields: [String: FlagValue]
    let decoder: ValueDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { fields.keys.compactMap(Key.init(stringValue:)) }

    func contains(_ key: Key) -> Bool { fields[key.stringValue] != nil }
    func decodeNil(forKey key: Key) throws -> Bool { try field(key).decodeNil() }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try field(key).decode(type) }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
      try field(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      try field(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
      decoder.inside(fields["super"] ?? .null, at: AnyCodingKey.field("super"))
    }
    func superDecoder(forKey key: Key) throws -> any Decoder {
      decoder.inside(fields[key.stringValue] ?? .null, at: key)
    }

    private func field(_ key: Key) throws -> ValueDecoder {
      guard let value = fields[key.stringValue] else {
        throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: ""))
      }
      return decoder.inside(value, at: key)
    }
  }

  struct Elements: UnkeyedDecodingContainer {
    let elements: [FlagValue]
    let decoder: ValueDecoder
    var currentIndex = 0

    init(elements: [FlagValue], decoder: ValueDecoder) {
      self.elements = elements
      self.decoder = decoder
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    mutating func decodeNil() throws -> Bool {
      guard try element().decodeNil() else { return false }
      currentIndex += 1
      return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try advance { try $0.decode(type) } }

    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
      try advance { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
      try advance { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try advance { $0 } }

    private mutating func advance<Result>(_ read: (ValueDecoder) throws -> Result) throws -> Result {
      let result = try read(element())
      currentIndex += 1
      return result
    }

    private func element() throws -> ValueDecoder {
      let place = AnyCodingKey.element(currentIndex)
      guard !isAtEnd else {
        let context = DecodingError.Context(
          codingPath: codingPath + [place], debugDescription: "expected one more element, found the end of the array")
        throw DecodingError.valueNotFound(FlagValue.self, context)
      }
      return decoder.inside(elements[currentIndex], at: place)
    }
  }
}
