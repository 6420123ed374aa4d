/// Reads text as a structure, for services that only have strings.
public typealias TextReader = @Sendable (String) throws(FlagError) -> FlagValue

extension FlagValue {
  /// Returns the value as a type of Swift, strictly and without loss.
  ///
  /// A whole number reads as any type that holds it exactly, `10.0` reads as an integer, 300 does not read as `UInt8`.
  /// Text is never a number, and a list with one bad element is a mismatch as a whole. Null reads as an optional only.
  ///
  /// - Parameters:
  ///   - type: The type to read.
  ///   - textReader: Where values are text throughout, reads text as a list or record; `true`, `false` and numerals
  ///     are then converted exactly. Nil, where values are typed.
  /// - Returns: The value, as the type.
  /// - Throws: A type mismatch that names the place, what was expected and what was found.
  public func decode<Value: Decodable>(as type: Value.Type, textReader: TextReader? = nil) throws(FlagError) -> Value {
    // The frequent cases, without a decoder: a server resolves flags anew for each request.
    // They are cast by patterns, because an optional of the type would have its metadata looked up at every call.
    switch self {
    case .bool(let bool) where type == Bool.self: if case let value as Value = bool { return value }
    case .string(let string) where type == String.self: if case let value as Value = string { return value }
    case .double(let double) where type == Double.self: if case let value as Value = double { return value }
    case .int(let number) where type == Int.self:
      if let whole = Int(exactly: number), case let value as Value = whole { return value }
    default: break
    }
    return try read(type, textReader)
  }

  private func read<Value: Decodable>(_ type: Value.Type, _ textReader: TextReader?) throws(FlagError) -> Value {
    do {
      return try ValueDecoder(value: self, codingPath: [], textReader: textReader).decode(type)
    } catch {
      throw FlagError(mismatch: error, reading: self, as: type)
    }
  }
}

extension FlagError {
  fileprivate init(mismatch error: any Error, reading value: FlagValue, as type: Any.Type) {
    self =
      switch error {
      case let error as FlagError: error
      case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
        DecodingError.dataCorrupted(let context):
        FlagError(.typeMismatch, context.codingPath.place + context.debugDescription)
      case DecodingError.keyNotFound(let key, let context):
        FlagError(.typeMismatch, context.codingPath.place + "expected a field \"\(key.stringValue)\", found none")
      default: FlagError(.typeMismatch, "expected \(type), found \(value.typeName): \(error)")
      }
  }
}

extension [any CodingKey] {
  /// The path as a prefix of a message: `at layout.rows[2]: `.
  fileprivate var place: String {
    guard !isEmpty else { return "" }
    let path = reduce(into: "") { path, key in
      if let index = key.intValue { path += "[\(index)]" } else { path += (path.isEmpty ? "" : ".") + key.stringValue }
    }
    return "at \(path): "
  }
}

/// Reads one value.
private struct ValueDecoder: Decoder {
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

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if let scalar = type as? any Scalar.Type {
      guard let result = scalar.init(exactly: type == String.self ? value : typed) as? Value else {
        throw mismatch(type, "\(type)")
      }
      return result
    }
    if let convertible = type as? any FlagValueConvertible.Type, let result = try converted(to: convertible) as? Value {
      return result
    }
    return try type.init(from: self)
  }

  private func converted(to type: any FlagValueConvertible.Type) throws -> any FlagValueConvertible {
    do throws(FlagError) {
      return try type.init(flagValue: value)
    } catch {
      throw DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: error.message))
    }
  }
}

extension ValueDecoder {
  /// Returns a decoder of something inside the value.
  func inside(_ value: FlagValue, at key: any CodingKey) -> Self {
    Self(value: value, codingPath: codingPath + [key], textReader: textReader)
  }

  func mismatch(_ type: Any.Type, _ expected: String) -> DecodingError {
    let context = DecodingError.Context(
      codingPath: codingPath, debugDescription: "expected \(expected), found \(value.excerpt)")
    return .typeMismatch(type, context)
  }

  /// The value, with text that denotes a boolean or a number as that, where text is all there is.
  private var typed: FlagValue { textReader == nil ? value : value.withTextAsScalar }

  /// The decoder, with text read as a structure, where text is all there is.
  private func structured() throws -> Self {
    guard let textReader, case .string(let text) = value else { return self }
    return Self(value: try textReader(text), codingPath: codingPath, textReader: nil)
  }
}

extension FlagValue {
  /// The value's type and beginning, for messages.
  fileprivate var excerpt: String {
    guard self != .null else { return "null" }
    let text = "\(typeName) \(description)"
    return text.count > 40 ? text.prefix(40) + "…" : text
  }
}

/// Reads the fields of a record.
private struct Fields<Key: CodingKey>: KeyedDecodingContainerProtocol {
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
    decoder.inside(fields["super"] ?? .null, at: Place.field("super"))
  }
  func superDecoder(forKey key: Key) throws -> any Decoder { decoder.inside(fields[key.stringValue] ?? .null, at: key) }

  private func field(_ key: Key) throws -> ValueDecoder {
    guard let value = fields[key.stringValue] else {
      throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: ""))
    }
    return decoder.inside(value, at: key)
  }
}

/// Reads the elements of a list in turn.
private struct Elements: UnkeyedDecodingContainer {
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
    let place = Place.element(currentIndex)
    guard !isAtEnd else {
      let context = DecodingError.Context(
        codingPath: codingPath + [place], debugDescription: "expected one more element, found the end of the array")
      throw DecodingError.valueNotFound(FlagValue.self, context)
    }
    return decoder.inside(elements[currentIndex], at: place)
  }
}

/// A step of a path.
enum Place: CodingKey {
  case field(String)
  case element(Int)

  init(stringValue: String) { self = .field(stringValue) }
  init(intValue: Int) { self = .element(intValue) }

  var stringValue: String {
    switch self {
    case .field(let name): name
    case .element(let index): "\(index)"
    }
  }

  var intValue: Int? {
    if case .element(let index) = self { index } else { nil }
  }
}
