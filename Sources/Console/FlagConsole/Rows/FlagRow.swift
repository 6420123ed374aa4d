public import FlagDomain
import FlagSupport

/// A flag's row in a list.
public struct FlagRow: Hashable, Sendable, Identifiable {
  /// The flag's key.
  public let key: FlagKey
  /// The display name.
  public let title: String
  /// The display names of the enclosing groups, outermost first.
  public let groups: [String]
  /// The flag's description.
  public let summary: String
  /// The type of the flag's values.
  package let dataType: FlagDataType
  /// The control that edits the value.
  package let control: FlagControl
  /// The current value.
  public let value: FlagValue
  /// The default value.
  public let defaultValue: FlagValue
  /// The resolution: the reason for the value, its provider, and any errors.
  package let resolution: FlagResolution<FlagValue>
  /// Whether the flag is overridden now.
  public let isOverridden: Bool
  /// The stored override, which may take effect only after a restart; nil without one.
  package let storedOverride: FlagValue?
  /// The value without the override; nil if the flag is not overridden.
  package let original: FlagValue?
  /// Whether the flag will have another value after a restart.
  public let isWaitingForRestart: Bool
  /// Whether the flag is past its last day and should be removed from the code.
  package let isExpired: Bool
  /// Whether the flag or an enclosing group is locked, so that only code can change it.
  public let isLocked: Bool
  /// The reason why the console cannot change the value, as a sentence; nil if it can.
  package let lockReason: String?
  /// Whether the default is the one in the code, or else one that nobody knows here.
  package let isDefaultKnown: Bool
  /// The flag's metadata.
  public let metadata: FlagMetadata
  /// The app's mark for the flag; nil if it has none.
  package internal(set) var mark: FlagMark?
  /// The tags in the definition's metadata.
  package internal(set) var metadataTags: [String] = []
  /// The reasons why the flag may have done its work.
  package internal(set) var staleness: [FlagStaleness] = []
  /// The state for everyone; nil for a value that is neither on nor off, or if it is not known.
  package internal(set) var reach: FlagReach?
  /// The definition in words; nil without one.
  package internal(set) var definition: DefinitionSummary?

  /// The flag's key.
  public var id: FlagKey { key }

  /// Whether the console can change the value.
  package var isEditable: Bool { lockReason == nil }

  /// Whether the flag can be none although its control cannot express that.
  package var offersNone: Bool {
    switch control {
    case .toggle, .choice, .json: false
    case .number, .text: dataType.isOptional
    }
  }

  /// The state in words: on, off or the value, marked if it is an override.
  public var stateText: String { isOverridden ? "overridden \(valueText)" : valueText }

  /// Whether the value is the default in the code, which is not known here.
  package var isValueUnknown: Bool { !isDefaultKnown && !isOverridden && resolution.variant == nil }

  /// The value in words.
  package var valueText: String { isValueUnknown ? Self.unknownDefault : value.shortText }

  /// Returns a value that can be chosen as an override, in words: "On", or "Off (same as now)" for what is read anyway.
  package func choiceText(of value: FlagValue) -> String {
    let isSame = !isOverridden && !isValueUnknown && value.readsAs(self.value)
    return value.shortText + (isSame ? " (same as now)" : "")
  }

  /// The value that everyone gets, in words; without a definition, as far as the value of one user shows it.
  package var everyone: String {
    if let everyone = definition?.everyone { return everyone }
    let text = (isOverridden ? original : isValueUnknown ? nil : value)?.shortText.excerpt ?? "unknown"
    return reach == .partly ? FlagReach.partly.title : text.prefix(1).uppercased() + text.dropFirst()
  }

  /// The state for everyone, as far as the value of one user tells.
  var ownReach: FlagReach? {
    switch isOverridden ? .static : resolution.reason {
    case .disabled: .off
    case .split, .targetingMatch: .partly
    default: if case .bool(let isOn)? = isOverridden ? original : value { isOn ? .on : .off } else { nil }
    }
  }

  /// The default in words.
  package var defaultText: String { isDefaultKnown ? defaultValue.shortText : Self.unknownDefault }

  private static let unknownDefault = "the code's default"

  /// Whether the flag is on; nil if it is not a switch, or if its value is not known here.
  public var isOn: Bool? { if case .bool(let isOn) = value, !isValueUnknown { isOn } else { nil } }

  /// Whether the value differs from the default; false if that is not known here.
  package var differsFromDefault: Bool { isDefaultKnown && value != defaultValue }

  /// The errors, except that a rollout needs an id which a visitor does not have: the default is meant for those.
  public var errors: [FlagError] { resolution.errors.filter { $0.code != .targetingKeyMissing } }

