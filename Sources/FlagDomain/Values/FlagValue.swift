/// A value as providers store it.
///
/// It has JSON's shapes, with distinct integers and doubles. A flag's own type is read from it by
/// ``decode(as:textReader:)`` and written to it by ``init(encoding:)``.
public enum FlagValue: Sendable {
  /// An explicit null: a value for an optional flag, a type mismatch for any other.
  case null
  /// True or false.
  case bool(Bool)
  /// An integer; wide enough for every 64-bit integer, signed or unsigned.
  case int(Int128)
  /// A floating-point number: in JSON, one with a fraction or exponent; and its text if the double does not give the
  /// number back.
  case double(Double, FlagNumeral?)
  /// A string.
  case string(String)
  /// An array.
  case array([FlagValue])
  /// An object, whose members are unordered.
  case object([String: FlagValue])
}

extension FlagValue: ExpressibleByBooleanLiteral {
  /// Creates a boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension FlagValue: ExpressibleByIntegerLiteral {
  /// Creates an integer.
  public init(integerLiteral value: Int) { self = .int(Int128(value)) }
}

extension FlagValue: ExpressibleByFloatLiteral {
  /// Creates a double.
  public init(floatLiteral value: Double) { self = .double(value) }
}

extension FlagValue: ExpressibleByStringLiteral {
  /// Creates a string.
  public init(stringLiteral value: String) { self = .string(value) }
}

extension FlagValue: ExpressibleByArrayLiteral {
  /// Creates an array.
  public init(arrayLiteral elements: FlagValue...) { self = .array(elements) }
}

extension FlagValue: ExpressibleByDictionaryLiteral {
  /// Creates an object; of two equal names the last one counts.
  public init(dictionaryLiteral elements: (String, FlagValue)...) {
    self = .object(Dictionary(elements) { _, last in last })
  }
}

extension FlagValue: CustomStringConvertible {
  /// The value as compact JSON, with the members of objects sorted by name.
  ///
  /// A number that JSON cannot represent (infinity, NaN) is written as `null`.
  public var description: String { text(atMost: .max) }

  /// Returns the value's description, truncated after a number of bytes; without recursion.
  ///
  /// A text in the value is written as a whole, so that the result may be longer.
  func text(atMost limit: Int) -> String {
    var text = ""
    var levels: [Level] = []
    var value: FlagValue? = self
    repeat {
      if let value, let level = value.begin(in: &text) { levels.append(level) }
      value = nil
      guard let last = levels.indices.last else { break }
      if text.utf8.count > limit { break }
      if levels[last].isOver {
        text += levels.removeLast().names == nil ? "]" : "}"
      } else {
        value = levels[last].next(in: &text)
      }
    } while true
    return text
  }

  /// Writes a scalar, or the opening bracket of an array or object, whose parts are returned.
  private func begin(in text: inout String) -> Level? {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .int(let value): text += String(value)
    case .double(let value, let numeral): text += numeral?.text ?? (value.isFinite ? "\(value)" : "null")
    case .string(let value): text.appendJSON(value)
    case .array(let elements):
      text += "["
      return Level(names: nil, parts: elements)
    case .object(let fields):
      text += "{"
      let sorted = fields.inOrder
      return Level(names: sorted.map(\.key), parts: sorted.map(\.value))
    }
    return nil
  }

  /// The parts of an array or object, and the number of those written so far.
  private struct Level {
    let names: [String]?
    let parts: [FlagValue]
    var count = 0

    var isOver: Bool { count == parts.count }

    /// Writes the separator before the next part, and returns that part.
    mutating func next(in text: inout String) -> FlagValue {
      if count > 0 { text += "," }
      if let names {
        text.appendJSON(names[count])
        text += ":"
      }
      count += 1
      return parts[count - 1]
    }
  }
}

extension String {
  /// Appends a string in quotes, escaped as RFC 8259 section 7 requires.
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
