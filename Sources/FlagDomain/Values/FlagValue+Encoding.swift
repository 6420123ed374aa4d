extension FlagValue {
  /// Encodes a Swift value.
  ///
  /// - Throws: A type mismatch, if the value's own encoding fails or contains a number that is out of range.
  public init(encoding value: some Encodable) throws(FlagError) {
    do {
      self = try Slot.filled(with: value, codingPath: []).value
    } catch {
      throw error as? FlagError ?? FlagError(.typeMismatch, "cannot encode \(type(of: value)): \(error)")
    }
  }
}

/// The storage for one encoded value, which an encoder fills at once or piece by piece.
private final class Slot {
  private enum Content {
    case scalar(FlagValue)
    case array([Slot])
    case object([String: Slot])
  }

  private var content = Content.object([:])

  var value: FlagValue {
    switch content {
    case .scalar(let value): value
    case .array(let slots): .array(slots.map(\.value))
    case .object(let slots): .object(slots.mapValues(\.value))
    }
  }

  func fill(with value: FlagValue) { content = .scalar(value) }

  func becomeArray() { if case .array = content {} else { content = .array([]) } }

  func becomeObject() { if case .object = content {} else { content = .object([:]) } }

  var count: Int { if case .array(let slots) = content { slots.count } else { 0 } }

  func append(_ slot: Slot) {
    guard case .array(var slots) = content else { return }
    content = .array([])  // so that the array below has one owner, and grows in place
    slots.append(slot)
    content = .array(slots)
  }

  func set(_ slot: Slot, for name: String) {
    guard case .object(var slots) = content else { return }
    content = .object([:])  // as above
    slots[name] = slot
    content = .object(slots)
  }

  /// Encodes a value.
  ///
  /// It is on the stack once for each level of a value, so code for types without parts is separate.
  static func filled<Value: Encodable>(with value: Value, codingPath: [any CodingKey]) throws -> Slot {
    let slot = Slot()
    if value is any Scalar || value is any FlagValueConvertible {
      slot.content = .scalar(try scalar(of: value, codingPath: codingPath))
    } else if value is any Unordered {
      try slot.fill(withUnordered: value, codingPath: codingPath)
    } else {
      try value.encode(to: ValueEncoder(slot: slot, codingPath: codingPath))
    }
    return slot
  }

  private func fill(withUnordered value: any Encodable, codingPath: [any CodingKey]) throws {
    if let fields = (value as? any NamedByRawValues)?.namedValues {
      for (name, value) in fields {
        set(try Self.filled(with: value, codingPath: codingPath + [AnyCodingKey.field(name)]), for: name)
      }
    } else {
      try value.encode(to: ValueEncoder(slot: self, codingPath: codingPath))
      if let value = value as? any Unordered { sort(by: type(of: value).slotsOfElement) }
    }
  }

  /// Sorts the elements of an array, each of a number of slots, by what they contain.
  private func sort(by size: Int) {
    guard case .array(let slots) = content, slots.count > size, slots.count.isMultiple(of: size) else { return }
    let elements = stride(from: 0, to: slots.count, by: size).map { slots[$0..<$0 + size] }
    let inOrder = elements.map { ($0, $0.map(\.value.description)) }.sorted { $0.1.lexicographicallyPrecedes($1.1) }
    content = .array(inOrder.flatMap(\.0))
  }

  private static func scalar(of value: any Encodable, codingPath: [any CodingKey]) throws -> FlagValue {
    if let convertible = value as? any FlagValueConvertible { return try convertible.flagValue }
    guard let encoded = (value as? any Scalar)?.scalar else {
      throw EncodingError.invalidValue(value, .init(codingPath: codingPath, debugDescription: "out of range"))
    }
    return encoded
  }
}

/// A collection that is encoded in an order which differs between equal ones.
private protocol Unordered {
  /// The number of values in an encoding as an array that belong to one element.
  static var slotsOfElement: Int { get }
}

extension Set: Unordered {
  fileprivate static var slotsOfElement: Int { 1 }
}

extension Dictionary: Unordered {
  fileprivate static var slotsOfElement: Int { 2 }
}

private struct ValueEncoder: Encoder, SingleValueEncodingContainer {
  let slot: Slot
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    slot.becomeObject()
    return KeyedEncodingContainer(FieldWriter(slot: slot, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    slot.becomeArray()
    return ElementWriter(slot: slot, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encodeNil() { slot.fill(with: .null) }

  func encode<Value: Encodable>(_ value: Value) throws {
    slot.fill(with: try Slot.filled(with: value, codingPath: codingPath).value)
  }
}

private struct FieldWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let slot: Slot
  let codingPath: [any CodingKey]

  func encodeNil(forKey key: Key) { encoder(at: key).encodeNil() }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    slot.set(try Slot.filled(with: value, codingPath: codingPath + [key]), for: key.stringValue)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    encoder(at: key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { encoder(at: key).unkeyedContainer() }
  func superEncoder() -> any Encoder { encoder(at: AnyCodingKey.field("super")) }
  func superEncoder(forKey key: Key) -> any Encoder { encoder(at: key) }

  private func encoder(at key: any CodingKey) -> ValueEncoder {
    let inner = Slot()
    slot.set(inner, for: key.stringValue)
    return ValueEncoder(slot: inner, codingPath: codingPath + [key])
  }
}

private struct ElementWriter: UnkeyedEncodingContainer {
  let slot: Slot
  let codingPath: [any CodingKey]
  var count: Int { slot.count }

  func encodeNil() { encoder().encodeNil() }

  func encode<Value: Encodable>(_ value: Value) throws {
    slot.append(try Slot.filled(with: value, codingPath: codingPath + [AnyCodingKey.element(count)]))
  }

  func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    encoder().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder().unkeyedContainer() }
  func superEncoder() -> any Encoder { encoder() }

  private func encoder() -> ValueEncoder {
    let inner = Slot()
    slot.append(inner)
    return ValueEncoder(slot: inner, codingPath: codingPath + [AnyCodingKey.element(count - 1)])
  }
}

extension FlagValue {
  /// Creates the encoding of a value, or its text if it cannot be encoded.
  package init(describing value: some Sendable) {
    self = .string("\(value)")
    guard let encodable = value as? any Encodable else { return }
    do throws(FlagError) {
      self = try FlagValue(encoding: encodable)
    } catch {
      return  // the text is all there is to show
    }
  }
}
