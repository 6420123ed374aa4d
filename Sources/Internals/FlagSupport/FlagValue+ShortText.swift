package import FlagDomain

extension FlagValue {
  /// The value in readable form: on, off, none, a text without quotes unless it is blank, or JSON.
  package var shortText: String {
    switch self {
    case .bool(let isOn): isOn ? "on" : "off"
    case .null: "none"
    case .string(""): "empty text"
    case .string(let text) where text.allSatisfy(\.isWhitespace): description
    case .string(let text): text
    default: description
    }
  }
}
