/// A dictionary whose keys have raw values, such as the cases of an enum: an object in documents.
///
/// Swift itself encodes it as an array of keys and values, unless the keys have coding keys.
protocol NamedByRawValues {
  /// The values by the names of their keys; nil if the keys' raw values are neither strings nor integers.
  var namedValues: [(name: String, value: any Encodable)]? { get }

  /// Reads a dictionary from an object; nil from any other value, and if the keys have no such names.
  static func read(from decoder: ValueDecoder) throws -> Self?
}

extension Dictionary: NamedByRawValues where Key: RawRepresentable {
  var namedValues: [(name: String, value: any Encodable)]? {
    guard Key.hasNames, Value.self is any Encodable.Type else { return nil }
    return compactMap { key, value in
      (value as? any Encodable).map { ("\(key.rawValue)", $0) }
    }
  }

  static func read(from decoder: ValueDecoder) throws -> Self? {
    guard Key.hasNames, let type = Value.self as? any Decodable.Type else { return nil }
    let decoder = try decoder.structured()
    guard case .object(let fields) = decoder.value else { return nil }
    return try fields.reduce(into: [:]) { result, field in
      let inner = decoder.inside(field.value, at: AnyCodingKey.field(field.key))
      guard let key = Key(named: field.key) else {
        throw inner.mismatch(Key.self, "a raw value of \(Key.self) as name")
      }
      guard let value = try inner.decode(type) as? Value else { throw inner.mismatch(type, "\(type)") }
      result.updateValue(value, forKey: key)
    }
  }
}

extension RawRepresentable {
  fileprivate static var hasNames: Bool {
    !(Self.self is any CodingKeyRepresentable.Type)
      && (RawValue.self == String.self || RawValue.self is any FixedWidthInteger.Type)
  }

  fileprivate init?(named name: String) {
    func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) -> Integer? {
      Integer(name).flatMap { "\($0)" == name ? $0 : nil }
    }
    let number: Any? = (RawValue.self as? any FixedWidthInteger.Type).flatMap { integer($0) }
    guard let rawValue = number as? RawValue ?? name as? RawValue else { return nil }
    self.init(rawValue: rawValue)
  }
}
