import FlagDomain

/// A finding whose place in the text has not been looked up.
struct Remark: Hashable, Sendable {
  var severity = Finding.Severity.error
  let path: JSONPath
  let message: String
}

extension Remark {
  /// Creates an error about what stands at a path.
  init(_ path: JSONPath, expected: String, found value: FlagValue?) {
    self.init(path: path, message: "expected \(expected), found \(value?.summary ?? "nothing")")
  }

  /// Creates a warning.
  init(warning path: JSONPath, _ message: String) {
    self.init(severity: .warning, path: path, message: message)
  }
}

extension FlagValue {
  /// The value as messages show it: its kind, and the value itself where it is short.
  var summary: String {
    switch self {
    case .null: "null"
    case .array(let elements) where elements.isEmpty: "an empty array"
    case .object(let fields) where fields.isEmpty: "an empty object"
    case .array: "an array"
    case .object: "an object"
    case .string(let text) where text.utf8.count > 80: "a string of \(text.utf8.count) bytes"
    case .string: "the string \(self)"
    case .bool, .int, .double: "the \(typeName) \(self)"
    }
  }
}
