import FlagDomain

extension FlagRow {
  /// Goes back to the value without the override: "Default (on)"; nil where nothing is stored, or it must stay.
  public var defaultAction: FlagAction? {
    guard storedOverride != nil, isEditable else { return nil }
    return FlagAction(title: "Default (\((original ?? value).shortText))", change: .clear(key: key.name))
  }

  /// Switches the flag on or off: of the two what it is not overridden with; none where it is no switch.
  public var switchActions: [FlagAction] {
    guard editor == .toggle, isEditable else { return [] }
    return [("On", true), ("Off", false)].filter { storedOverride != .bool($1) }
      .map { FlagAction(title: $0, change: .override(key: key.name, entering: $1 ? "true" : "false")) }
  }

  /// What a person is asked before the flag is overridden or written; nil where it is done at once.
  public var changingQuestion: FlagQuestion? { metadata.changingQuestion }

  /// What a person is asked before the override is cleared; nil where it is done at once.
  ///
  /// Clearing what has not counted yet leaves the program as it is.
  public var clearingQuestion: FlagQuestion? { isOverridden ? changingQuestion : nil }
}

extension FlagMetadata {
  var changingQuestion: FlagQuestion? { requiresRestart || overridesRequireRestart ? .restart : nil }
}
