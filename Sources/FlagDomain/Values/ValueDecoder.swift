/// Reads one value.
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
