import FlagDefinitions
public import FlagDomain
import FlagJSON

/// A change that was saved, and all that takes it back.
public struct SavedChange: Sendable {
  /// A flag, or another member of the document, before and after.
  struct Part: Sendable {
    /// The path of the part in the document.
    let path: DocumentPath
    /// The name of the member before it; nil if it was the first one.
    let predecessor: String?
    /// Its text before and after; nil if it was not there.
    let old: [UInt8]?
    let new: [UInt8]?
  }

  /// The change as a phrase, such as "edited new-profile".
  public let title: String
  /// The keys of the changed flags, sorted.
  public let keys: [String]
  let parts: [Part]
}

extension SavedChange {
  init(_ title: String, from old: DocumentSources, to new: DocumentSources) {
    self.title = title
    keys = new.differing(from: old)
    let flags = DocumentPath.root.appending("flags")
    let members = Set(old.names).union(new.names).sorted().filter { old.member($0) != new.member($0) }
    parts =
      keys.map { key in
        Part(
          path: flags.appending(key), predecessor: old.predecessor(of: key), old: old.source(of: key).map(Array.init),
          new: new.source(of: key).map(Array.init))
      }
      + members.map { name in
        Part(
          path: .root.appending(name), predecessor: nil, old: old.member(name).map(Array.init),
          new: new.member(name).map(Array.init))
      }
  }

  /// Returns a document with the old text of the parts; everything else stays as it is.
  func undone(in text: [UInt8]) throws(FlagError) -> [UInt8] {
    var editor = try JSONEditor(
      DocumentSources(text).replacing(
        parts.compactMap { part in
          part.old.map { (part.path, $0) }
        }))
    // Flags come back in their order, each after the one that it followed.
    for part in parts {
      let isThere = editor.range(of: part.path) != nil
      guard let old = part.old else {
        if isThere { try editor.remove(part.path) }
        continue
      }
      let source = String(decoding: old, as: UTF8.self)
      if !isThere, let name = part.path.name {
        let object = part.path.prefix(part.path.count - 1)
        let predecessor = part.predecessor.flatMap { editor.range(of: object.appending($0)) == nil ? nil : $0 }
        try editor.insertMember(name, source.unindented, after: predecessor, in: object)
      }
    }
    return editor.text
  }

  /// Returns the keys of the flags that others changed after this change, sorted.
  func changedAgain(in text: [UInt8]) throws(FlagError) -> [String] {
    let current = try DocumentSources(text)
    let new = Dictionary(parts.map { ($0.path, $0.new) }) { first, _ in first }
    return keys.filter { key in
      new[DocumentPath.root.appending("flags").appending(key)].map { $0 != current.source(of: key).map(Array.init) }
        ?? false
    }
  }
}

extension ConsoleModel {
  /// The change that was saved last in this console, and can be taken back; nil if there is none.
  public var savedChange: SavedChange? { state.withLock { $0.saved } }

  /// Forgets the change that was saved last.
  public func forgetSavedChange() {
    state.withLock { $0.saved = nil }
    noteChange()
  }

  /// Returns the change that takes back the one that was saved last, and the keys of the flags that others changed
  /// after it.
  ///
  /// Other flags stay as they are now.
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
