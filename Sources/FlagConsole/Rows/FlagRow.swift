public import FlagDomain

/// A flag as a list shows it.
public struct FlagRow: Hashable, Sendable, Identifiable {
  /// The flag's key.
  public let key: FlagKey
  /// The name that people see.
  public let title: String
  /// The names of the groups that lead to it, outermost first.
  public let groups: [String]
  /// What the flag does.
  public let summary: String
  /// What kind of values it has.
  public let dataType: FlagDataType
  /// How its value is changed.
  public let editor: FlagEditor
  /// Its value.
  public let value: FlagValue
  /// Its value when nothing else gives one.
  public let defaultValue: FlagValue
  /// Why it has its value, which provider gave it, and what failed.
  public let resolution: FlagResolution<FlagValue>
  /// Whether it is overridden now.
  public let isOverridden: Bool
  /// The override that is stored, which may count only from the next start; nil where there is none.
  public let storedOverride: FlagValue?
  /// The value without the override; nil where it is not overridden.
  public let original: FlagValue?
  /// Whether it will have another value after a restart.
  public let isWaitingForRestart: Bool
  /// Whether it should be gone from the code.
  public let isExpired: Bool
  /// Whether it, or a group that it is in, says that only code changes it.
  public let isLocked: Bool
  /// Why the console does not let its value be changed, as a sentence; nil where it does.
  public let lockReason: String?
  /// What it says of itself.
  public let metadata: FlagMetadata
  /// How the app marks it; nil where it does not.
  public internal(set) var mark: FlagMark?

  /// The flag's key.
  public var id: FlagKey { key }
}

extension FlagRow {
  /// Whether the console lets its value be changed.
  public var isEditable: Bool { lockReason == nil }

  /// Whether none is a value of the flag that its editor has no way to say.
  public var offersNone: Bool {
    switch editor {
    case .toggle, .choice, .json: false
    case .number, .text: dataType.isOptional
    }
  }

  /// The state in words: on, off, or the value; and whether that is an override.
  public var stateText: String { isOverridden ? "overridden \(value.shortText)" : value.shortText }

  /// Whether the flag is on; nil where it is no switch.
  public var isOn: Bool? { if case .bool(let isOn) = value { isOn } else { nil } }

  /// Whether the value is another than the default.
  public var differsFromDefault: Bool { value != defaultValue }

  /// Where the value comes from, in words.
  public var source: String {
    if isOverridden { return "Override" }
    return resolution.provider ?? (resolution.reason == .computed ? "Computed" : "Default")
  }

  /// The names that lead to the flag, and its own: `Feed → Video posts → Autoplay`.
  public var path: String { (groups + [title]).joined(separator: " → ") }
}

extension FlagValue {
  /// The value as people read it: on, off, none, a text without quotes where that can be seen, else JSON.
  public var shortText: String {
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

extension FlagDataType {
  /// The type in words: "On or off", "Whole number from 0 to 255", "Text, or none".
  public var readableName: String {
    let name =
      switch kind {
      case .boolean: "On or off"
      case .integer(let range) where range.upperBound <= Int128(UInt16.max):
        "Whole number from \(range.lowerBound) to \(range.upperBound)"
      case .integer: "Whole number"
      case .number: "Number"
      case .text: "Text"
      case .list: "List"
      case .object: "JSON"
      }
    return isOptional ? "\(name), or none" : name
  }

  /// The name of the icon that shows the type.
  public var icon: String {
    switch kind {
    case .boolean: "switch"
    case .integer, .number: "number"
    case .text: "text"
    case .list: "list"
    case .object: "braces"
    }
  }
}
