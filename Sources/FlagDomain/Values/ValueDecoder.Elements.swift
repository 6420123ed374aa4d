extension ValueDecoder {
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
