/// The type of a JSON value, according to its first character.
package enum JSONKind: String, Hashable, Sendable {
  case null, boolean, number, string, array, object

  /// Creates the kind of the values that begin with a byte, or nil if no value does.
  init?(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "{"): self = .object
    case UInt8(ascii: "["): self = .array
    case UInt8(ascii: "\""): self = .string
    case UInt8(ascii: "t"), UInt8(ascii: "f"): self = .boolean
    case UInt8(ascii: "n"): self = .null
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): self = .number
    default: return nil
    }
  }
}

extension JSONKind: CustomStringConvertible {
  /// The kind in error messages, with its article.
  package var description: String {
    switch self {
    case .null: "null"
    case .array, .object: "an \(rawValue)"
    case .boolean, .number, .string: "a \(rawValue)"
    }
  }
}