  /// Whether a rollout passed the flag over because a visitor has no id.
  package var needsUser: Bool { resolution.errors.contains { $0.code == .targetingKeyMissing } }

  /// The source of the value, in words.
  public var source: String {
    if isOverridden { return "Override" }
    if let provider = resolution.provider { return provider }
    switch resolution.reason {
    case .computed: return "Computed"
    case .fallback: return "Fallback"
    case .prerequisiteFailed: return "Required flag"
    default: return "Default"
    }
  }

  /// The display names of the enclosing groups and the flag: `Feed → Video posts → Autoplay`.
  public var path: String { (groups + [title]).joined(separator: " → ") }
}

extension FlagRow {
  /// Whether the values are Foundation's dates, which documents hold as text.
  package var holdsDates: Bool { ["Date", "Optional<Date>"].contains(dataType.name) }

  /// The action that clears the override: "Default (on)"; nil if nothing is stored or the flag cannot be changed.
  package var defaultAction: FlagAction? {
    guard storedOverride != nil, isEditable else { return nil }
    let original: FlagValue? = isOverridden ? original : original ?? value
    return FlagAction(title: "Default\(original.map { " (\($0.shortText))" } ?? "")", change: .clear(key: key.name))
  }

  /// The actions that switch the flag on or off, except the one already stored; empty if it is not a switch.
  package var switchActions: [FlagAction] {
    guard control == .toggle, isEditable else { return [] }
    return [FlagValue.bool(true), false].filter { storedOverride != $0 }.map { value in
      let text = choiceText(of: value)
      return FlagAction(
        title: text.prefix(1).uppercased() + text.dropFirst(), change: .override(key: key.name, entering: "\(value)"))
    }
  }

  /// The confirmation before the flag is overridden or written to; nil if none is needed.
  package var changingQuestion: FlagQuestion? { metadata.changingQuestion }

  /// The confirmation before the override is cleared; nil if none is needed.
  ///
  /// Clearing an override that has not taken effect yet does not change the running program.
  package var clearingQuestion: FlagQuestion? { isOverridden ? changingQuestion : nil }
}

extension FlagMetadata {
  var changingQuestion: FlagQuestion? { requiresRestart || overridesRequireRestart ? .restart : nil }
}

extension FlagDataType {
  /// The type in words: "On or off", "Whole number from 0 to 255", "Text, or none".
  package var readableName: String {
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
  package var icon: String {
    switch kind {
    case .boolean: "switch"
    case .integer, .number: "number"
    case .text: "text"
    case .list: "list"
    case .object: "braces"
    }
  }
}

/// A reason why a flag may have done its work, and could be removed from the code.
package enum FlagStaleness: String, Hashable, Sendable {
  /// The flag is past its last day.
  case expired = "Expired"
  /// The definition is marked as retired.
  case retired = "Retired"
  /// The definition is switched off: everyone gets the default in the code.
  case offForEveryone = "Off for everyone"
  /// The definition gives everyone the same variant.
  case oneVariant = "One variant for everyone"
  /// No code reads the flag.
  case unread = "Read by no code"

  /// The label that people see.
  package var title: String { rawValue }
}

/// A short label beside a flag's name that shows its state.
package enum FlagTag: String, CaseIterable, Hashable, Sendable, Identifiable {
  case overridden
  /// The flag will have another value after a restart.
  case waiting
  case expired
  /// An error occurred while the flag was resolved.
  case failing
  /// The flag can be changed only in code.
  case locked

  package var id: Self { self }
  /// The label that people see.
  package var title: String {
    switch self {
    case .overridden: "Overridden"
    case .waiting: "After restart"
    case .expired: "Expired"
    case .failing: "Error"
    case .locked: "Locked"
    }
  }
}

extension FlagRow {
  /// The tags shown beside the flag's name.
  package var tags: [FlagTag] {
    [
      (FlagTag.overridden, isOverridden), (.waiting, isWaitingForRestart), (.expired, isExpired),
      (.failing, !errors.isEmpty), (.locked, isLocked),
    ].filter(\.1).map(\.0)
  }

  /// Returns what a tag says of the flag, as sentences.
  package func explanation(of tag: FlagTag) -> String {
    switch tag {
    case .overridden: "Without the override the value is \(original?.shortText ?? "not known here")."
    case .waiting: "The flag has another value when the program restarts."
    case .expired:
      "Its last day was \(metadata.expires.map { "\($0)" } ?? "long ago"): the flag should be removed from the code."
    case .failing: errors.map(\.message).joined(separator: "\n")
    case .locked: lockReason ?? ""
    }
  }
}
