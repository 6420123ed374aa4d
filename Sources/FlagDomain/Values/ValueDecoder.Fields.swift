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
}
