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
      guard let entry = changeable(key), entry.takes(text) else { return nil }
      return entry.flag.metadata.changingQuestion
    case .remove(let key, _): return changeable(key)?.flag.metadata.changingQuestion
    case .clear(let key):
      // Only a flag that waits for restarts has to be resolved, to know whether its override counts yet.
      guard let entry = changeable(key), let question = entry.flag.metadata.changingQuestion else { return nil }
      let isOverridden = ports.snapshots.snapshot().resolution(ofAny: entry.flag).reason == .override
      return isOverridden ? question : nil
    case .clearAll: return list(FlagQuery(limit: 0)).clearingQuestion
    }
  }

  /// Applies a change without asking.
  ///
  /// - Throws: As the change itself; then nothing is changed.
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

  /// Whether the editor takes a text: what it refuses is told at once, and not after a question.
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
