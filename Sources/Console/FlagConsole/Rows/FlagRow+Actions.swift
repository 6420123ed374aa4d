import FlagDomain
import FlagEditing

extension FlagRow {
  /// The action that clears the override: "Default (on)"; nil if nothing is stored or the flag cannot be changed.
  public var defaultAction: FlagAction? {
    guard storedOverride != nil, isEditable else { return nil }
    let original: FlagValue? = isOverridden ? original : original ?? value
    return FlagAction(title: "Default\(original.map { " (\($0.shortText))" } ?? "")", change: .clear(key: key.name))
  }

  /// The actions that switch the flag on or off, except the one already stored; empty if it is not a switch.
  public var switchActions: [FlagAction] {
    guard editor == .toggle, isEditable else { return [] }
    return [("On", true), ("Off", false)].filter { storedOverride != .bool($1) }
      .map { FlagAction(title: $0, change: .override(key: key.name, entering: $1 ? "true" : "false")) }
  }

  /// The confirmation before the flag is overridden or written to; nil if none is needed.
  public var changingQuestion: FlagQuestion? { metadata.changingQuestion }

  /// The confirmation before the override is cleared; nil if none is needed.
  ///
  /// Clearing an override that has not taken effect yet does not change the running program.
  public var clearingQuestion: FlagQuestion? { isOverridden ? changingQuestion : nil }
}

extension FlagMetadata {
  var changingQuestion: FlagQuestion? { requiresRestart || overridesRequireRestart ? .restart : nil }
}
