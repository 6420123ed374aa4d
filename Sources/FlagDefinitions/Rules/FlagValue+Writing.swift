import FlagDomain
import FlagJSON

extension FlagValue {
  /// The value as messages show it: its kind, how much there is in it, and the value itself where it is short.
  package var summary: String {
    switch self {
    case .null: "null"
    case .array(let elements) where elements.isEmpty: "an empty array"
    case .object(let fields) where fields.isEmpty: "an empty object"
    case .array(let elements): "an array of \(elements.count) \(elements.count == 1 ? "element" : "elements")"
    case .object: "an object"
    case .string(let text) where text.utf8.count > 80: "a string of \(text.utf8.count) bytes"
    case .string: "the string \(self)"
    case .bool, .int, .double: "the \(typeName) \(self)"
    }
  }
}

extension String {
  /// The text in quotation marks, as messages quote it: no more than the first 100 characters.
  package var quoted: String { "\(FlagValue.string(excerpt))" }
}

extension FlagValue {
  /// The value, which was read from JSON, as JSON; a whole double has a fraction.
  package var written: [UInt8] {
    do throws(FlagError) {
      return try json(depth: .max)
    } catch {
      preconditionFailure("what was read from JSON can be written: \(error)")
    }
  }
}
