/// A value of any shape that a provider can hold, and the only currency between providers and flags.
///
/// It has JSON's shapes, with whole numbers kept apart from fractions. A flag's own type is read from it by
/// ``decode(as:)`` and written to it by ``init(encoding:)``.
public enum FlagValue: Hashable, Sendable {
  /// An explicit null: a value for an optional flag, a type mismatch for any other.
  case null
  /// True or false.
  case bool(Bool)
  /// A whole number; wide enough for every 64-bit integer, signed or not.
  case int(Int128)
  /// A number that was written with a fraction or an exponent.
  case double(Double)
  /// Text.
  case string(String)
  /// A list.
  case array([FlagValue])
  /// A record whose fields have no order.
  case object([String: FlagValue])
}

extension FlagValue: ExpressibleByNilLiteral {
  /// Creates the null value.
  public init(nilLiteral: ()) { self = .null }
}

extension FlagValue: ExpressibleByBooleanLiteral {
  /// Creates a value that is true or false.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension FlagValue: ExpressibleByIntegerLiteral {
  /// Creates a value that is a whole number.
  public init(integerLiteral value: Int) { self = .int(Int128(value)) }
}

extension FlagValue: ExpressibleByFloatLiteral {
  /// Creates a value that is a number with a fraction.
  public init(floatLiteral value: Double) { self = .double(value) }
}

extension FlagValue: ExpressibleByStringLiteral {
  /// Creates a value that is text.
  public init(stringLiteral value: String) { self = .string(value) }
}

extension FlagValue: ExpressibleByArrayLiteral {
  /// Creates a value that is a list.
  public init(arrayLiteral elements: FlagValue...) { self = .array(elements) }
}

extension FlagValue: ExpressibleByDictionaryLiteral {
  /// Creates a value that is a record; the last of two equal names counts.
  public init(dictionaryLiteral elements: (String, FlagValue)...) {
    self = .object(Dictionary(elements) { _, last in last })
  }
}

extension FlagValue {
  /// The name of the value's shape, as error messages give it.
  public var typeName: String {
    switch self {
    case .null: "null"
    case .bool: "boolean"
    case .int: "integer"
    case .double: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }
}

extension FlagValue: CustomStringConvertible {
  /// The value as compact JSON, the fields of records in the order of their names.
  ///
  /// An infinite or undefined number, which JSON cannot hold, stands as `null`.
  public var description: String {
    var text = ""
    write(to: &text)
    return text
  }

  private func write(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .int(let value): text += String(value)
    case .double(let value): text += value.isFinite ? "\(value)" : "null"
    case .string(let value): text.appendJSON(value)
    case .array(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += "," }
        element.write(to: &text)
      }
      text += "]"
    case .object(let fields):
      text += "{"
      for (index, field) in fields.sorted(by: { $0.key < $1.key }).enumerated() {
        if index > 0 { text += "," }
        text.appendJSON(field.key)
        text += ":"
        field.value.write(to: &text)
      }
      text += "}"
    }
  }
}

extension String {
  /// Appends a string in quotes, escaped as RFC 8259 section 7 asks.
  fileprivate mutating func appendJSON(_ string: String) {
    append("\"")
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": append("\\\"")
      case "\\": append("\\\\")
      case "\n": append("\\n")
      case "\r": append("\\r")
      case "\t": append("\\t")
      case "\u{0}"..."\u{1F}":
        let hex = String(scalar.value, radix: 16)
        append("\\u" + String(repeating: "0", count: 4 - hex.count) + hex)
      default: unicodeScalars.append(scalar)
      }
    }
    append("\"")
  }
}
