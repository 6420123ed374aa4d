public import FlagDomain

/// Changes as faces make them: those that a person should know more of are asked about first, everywhere alike.
extension FlagBrowser {
  /// Applies a change, or returns what a person is asked first; ``apply(_:)`` is for when the answer is to go on.
  ///
  /// - Returns: Nil where the change was applied.
  /// - Throws: As the change itself; then nothing is changed.
  public func submit(_ change: ConsoleChange) throws(FlagError) -> PendingConsoleChange? {
    if let question = question(before: change) { return PendingConsoleChange(change: change, question: question) }
    try apply(change)
    return nil
  }

  /// Returns what a person is asked before a change; nil where there is nothing to ask, or the change is refused.
  public func question(before change: ConsoleChange) -> FlagQuestion? {
    switch change {
    case .override(let key, let text), .write(let key, let text, _):
      guard let row = row(key), row.isEditable, isValue(text, of: row) else { return nil }
      return row.changingQuestion
    case .remove(let key, _): return row(key).flatMap { $0.isEditable ? $0.changingQuestion : nil }
    case .clear(let key):
      guard let row = row(key), row.isEditable else { return nil }
      return row.clearingQuestion
    case .clearAll: return list(FlagQuery(limit: 0)).clearingQuestion
    }
  }

  /// Applies a change without asking.
  ///
  /// - Throws: As the change itself; then nothing is changed.
  public func apply(_ change: ConsoleChange) throws(FlagError) {
    switch change {
    case .override(let key, let text): try override(key, with: value(of: key, entering: text))
    case .clear(let key): try clearOverride(of: key)
    case .write(let key, let text, let provider):
      try write(.set(value(of: key, entering: text)), to: key, in: [provider].compactMap { $0 })
    case .remove(let key, let provider): try write(.remove, to: key, in: [provider])
    case .clearAll: try clearOverrides()
    }
  }

  /// Returns the value that was entered; null for none.
  private func value(of key: String, entering text: String?) throws(FlagError) -> FlagValue {
    guard let text else { return .null }
    return try value(of: key, entering: text) as FlagValue
  }

  /// Whether a flag's editor takes a text: what it refuses is told at once, and not after a question.
  private func isValue(_ text: String?, of row: FlagRow) -> Bool {
    guard let text else { return row.dataType.isOptional }
    do throws(FlagError) {
      _ = try row.editor.value(of: text)
      return true
    } catch {
      return false
    }
  }
}
