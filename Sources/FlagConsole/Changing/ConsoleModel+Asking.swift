public import FlagDomain

/// Changes from user interfaces, which share the same confirmations.
extension ConsoleModel {
  /// Applies a change, or returns the confirmation that it needs; ``apply(_:)`` applies it once confirmed.
  ///
  /// - Returns: The pending change, or nil if the change was applied.
  /// - Throws: The errors of the change; nothing is changed then.
  public func submit(_ change: ConsoleChange) throws(FlagError) -> PendingConsoleChange? {
    if let question = question(before: change) { return PendingConsoleChange(change: change, question: question) }
    try apply(change)
    return nil
  }

  /// Returns the confirmation that a change needs; nil if it needs none, or if the change would be refused.
  public func question(before change: ConsoleChange) -> FlagQuestion? {
    switch change {
    case .override(let key, let text), .write(let key, let text, _):
      guard let entry = changeable(key), entry.takes(text) else { return nil }
      return entry.flag.metadata.changingQuestion
    case .remove(let key, _): return changeable(key)?.flag.metadata.changingQuestion
    case .clear(let key):
      // Only a flag that requires a restart is resolved, to find out whether its override is in effect.
      guard let entry = changeable(key), let question = entry.flag.metadata.changingQuestion else { return nil }
      let isOverridden = ports.snapshots.snapshot().resolution(ofAny: entry.flag).reason == .override
      return isOverridden ? question : nil
    case .clearAll: return list(FlagQuery(limit: 0)).clearingQuestion
    }
  }

  /// Applies a change without confirmation.
  ///
  /// - Throws: The errors of the change; nothing is changed then.
  public func apply(_ change: ConsoleChange) throws(FlagError) {
    switch change {
    case .override(let key, let text):
      let entry = try editable(key)
      try override(entry, with: entry.value(entering: text))
    case .clear(let key): try clearOverride(of: key)
    case .write(let key, let text, let provider):
      let entry = try editable(key)
      try write(.set(entry.value(entering: text)), to: entry, in: [provider].compactMap { $0 })
    case .remove(let key, let provider): try write(.remove, to: key, in: [provider])
    case .clearAll: try clearOverrides()
    }
  }

  private func changeable(_ key: String) -> CatalogEntries.Entry? {
    entry(key).flatMap { lockReason(of: $0) == nil ? $0 : nil }
  }
}

extension CatalogEntries.Entry {
  fileprivate func value(entering text: String?) throws(FlagError) -> FlagValue {
    try text.map { text throws(FlagError) in try editor.value(of: text) } ?? .null
  }

  /// Returns whether the editor accepts a text; a malformed one is reported at once, not after a confirmation.
  fileprivate func takes(_ text: String?) -> Bool {
    guard let text else { return dataType.isOptional }
    do throws(FlagError) {
      _ = try editor.value(of: text)
      return true
    } catch {
      return false
    }
  }
}
