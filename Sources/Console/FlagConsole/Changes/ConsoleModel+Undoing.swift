import FlagDefinitions
public import FlagDomain
public import FlagEditing

extension ConsoleModel {
  /// The change that was saved last in this console, and can be taken back; nil if there is none.
  public var savedChange: SavedChange? { state.withLock { $0.saved } }

  /// Forgets the change that was saved last.
  public func forgetSavedChange() {
    state.withLock { $0.saved = nil }
    noteChange()
  }

  /// Returns the change that takes back the one that was saved last, and what others changed after it: the keys of
  /// flags, and shared rules and other members of the document in words.
  ///
  /// All else stays as it is now.
  ///
  /// - Throws: An error if nothing was saved here, or if this console cannot edit the definitions.
  public func undoingSavedChange() throws(FlagError) -> (change: DocumentChange, changedAgain: [String]) {
    guard let saved = savedChange else { throw FlagError(.flagNotFound, "Nothing was saved here that can be undone.") }
    let stored = try storedDefinitions
    let title = saved.title.hasPrefix("undid: ") ? String(saved.title.dropFirst(7)) : "undid: \(saved.title)"
    let change = DocumentChange(title, of: saved.keys, over: stored.version) { text throws(FlagError) in
      try saved.undone(in: text)
    }
    return (change, try saved.changedAgain(in: stored.text))
  }
}
